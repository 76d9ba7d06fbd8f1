// The budgets, each with what measures it. A row: what, its unit, a limit (at_most or at_least), and `measure`.
// Those of errors are the targets of bench/validation.
import { figureIds } from "../tests/page/support/source.mjs";
import { boundary } from "./measure/boundary.mjs";
import { brotliOf } from "./measure/bytes.mjs";
import { editToScreen } from "./measure/edit-to-screen.mjs";
import { learnFrame, moved } from "./measure/learn-frames.mjs";
import { native, nativeRate, quickestNative } from "./measure/native.mjs";
import { page } from "./measure/page.mjs";
import { planInPage } from "./measure/plan.mjs";
import { ringFrameGap } from "./measure/ring.mjs";
import { interleavedRatio } from "./measure/statistics.mjs";
import { traceInPage } from "./measure/trace.mjs";
import { bytesOfFrame, bytesOfTag, bytesUntilAnswer, tags, views } from "./measure/visit.mjs";
import { wasm } from "./measure/wasm.mjs";

// What the hosted page can load: its document, its engine, every view. Excludes what others embed or keep, what other
// pages show, and Python.
const visit = /^(index\.html|sw\.js|icon\.svg|manifest\.webmanifest|assets\/(?!scoreboard|practice|micropython).*)$/;

// Of a link that opens a view: until it shows its first answer.
const mostBytes = { learn: 140, cost: 120, practice: 170, collectives: 200, ring: 200, serve: 230, train: 250 };
const usualBytes = 250;
/** Figures that ask for measurements or for the search. */
const heavyFigures = ["layout", "ideal", "front"];
const untilAnswer = views.map((view) => ({
  what: `until ${view} shows its first answer, brotli`,
  unit: "kB",
  at_most: mostBytes[view] ?? usualBytes,
  measure: async () => (await bytesUntilAnswer(view)) / 1e3,
}));

const planned = "405B on 16,384 H100 planned in the page";

export const budgets = [
  ...untilAnswer,
  {
    what: "a visit that opens every view, brotli",
    unit: "kB",
    at_most: 560,
    measure: () => brotliOf((name) => visit.test(name)) / 1e3,
  },
  ...(await figureIds()).map((figure) => ({
    what: `a frame with the figure ${figure}, brotli`,
    unit: "kB",
    at_most: heavyFigures.includes(figure) ? 210 : 165,
    measure: async () => (await bytesOfFrame(figure)) / 1e3,
  })),
  ...Object.keys(tags).map((name) => ({
    what: `until the tag ${name} shows its first answer in somebody’s page, brotli`,
    unit: "kB",
    at_most: mostBytes[name] ?? 180,
    measure: async () => (await bytesOfTag(name)) / 1e3,
  })),
  {
    what: "navigation to first result",
    unit: "ms",
    at_most: 300,
    measure: async () => (await page()).first_result_ms,
  },
  {
    what: "input to painted result, p50",
    unit: "ms",
    at_most: 16,
    measure: async () => (await page()).input_to_paint_p50_ms,
  },
  {
    what: "input to painted result, p95",
    unit: "ms",
    at_most: 16,
    measure: async () => (await page()).input_to_paint_p95_ms,
  },
  {
    what: "training_step with 20 inputs, through the boundary",
    unit: "us",
    at_most: 25,
    measure: async () => (await boundary("training_step")) / 1e3,
  },
  {
    what: "the exercise, through the boundary",
    unit: "us",
    at_most: 2,
    measure: async () => (await boundary("exercise")) / 1e3,
  },
  { what: "a point of a sweep in wasm", unit: "ns", at_most: 40, measure: () => boundary("point_of_a_sweep") },
  {
    what: "sweep of 1,000,000 points, wasm against native",
    unit: "x",
    at_most: 1.5,
    measure: () => interleavedRatio(wasm.sweep_of_a_million, () => native("sweep_of_a_million")),
  },
  {
    what: "sweep of 1,000,000 points against memset of its results",
    unit: "x",
    at_most: 5,
    measure: () =>
      interleavedRatio(
        () => native("sweep_of_a_million"),
        () => native("memset_of_its_results"),
      ),
  },
  {
    what: "tensor_parallel_allreduce_cost in the core",
    unit: "ns",
    at_most: 25,
    measure: () => quickestNative("tensor_parallel_cost"),
  },
  { what: "a whole ledger in the core", unit: "us", at_most: 2, measure: () => quickestNative("whole_ledger") / 1e3 },
  {
    what: "a prediction from scratch in the core",
    unit: "ns",
    at_most: 100,
    measure: () => quickestNative("predict_from_scratch"),
  },
  {
    what: "a fit of 60 points in the core",
    unit: "ms",
    at_most: 5,
    measure: () => quickestNative("fit_sixty_points") / 1e6,
  },
  {
    what: "plan, layouts a second in the core",
    unit: "million",
    at_least: 10.2,
    measure: () => nativeRate("plan_every_layout") / 1e6,
  },
  {
    what: "plan, layouts a second in wasm",
    unit: "million",
    at_least: 6.3,
    measure: () => wasm.plan_every_layout() / 1e6,
  },
  {
    what: "plan, 22B on 8 GPUs, 193,496 configurations in the core",
    unit: "ms",
    at_most: 1000,
    measure: () => quickestNative("plan_of_193496_configurations") / 1e6,
  },
  { what: `${planned}, first layouts`, unit: "ms", at_most: 200, measure: async () => (await planInPage()).first_ms },
  { what: `${planned}, all layouts`, unit: "ms", at_most: 300, measure: async () => (await planInPage()).layouts_ms },
  {
    what: `${planned}, gap between frames, p95`,
    unit: "ms",
    at_most: 34,
    measure: async () => (await planInPage()).frame_gap_p95_ms,
  },
  { what: `${planned}, longest task`, unit: "ms", at_most: 50, measure: async () => (await planInPage()).long_task_ms },
  ...moved.map((what) => ({
    what: `Learn, ${what}: script and layout of a frame`,
    unit: "ms",
    at_most: 8,
    measure: () => learnFrame(what),
  })),
  { what: "a ring of 16 turned by hand, gap between frames, p95", unit: "ms", at_most: 17, measure: ringFrameGap },
  {
    what: "trace of 256 MB read in the page",
    unit: "MB/s",
    at_least: 50,
    measure: async () => (await traceInPage()).mb_per_sec,
  },
  {
    what: "trace of 256 MB, gap between frames, p95",
    unit: "ms",
    at_most: 34,
    measure: async () => (await traceInPage()).frame_gap_p95_ms,
  },
  { what: "an edit of TypeScript on screen", unit: "s", at_most: 1.3, measure: () => editToScreen("typescript") },
  { what: "an edit of one core source on screen", unit: "s", at_most: 12.6, measure: () => editToScreen("core") },
];
