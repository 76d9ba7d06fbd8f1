// Which changes of one operator, condition or constant in the page's state and sentences do its tests notice? All that
// are drawn are switches in one build of a copy under build/mutate/page; each is turned on while the tests that reach it
// run, those that reach fewest first, until one fails.
//   npm run mutate:page -- [--seed 1] [--count 100] [--only web/state,web/views/plan] [--again] [--keep] [--list]
// A seed draws the same changes as long as their lines stay. What was noticed once is not tried again unless with
// --again. --keep tries the copy as the last run made it.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf, withSwitches } from "./script-mutants.mjs";

const { values: asked } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    only: { type: "string", default: "web/" },
    again: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const root = new URL("../../", import.meta.url).pathname;
const place = join(root, "build/mutate/page");
const copy = join(place, "copy");
const log = join(place, `seed-${asked.seed}.jsonl`);
const equivalent = JSON.parse(readFileSync(new URL("equivalent.json", import.meta.url), "utf8"));
const sources = /^web\/(state|views|figures|elements|exercise)\/.*\.ts$/;
/** A sentence with something computed in it: outside web/state, only functions that make one are changed. */
const sentence = /`(?:[^`$]|\$(?!\{))*[a-z]{2,} [a-z]{2,} [^`]*\$\{|`[^`]*\}[^`$]*[a-z]{2,} [a-z]{2,}[^`]*`/;

const listed = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), "utf8");
const drawn = () => {
  const all = listed()
    .filter((file) => sources.test(file) && asked.only.split(",").some((part) => file.startsWith(part)))
    .flatMap((file) => mutantsOf(file, read(file)))
    .filter(({ file, around }) => file.startsWith("web/state/") || sentence.test(around));
  const order = ({ name }) => createHash("sha256").update(`${asked.seed} ${name}`).digest("hex");
  return all.sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, Number(asked.count));
};

/** The copy with its switches, built. */
function prepare(mutants) {
  rmSync(copy, { recursive: true, force: true });
  for (const file of listed()) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  cpSync(join(root, "build/wasm/wasm"), join(copy, "build/wasm/wasm"), { recursive: true });
  cpSync(new URL("switched.js", import.meta.url).pathname, join(copy, "web/switched.js"));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const ids = new Map(mutants.flatMap(({ name }, id) => (mutants[id].file === file ? [[name, id]] : [])));
    const module = relative(dirname(file), "web/switched.js");
    writeFileSync(join(copy, file), withSwitches(file, read(file), ids, module));
  }
  execFileSync(process.execPath, ["web/build/site.mjs"], { cwd: copy, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(join(place, "drawn.json"), JSON.stringify(mutants.map(({ name }) => name)));
}

/** Runs tests of the copy; returns each that ran: {title, file, seconds, passed}. */
function tested(environment, options) {
  const report = join(place, "report.json");
  rmSync(report, { force: true });
  spawnSync("npx", ["playwright", "test", "-c", "tests/page", "--reporter=json", "--retries=0", ...options], {
    cwd: copy,
    env: { ...process.env, COMMCOST_TESTS: "all", PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...environment },
    stdio: "ignore",
  });
  const flat = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(flat)];
  return JSON.parse(readFileSync(report, "utf8"))
    .suites.flatMap(flat)
    .flatMap(({ title, file, tests }) => {
      const result = tests[0].results.at(-1);
      return !result || result.status === "skipped"
        ? []
        : [{ title, file, seconds: result.duration / 1000, passed: result.status === "passed" }];
    });
}

/** For each switch the tests that reach it, those that reach fewest first. */
function reaching(count) {
  const notes = join(place, "reached");
  const kept = join(place, "reaching.json");
  if (asked.keep && existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8"));
  rmSync(notes, { recursive: true, force: true });
  mkdirSync(notes, { recursive: true });
  const tests = tested({ COMMCOST_REACHED: notes }, []);
  const bad = tests.filter(({ passed }) => !passed);
  if (bad.length > 0)
    console.log(`Left out, since they fail with nothing changed: ${bad.map(({ title }) => title).join("; ")}`);
  const reach = tests
    .filter(({ passed }) => passed)
    .map((test) => {
      const file = join(notes, createHash("sha256").update(test.title).digest("hex"));
      const ids = existsSync(file) ? new Set(readFileSync(file, "utf8").trim().split("\n").map(Number)) : new Set();
      return { ...test, ids };
    });
  const by = Array.from({ length: count }, (_, id) =>
    reach
      .filter(({ ids }) => ids.has(id))
      .sort((a, b) => a.ids.size * a.seconds - b.ids.size * b.seconds)
      .map(({ title, file, seconds }) => ({ title, file, seconds })),
  );
  writeFileSync(kept, JSON.stringify(by));
  return by;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** "noticed by …" or "unnoticed": a few tests at a time, so that one that notices at once spares the rest. */
function outcomeOf(id, tests) {
  if (tests.length === 0) return "unnoticed: no test reaches it";
  for (let at = 0, some = 3; at < tests.length; at += some, some = 12) {
    const now = tests.slice(at, at + some);
    const titles = now.map(({ title }) => `${escaped(title)}$`).join("|");
    const ran = tested({ COMMCOST_MUTANT: String(id) }, [
      "-x",
      "--timeout=60000",
      "-g",
      titles,
      ...new Set(now.map(({ file }) => `/${file}`)),
    ]);
    const failed = ran.find(({ passed }) => !passed);
    if (failed) return `noticed by ${failed.file}: ${failed.title}`;
  }
  return "unnoticed";
}

mkdirSync(place, { recursive: true });
const mutants = drawn();
if (asked.list)
  for (const { file, line, before, after } of mutants) console.log(`${file}:${line}\n    ${before}\n    ${after}`);
else tryAll();

function tryAll() {
  if (!asked.keep) prepare(mutants);
  const names = JSON.parse(readFileSync(join(place, "drawn.json"), "utf8"));
  const tests = reaching(names.length);
  const known = new Map(
    asked.again || !existsSync(log)
      ? []
      : readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .map(({ name, outcome }) => [name, outcome]),
  );
  const rooms = new Map();
  for (const [id, name] of names.entries()) {
    const before = known.get(name);
    const reason = equivalent[name];
    const outcome = reason
      ? `equivalent: ${reason}`
      : before?.startsWith("noticed")
        ? before
        : outcomeOf(id, tests[id]);
    if (!reason && outcome !== before) appendFileSync(log, `${JSON.stringify({ name, outcome })}\n`);
    const kind = /^\w+/.exec(outcome)[0];
    const room = dirname(name.slice(0, name.indexOf(":")));
    const counts = rooms.get(room) ?? rooms.set(room, { noticed: 0, unnoticed: 0, equivalent: 0 }).get(room);
    counts[kind] += 1;
    console.log(`${kind === "unnoticed" ? outcome.toUpperCase() : outcome}\n    ${name}`);
  }
  let [noticed, made] = [0, 0];
  for (const [room, counts] of [...rooms].sort()) {
    console.log(
      `${room}: ${counts.noticed} noticed, ${counts.unnoticed} unnoticed, ${counts.equivalent} that change nothing`,
    );
    noticed += counts.noticed;
    made += counts.noticed + counts.unnoticed;
  }
  console.log(
    `${noticed} of ${made} that change something are noticed: ${((100 * noticed) / Math.max(1, made)).toFixed(1)} %.`,
  );
}
