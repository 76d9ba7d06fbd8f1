import type { FitCollectiveResults } from "#engine";
import { inForce } from "./calibration.js";
import { own } from "./own.js";
import { problemsOf } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A reader's measurements of one collective on one group: times by message size, ascending. */
export interface OwnCurve {
  name: string;
  collective: string;
  num_gpus: number;
  message_size_bytes: readonly number[];
  time_us: readonly number[];
}

let read: { text: string; curve: OwnCurve | undefined } | undefined;

/** The points of a log as read by the engine; none if it gives no collective or no number of GPUs. */
function curveOf(scenario: Scenario, { name, text }: { name: string; text: string }): OwnCurve | undefined {
  let fit: FitCollectiveResults;
  try {
    fit = scenario.engine.fit_collective({ log: text } as Parameters<typeof scenario.engine.fit_collective>[0]);
  } catch (error) {
    problemsOf(error);
    return undefined;
  }
  const { collective, ranks } = fit;
  if (collective === "" || ranks < 2 || fit.points.length === 0) return undefined;
  const points = [...fit.points].sort((one, other) => one.message_size_bytes - other.message_size_bytes);
  return {
    name,
    collective,
    num_gpus: ranks,
    message_size_bytes: points.map((point) => point.message_size_bytes),
    time_us: points.map((point) => point.time_us),
  };
}

/** The reader's own log, otherwise that of the calibration in force; none in another page. */
export function ownCurve(scenario: Scenario): OwnCurve | undefined {
  if (scenario.alone) return undefined;
  const log = own.get("log");
  if (log) {
    if (read?.text !== log.text) read = { text: log.text, curve: curveOf(scenario, log) };
    if (read.curve) return { ...read.curve, name: log.name };
  }
  const calibration = inForce(scenario);
  return calibration?.elsewhere || !calibration?.whole?.time_us.length ? undefined : calibration.whole;
}

/** The same if it is of this collective on this many GPUs. */
export function ownCurveOf(scenario: Scenario, collective: string, num_gpus: number): OwnCurve | undefined {
  const curve = ownCurve(scenario);
  return curve?.collective === collective && curve.num_gpus === num_gpus ? curve : undefined;
}

/** The measured time of a message, us: linear between two sizes, nothing beyond the first and the last. */
export function ownTimeUs({ message_size_bytes: sizes, time_us: times }: OwnCurve, size: number): number | undefined {
  const next = sizes.findIndex((one) => one >= size);
  if (next < 0) return undefined;
  const [above, after] = [sizes[next]!, times[next]!];
  if (above === size) return after;
  if (next === 0) return undefined;
  const [below, before] = [sizes[next - 1]!, times[next - 1]!];
  return before * (after / before) ** (Math.log(size / below) / Math.log(above / below));
}
