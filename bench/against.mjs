// This build beside that of another commit, in turn, so that what slows the machine down slows both: the core's benchmarks, calls and
// plans of the engine, the first answer of each view of the page, and each view's time from an edit to its painted frame.
import { readFileSync } from "node:fs";
import { startBrowser } from "../tests/page/support/browser.mjs";
import { build, formerRelease } from "../tests/support/former-release.mjs";
import { engineAt, once, works } from "./measure/boundary.mjs";
import { editor, edited } from "./measure/edits.mjs";
import { firstAnswer, nameIn, servedBoth } from "./measure/first-answer.mjs";
import { benchmarksOf, native } from "./measure/native.mjs";
import { median } from "./measure/statistics.mjs";
import { views } from "./measure/visit.mjs";

const root = new URL("../", import.meta.url).pathname;
/** The most that the median of the paired ratios may be; smaller changes say little, where the linker puts a loop moves it by half of that. */
const most = 1.15;
const seconds = 0.05;

/** What is measured: {name, unit, rounds, before, now}, where `before` and `now` measure once. */
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
      before: () => native(name, seconds, program),
      now: () => native(name, seconds),
    }));
}

async function engineRows(tree) {
  const [before, now] = await Promise.all([engineAt(tree), engineAt(root)]);
  return Object.entries(works).map(([name, work]) => ({
    name: `engine: ${name}`,
    unit: "ns",
    rounds: 15,
    before: () => once(before, work),
    now: () => once(now, work),
  }));
}

function pageRows(browser, [before, now]) {
  const answers = views.map((view) => ({
    name: `first answer: ${view}`,
    unit: "ms",
    rounds: 7,
    named: () => nameIn(browser, before, view),
    before: (name) => firstAnswer(browser, before, name),
    now: () => firstAnswer(browser, now, view),
  }));
  const edits = Object.keys(edited).map((view) => ({
    name: `edit to paint: ${view}`,
    unit: "ms",
    rounds: 15,
    named: () => nameIn(browser, before, view),
    open: (name) => Promise.all([editor(browser, before, view, name), editor(browser, now, view)]),
  }));
  return [...answers, ...edits];
}

/** One row measured by both builds in turn. */
async function compared({ name, unit, rounds, named, before, now, open }) {
  const called = await named?.();
  if (named && !called) return { name, unit, verdict: "new", why: "no such view" };
  let editors;
  // What is new has nothing to be compared with.
  try {
    editors = await open?.(called);
    await before?.(called);
  } catch (error) {
    return { name, unit, verdict: "new", why: error.message.split("\n")[0].slice(0, 80) };
  }
  const measure = editors ? { before: editors[0].edit, now: editors[1].edit } : { before: () => before(called), now };
  // What comes first loads and compiles.
  await measure.before();
  await measure.now();
  const pairs = [];
  for (let round = 0; round < rounds; ++round) {
    // Whichever comes second finds a warmer machine: they take turns.
    const order = round % 2 ? ["before", "now"] : ["now", "before"];
    const pair = {};
    for (const one of order) pair[one] = await measure[one]();
    pairs.push(pair);
  }
  for (const { close } of editors ?? []) await close();
  const ratio = median(pairs.map(({ before, now }) => now / before));
  return {
    name,
    unit,
    ratio,
    before: median(pairs.map(({ before }) => before)),
    now: median(pairs.map(({ now }) => now)),
    verdict: ratio > most ? "SLOWER" : ratio < 1 / most ? "quicker" : "same",
  };
}

/** Each that is named: {name, unit, before, now, ratio, verdict}, told to `print` as soon as it is measured. */
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
