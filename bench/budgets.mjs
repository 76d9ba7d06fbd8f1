// The budgets, each with what measures it. A row: what, its unit, a limit (at_most or at_least), and `measure`.
import { accuracy } from "./measure/accuracy.mjs";
import { brotliOf } from "./measure/bytes.mjs";
import { native } from "./measure/native.mjs";
import { page } from "./measure/page.mjs";
import { interleavedRatio } from "./measure/statistics.mjs";
import { wasm } from "./measure/wasm.mjs";

// What the hosted page can load: its document, its engine, every view. Not what is there for others to embed or to keep.
const visit = /^(index\.html|commcost\.js|sw\.js|icon\.svg|manifest\.webmanifest|assets\/.*)$/;

// Median absolute errors on systems that calibration has not seen, and on the other half of a log's points.
const errors = [
  ["one node, median", 10],
  ["several nodes, median", 20],
  ["one node, calibrated on half", 4],
  ["several nodes, calibrated on half", 8],
].map(([row, at_most]) => ({
  what: `error of predicted collectives: ${row}`,
  unit: "%",
  at_most,
  measure: () => accuracy(row),
}));

export const budgets = [
  { what: "page, all its files, brotli", unit: "kB", at_most: 120, measure: () => brotliOf(visit) / 1e3 },
  { what: "engine module, brotli", unit: "kB", at_most: 60, measure: () => brotliOf(/^commcost\.js$/) / 1e3 },
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
    what: "sweep of 1,000,000 points, wasm against native",
    unit: "x",
    at_most: 1.5,
    measure: () => interleavedRatio(wasm.sweep_of_a_million, () => native("sweep_of_a_million")),
  },
  {
    what: "sweep of 1,000,000 points against memset of its results",
    unit: "x",
    at_most: 5,
    measure: () => interleavedRatio(() => native("sweep_of_a_million"), () => native("memset_of_its_results")),
  },
  {
    what: "tensor_parallel_allreduce_cost in the core",
    unit: "ns",
    at_most: 25,
    measure: () => Math.min(...Array.from({ length: 5 }, () => native("tensor_parallel_cost"))),
  },
  ...errors,
];
