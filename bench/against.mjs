// Compares this build with that of another commit, alternating: the core's benchmarks, calls, plans and sweeps of the
// engine, the first answer of each view of the page, and each view's time from an edit to its painted frame.
import { readFileSync } from "node:fs";
import { startBrowser } from "../tests/page/support/browser.mjs";
import { build, formerRelease } from "../tests/support/former-release.mjs";
import { compared } from "./compared.mjs";
import { engineAt, once, works } from "./measure/boundary.mjs";
import { edited, editor } from "./measure/edits.mjs";
import { firstAnswer, nameIn, servedBoth } from "./measure/first-answer.mjs";
import { Lacking } from "./measure/lacking.mjs";
import { benchmarksOf, native } from "./measure/native.mjs";
import { views } from "./measure/visit.mjs";

const root = new URL("../", import.meta.url).pathname;
const seconds = 0.05;

// Rows are what `compared` takes.

function coreRows(tree) {
  // Older commits have a preset of their own for benchmarks.
  const preset = readFileSync(`${tree}/CMakePresets.json`, "utf8").includes('"release"') ? "release" : "native";
  const made = `build/${preset}/bench/core_bench`;
  const program = `${tree}/${made}`;
  build(tree, `build/${preset}/build.ninja`, "cmake", "--preset", preset);
  build(tree, made, "cmake", "--build", "--preset", preset, "--target", "core_bench");
  const known = new Set(benchmarksOf(program));
  return benchmarksOf()
    .filter((name) => known.has(name))
    .map((name) => ({
      name: `core: ${name}`,
      unit: "ns",
      rounds: 9,
      before: () => ({ once: () => native(name, seconds, program) }),
      now: () => ({ once: () => native(name, seconds) }),
    }));
}

/** A work of an engine, once it is seen to do it. */
function doing(engine, work) {
  const [, call] = work;
  try {
    call(engine);
  } catch (error) {
    // No such calculation, or no such inputs.
    if (error.name === "InvalidInputError" || /is not a function/.test(error.message)) throw new Lacking(error.message);
    throw error;
  }
  return { once: () => once(engine, work) };
}

async function engineRows(tree) {
  const [before, now] = await Promise.all([engineAt(tree), engineAt(root)]);
  return Object.entries(works).map(([name, work]) => ({
    name: `engine: ${name}`,
    unit: "ns",
    rounds: work[4] ?? 15,
    before: () => doing(before, work),
    now: () => doing(now, work),
  }));
}

function pageRows(browser, [before, now]) {
  const names = new Map();
  /** What the former build calls a view: looked up once, by opening it. */
  const former = (view) => {
    if (!names.has(view)) names.set(view, nameIn(browser, before, view));
    return names.get(view);
  };
  const opened = async (address, view, name = view) => {
    const { edit, close } = await editor(browser, address, view, name);
    return { once: edit, close };
  };
  const answers = views.map((view) => ({
    name: `first answer: ${view}`,
    unit: "ms",
    rounds: 7,
    before: async () => {
      const name = await former(view);
      return { once: () => firstAnswer(browser, before, name) };
    },
    now: () => ({ once: () => firstAnswer(browser, now, view) }),
  }));
  const edits = edited.map((view) => ({
    name: `edit to paint: ${view}`,
    unit: "ms",
    rounds: 15,
    before: async () => opened(before, view, await former(view)),
    now: () => opened(now, view),
  }));
  return [...answers, ...edits];
}

/**
 * The results for the named benchmarks: {name, unit, before, now, ratio, verdict}, passed to `print` as soon as each is
 * measured.
 */
export async function against(ref, wanted, print) {
  const { commit, tree } = formerRelease(ref);
  const browser = await startBrowser(["--disable-frame-rate-limit", "--disable-gpu-vsync"]);
  const served = await servedBoth(`${tree}/build/site`);
  const rows = [];
  try {
    // It takes minutes to build.
    const core = wanted.length === 0 || wanted.some((part) => part.startsWith("core"));
    const all = [...(core ? coreRows(tree) : []), ...(await engineRows(tree)), ...pageRows(browser, served.addresses)];
    for (const row of all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))) {
      let measured = await compared(row);
      // Of a hundred some look slower by chance: what does so twice is.
      if (measured.verdict === "SLOWER") measured = await compared(row);
      rows.push(measured);
      print(measured);
    }
  } finally {
    await browser.close();
    served.stop();
  }
  return { commit, rows };
}
