import type { TrainingStepResults } from "#engine";
import { milliseconds, percent } from "./format.js";

/** One step's figures as every part of the page writes them, so that one thing never has two numbers. */

/** What the step waits for communication, ms: of every dimension. */
export const exposedMs = ({ traffic }: TrainingStepResults): number =>
  traffic.reduce((sum, { exposed_ms }) => sum + exposed_ms, 0);

export const stepFigures = {
  time: (results: { step_time_ms: number }): string => milliseconds(results.step_time_ms, 3),
  band: ({ step_time_low_ms, step_time_high_ms }: TrainingStepResults): string =>
    between(step_time_low_ms, step_time_high_ms),
  exposed: (results: TrainingStepResults): string => milliseconds(exposedMs(results), 3),
  exposedShare: (results: TrainingStepResults): string => percent((100 * exposedMs(results)) / results.step_time_ms),
  mfu: ({ mfu_percent }: { mfu_percent: number }): string => percent(mfu_percent),
};

/** "65–83 ms": both ends in the unit of the lower, where they share one. */
export function between(low_ms: number, high_ms: number, digits = 3): string {
  const [low, high] = [milliseconds(low_ms, digits), milliseconds(high_ms, digits)];
  const unit = (text: string) => text.replace(/^[\d.e-]+ /, "");
  return unit(low) === unit(high) ? `${low.replace(/ .*/, "")}–${high}` : `${low}–${high}`;
}
