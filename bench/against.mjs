// The core's benchmarks of another commit beside the present ones, in turn: what slows the machine down slows both.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { benchmarksOf, native } from "./measure/native.mjs";
import { median } from "./measure/statistics.mjs";

const root = new URL("../", import.meta.url).pathname;
const rounds = 9;
const seconds = 0.05;
/** Smaller changes say nothing: where the linker puts a loop alone moves it by as much. */
const least = 0.08;

/** The bench program of `ref`, built of a copy of that commit under build/. */
function programAt(ref) {
  const git = (...args) => execFileSync("git", args, { cwd: root, maxBuffer: Infinity });
  const commit = String(git("rev-parse", "--verify", `${ref}^{commit}`)).trim();
  const tree = `${root}build/against/${commit.slice(0, 12)}`;
  if (!existsSync(tree)) {
    mkdirSync(tree, { recursive: true });
    execFileSync("tar", ["-x", "-C", tree], { input: git("archive", commit) });
  }
  const build = (...args) => execFileSync("cmake", args, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
  build("--preset", "release");
  build("--build", "--preset", "release", "--target", "core_bench");
  return { commit, program: `${tree}/build/release/bench/core_bench` };
}

/** One benchmark by both programs in turn. */
function compared(name, program) {
  const pairs = Array.from({ length: rounds }, (_, round) => {
    const measure = { before: () => native(name, seconds, program), now: () => native(name, seconds) };
    // Whoever comes second finds a warmer machine: they take turns.
    const [first, second] = round % 2 ? ["before", "now"] : ["now", "before"];
    return { [first]: measure[first](), [second]: measure[second]() };
  });
  const ratios = pairs.map(({ now, before }) => now / before);
  const ratio = median(ratios);
  // Three standard errors of a median, from the median deviation.
  const deviation = 1.4826 * median(ratios.map((one) => Math.abs(one - ratio)));
  const noise = Math.max(least, (3 * 1.2533 * deviation) / Math.sqrt(rounds));
  const verdict = ratio > 1 + noise ? "SLOWER" : ratio < 1 - noise ? "quicker" : "same";
  return {
    name,
    before_ns: median(pairs.map(({ before }) => before)),
    now_ns: median(pairs.map(({ now }) => now)),
    ratio,
    noise,
    verdict,
  };
}

/** Each benchmark that both have: {name, before_ns, now_ns, ratio, noise, verdict}; the noise is of the ratio's rounds. */
export function against(ref, wanted = []) {
  const { commit, program } = programAt(ref);
  const before = new Set(benchmarksOf(program));
  const names = benchmarksOf().filter(
    (name) => before.has(name) && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
  );
  const rows = names.map((name) => {
    const row = compared(name, program);
    // Of a hundred benchmarks some look changed by chance: what does so twice is.
    return row.verdict === "same" ? row : compared(name, program);
  });
  return { commit, rows };
}
