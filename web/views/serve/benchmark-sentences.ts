import type { FitServingResults } from "#engine";
import { exact, ms, percent, significant } from "../../state/format.js";
import { type Compared, middleOf } from "../../state/own-benchmark.js";
import type { OwnLoad } from "../../state/own.js";

/** "4 requests/s, 64 in flight", "16 in flight", "all at once". */
export function loadInWords({ requests_per_sec, max_concurrency }: OwnLoad): string {
  const parts = [
    ...(requests_per_sec > 0 ? [`${significant(requests_per_sec, 3)} requests/s`] : []),
    ...(max_concurrency > 0 ? [`${exact(max_concurrency)} in flight`] : []),
  ];
  return parts.join(", at most ") || "all at once";
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Whether a load has a TPOT to compare a prediction with. */
const comparable = ({ load, predicted }: Compared): boolean => predicted !== undefined && middleOf(load.token) > 0;

/** The errors of predicted median TPOT, percent, each above 0 if it is too long. */
const tokenErrors = (compared: readonly Compared[]): number[] =>
  compared.filter(comparable).map(({ load, predicted }) => 100 * (predicted!.token.p50_ms / middleOf(load.token) - 1));

/** The result of the comparison. */
export function benchmarkLead(compared: readonly Compared[], deployment: string): string {
  const errors = tokenErrors(compared);
  if (errors.length === 0) return "Its loads say no TPOT to compare, or cannot run on this deployment.";
  const only = compared.find(comparable);
  if (errors.length === 1)
    return `You measured a median TPOT of ${ms(middleOf(only!.load.token))}; we predict ${ms(only!.predicted!.token.p50_ms)} for ${deployment}.`;
  const size = median(errors.map(Math.abs));
  const long = errors.filter((error) => error > 0).length;
  const side =
    long === errors.length
      ? "every one too long"
      : long === 0
        ? "every one too short"
        : "some too long, some too short";
  return `On your ${exact(errors.length)} loads, median TPOT predicted for ${deployment} is off by ${percent(size, 2)} in the median, ${side}.`;
}

/** The gain of a calibration. */
export function fitLead(fit: FitServingResults): string {
  const before = percent(fit.recipe_error_percent, 2);
  if (!fit.moved)
    return fit.left_out_error_percent === null
      ? `Moving host time and kernels does not bring the prediction nearer: it stays off by ${before}.`
      : `Moving host time and kernels does not help on loads that the fit has not seen: ${percent(fit.left_out_error_percent, 2)} off, ${before} as it is. Nothing is moved.`;
  const after = percent(fit.fitted_error_percent, 2);
  return fit.left_out_error_percent === null
    ? `Calibrated on it, median TPOT is off by ${after}, down from ${before}. A second load would show how well that holds.`
    : `Calibrated on them, median TPOT is off by ${after}, down from ${before}; on loads left out of the fit by ${percent(fit.left_out_error_percent, 2)}.`;
}
