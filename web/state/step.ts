import type { TrainingStepResults } from "#engine";
import { days, exact, milliseconds, ms, percent, significant, spanned } from "./format.js";
import type { Scenario } from "./scenario.js";

/** What a step's range rests on: runs on this GPU in this stack, similar runs, or all published ones. */
export const basisWords: Readonly<Record<TrainingStepResults["basis"], string>> = {
  measured: "measured runs",
  similar: "similar runs",
  estimated: "no similar runs",
};

type Ranged = Pick<TrainingStepResults, "step_time_low_ms" | "step_time_high_ms" | "basis">;

/** One step's figures in the same form everywhere on the page, so that one thing never has two numbers. */

/** The time for which the step waits for communication, ms: over all dimensions. */
export const exposedMs = ({ traffic }: TrainingStepResults): number =>
  traffic.reduce((sum, { exposed_ms }) => sum + exposed_ms, 0);

export const stepFigures = {
  time: (results: { step_time_ms: number }): string => ms(results.step_time_ms),
  /** "65–83 ms, similar runs": its range, and what that rests on. */
  range: ({ step_time_low_ms, step_time_high_ms, basis }: Ranged): string =>
    `${between(step_time_low_ms, step_time_high_ms)}, ${basisWords[basis]}`,
  exposed: (results: TrainingStepResults): string => ms(exposedMs(results)),
  exposedShare: (results: TrainingStepResults): string => percent((100 * exposedMs(results)) / results.step_time_ms),
  mfu: ({ mfu_percent }: { mfu_percent: number }): string => percent(mfu_percent),
};

/**
 * "312 TFLOP/s per GPU, 54.1 % MFU (all attention scores)": which attention scores are counted, as in Megatron's papers
 * or only the causal half.
 */
export const throughput = (
  scenario: Scenario,
  { model_tflops_per_gpu, mfu_percent }: { model_tflops_per_gpu: number; mfu_percent: number },
): string =>
  `${significant(model_tflops_per_gpu, 3)} TFLOP/s per GPU, ${percent(mfu_percent)} MFU (${scenario.entry("causal_attention").value === true ? "causal FLOPs only" : "all attention scores"})`;

const precisions: Readonly<Record<number, string>> = { 1: "FP8", 2: "BF16", 4: "FP32" };

/** "gradients in BF16": how they are accumulated and reduced. */
export const gradientsIn = (bytes: number): string =>
  `gradients in ${precisions[bytes] ?? `${significant(bytes, 2)} bytes`}`;

/** The same for the scenario, or as a search decided. */
export function gradientWords(scenario: Scenario, decided: Readonly<Record<string, string>> = {}): string {
  const own = Number(decided["gradient_bytes_per_element"] ?? scenario.number("gradient_bytes_per_element"));
  return gradientsIn(own > 0 ? own : scenario.number("bytes_per_element"));
}

/** The whole run: its tokens, days, GPU-hours, and its price if one is given. */
export function runWords(
  scenario: Scenario,
  { training_days, gpu_hours, cost }: { training_days: number; gpu_hours: number; cost: number },
): string {
  const money = cost > 0 ? `, ${rounded(cost)} at ${scenario.text("price_per_gpu_hour")} per GPU-hour` : "";
  return `A run of ${tokens(scenario.number("token_budget"))} tokens takes ${days(training_days)}: ${rounded(gpu_hours)} GPU-hours${money}.`;
}

/** Whole sums of money and of hours, grouped. */
export const rounded = (value: number): string => exact(Number(value.toPrecision(3)));

const scales = [
  [1e12, " trillion"],
  [1e9, " billion"],
  [1e6, " million"],
] as const;

/** 15.6e12 → "15.6 trillion". */
function tokens(count: number): string {
  const [size, name] = scales.find(([least]) => count >= least) ?? [1, ""];
  return `${significant(count / size, 4)}${name}`;
}

/** A step's whole run, from a row of a plan. */
export function runOf(scenario: Scenario, { training_days, cluster_gpus }: TrainingStepResults) {
  const gpu_hours = training_days * 24 * cluster_gpus;
  const price = scenario.number("price_per_gpu_hour");
  return { training_days, gpu_hours, cost: price > 0 ? gpu_hours * price : 0 };
}

/** "65–83 ms": both ends in the unit of the lower, if they share one. */
export const between = (low_ms: number, high_ms: number, digits = 3): string =>
  spanned(milliseconds(low_ms, digits), milliseconds(high_ms, digits));
