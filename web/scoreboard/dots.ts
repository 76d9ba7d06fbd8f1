import type { Run, Served, Timed } from "./runs.js";
import { Sizes } from "../state/sizes.js";
import { classOf, errorText, type Names, placeOf, runName, servedName, stackOf, timedName, timeText } from "./words.js";

/** A measurement and its prediction, in ms: one dot. */
export interface Dot {
  name: string;
  /** Details, shown to those who point at it. */
  detail: string;
  source: string;
  class: string;
  measured: number;
  predicted: number;
  within: boolean | undefined;
  doubtful: boolean;
  run?: Run;
}

export const ratioOf = ({ predicted, measured }: Pick<Dot, "predicted" | "measured">): number => predicted / measured;

export function dotOfRun(run: Run, names: Names): Dot {
  const { measured_ms: measured, predicted_ms: predicted, low_ms, high_ms } = run;
  const batch = run.global_batch_size > 0 ? `${run.global_batch_size} × ${run.sequence_length} tokens` : "one layer";
  return {
    name: runName(run, names),
    detail: [batch, `micro-batch ${run.batch_size}`, run.stack].filter(Boolean).join(", "),
    source: run.source,
    class: classOf(run, names),
    measured,
    predicted,
    within: high_ms > 0 ? measured >= low_ms && measured <= high_ms : undefined,
    doubtful: run.doubtful > 0,
    run,
  };
}

export function dotOfServed(row: Served, names: Names): Dot {
  const { measured_ms: measured, predicted_ms: predicted, low_ms, high_ms } = row;
  return {
    name: servedName(row, names),
    detail: `${row.batch_size === 1 ? "one sequence" : `${row.batch_size} sequences`}, ${row.input_tokens} tokens in, ${row.output_tokens} out`,
    source: row.source,
    class: stackOf(row, names),
    measured,
    predicted,
    within: measured >= low_ms && measured <= high_ms,
    doubtful: false,
  };
}

const sizes = new Sizes();

export function dotOfTimed(row: Timed, names: Names): Dot {
  const { measured_us, predicted_us, low_us, high_us } = row;
  return {
    name: `${timedName(row, names)}, ${sizes.binaryBytes(row.message_size_bytes, 3)}`,
    detail: row.network.replaceAll("_", " "),
    source: row.source,
    class: placeOf(row),
    measured: measured_us / 1e3,
    predicted: predicted_us / 1e3,
    within: high_us > 0 ? measured_us >= low_us && measured_us <= high_us : undefined,
    doubtful: row.doubtful > 0,
  };
}

/** A dot's text for the reader. */
export const told = (dot: Dot): string =>
  `${dot.name}: measured ${timeText(dot.measured)}, predicted ${timeText(dot.predicted)} (${errorText(ratioOf(dot))}). ${dot.detail}. ${dot.source}`;

/** How well a class of dots has been predicted; those that their source doubts count as well. */
export interface ClassSummary {
  name: string;
  dots: Dot[];
  /** Of absolute errors, percent. */
  median: number;
  /** Median of predicted over measured, less one, percent. */
  bias: number;
  /** Share of the measured values within their band; undefined where no band is given. */
  within: number | undefined;
  /** Ratios that a tenth is below, and a tenth above. */
  tenth: number;
  ninth: number;
}

/** A quantile of ascending values, between two where it falls between them. */
function quantile(ascending: readonly number[], share: number): number {
  const at = share * (ascending.length - 1);
  const low = Math.floor(at);
  const next = ascending[Math.min(ascending.length - 1, low + 1)]!;
  return ascending[low]! + (at - low) * (next - ascending[low]!);
}

const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);

export function summaryOf(name: string, dots: Dot[]): ClassSummary {
  const ratios = ascending(dots.map(ratioOf));
  const judged = dots.filter(({ within }) => within !== undefined);
  return {
    name,
    dots,
    median: 100 * quantile(ascending(ratios.map((ratio) => Math.abs(ratio - 1))), 0.5),
    bias: 100 * (quantile(ratios, 0.5) - 1),
    within: judged.length > 0 ? judged.filter(({ within }) => within).length / judged.length : undefined,
    tenth: quantile(ratios, 0.1),
    ninth: quantile(ratios, 0.9),
  };
}

/** The classes, the greatest first. */
export function byClass(dots: readonly Dot[]): ClassSummary[] {
  const classes = new Map<string, Dot[]>();
  for (const dot of dots) classes.set(dot.class, [...(classes.get(dot.class) ?? []), dot]);
  return [...classes].map(([name, members]) => summaryOf(name, members)).sort((a, b) => b.dots.length - a.dots.length);
}
