import { change, significant, spanned } from "./format.js";

/**
 * Figures of what is shown, B, compared with those of the pinned scenario, A: how much they differ, and whether that is
 * certain.
 */

/** A figure with the range of its prediction. */
export interface Ranged {
  value: number;
  low?: number;
  high?: number;
  /** The predicted time that it follows from. */
  time?: Ranged;
}

/** A figure of both scenarios: its name, its format, and how two of them are compared. */
export interface Compared {
  what: string;
  now: Ranged | undefined;
  then: Ranged | undefined;
  format(value: number): string;
  /** Percentages are compared in points. */
  as?: "points";
  /** It follows from the inputs alone, so that any difference is one. */
  exact?: true;
}

/** What follows from the inputs alone. */
export const exactly = (
  what: string,
  now: number | undefined,
  then: number | undefined,
  format: Compared["format"],
): Compared => ({
  ...{ what, format, exact: true },
  ...{ now: now === undefined ? undefined : { value: now }, then: then === undefined ? undefined : { value: then } },
});

/** Those for which both scenarios have a figure. */
type Both = Compared & { now: Ranged; then: Ranged };

export const hasBoth = (one: Compared): one is Both =>
  [one.now, one.then].every((ranged) => ranged !== undefined && Number.isFinite(ranged.value));

/** Fields of a result as one figure with its range. */
export const ranged = (value: number, low: number, high: number): Ranged => ({ value, low, high });

/** The same of what grows as a time shrinks, such as throughput: its range is the time's, inverted. */
export const inverse = (value: number, time: Ranged): Ranged => ({
  ...ranged(value, (value * time.value) / time.high!, (value * time.value) / time.low!),
  time,
});

/** The same of what grows with a time, such as its price. */
export const along = (value: number, time: Ranged): Ranged => ({
  ...ranged(value, (value * time.low!) / time.value, (value * time.high!) / time.value),
  time,
});

/** Whether two figures differ by rounding alone. */
export const sameToTheEye = (now: number, then: number): boolean =>
  Math.abs(now - then) <= 1e-9 * Math.max(Math.abs(now), Math.abs(then));

export const isSame = ({ now, then }: Both): boolean => sameToTheEye(now.value, then.value);

/** "6.2 points", "1 point". */
export function points(count: number): string {
  const text = significant(count, 2);
  return `${text} point${text === "1" ? "" : "s"}`;
}

/** A difference on the scale on which it is written: percent of A, or points. */
const write = (value: number, as: Compared["as"]): string =>
  as === "points" ? `${value < 0 ? "−" : "+"}${points(Math.abs(value))}` : change(value);

/** Whether both follow from the same time, whatever that is, as prices of one run do. */
const fromOneTime = ({ now, then }: Both): boolean =>
  now.time !== undefined &&
  then.time !== undefined &&
  (["value", "low", "high"] as const).every((end) => sameToTheEye(now.time![end]!, then.time![end]!));

interface Difference {
  low: number;
  value: number;
  high: number;
}

/**
 * The difference of two predictions and its range. Their errors are taken as independent: those of one machine and
 * stack are partly the same, which makes the range somewhat too wide.
 */
function rangeOf(one: Both): Difference | undefined {
  const { now, then, as } = one;
  if (now.low === undefined || then.low === undefined || fromOneTime(one)) return undefined;
  // Ratios are differences of logarithms.
  const scale = as === "points" ? (value: number) => value : Math.log;
  const back = as === "points" ? (value: number) => value : (value: number) => 100 * Math.expm1(value);
  const [a, b] = [then, now].map(({ value, low, high }) => ({
    value: scale(value),
    below: scale(value) - scale(low!),
    above: scale(high!) - scale(value),
  })) as [Record<"value" | "below" | "above", number>, Record<"value" | "below" | "above", number>];
  const value = b.value - a.value;
  return {
    low: back(value - Math.hypot(b.below, a.above)),
    value: back(value),
    high: back(value + Math.hypot(b.above, a.below)),
  };
}

/** "−52 to −36 %", "+1.2 to +3.4 points". */
function rangeWords({ low, high }: Difference, as: Compared["as"]): string {
  const [from, to] = [write(low, as), write(high, as)];
  return `${from.replace(/ (%|points?)$/, "")} to ${to}`;
}

/** How much B differs from A, the range if both have one, and whether that is more than the predictions' error. */
export function differenceOf(one: Both): { words: string; range: string; known: boolean } {
  const { now, then, as } = one;
  if (isSame(one)) return { words: "same", range: "", known: false };
  const found = rangeOf(one);
  if (found) {
    const known = found.low > 0 || found.high < 0;
    return { words: known ? write(found.value, as) : "within error", range: rangeWords(found, as), known };
  }
  const known = one.exact === true || fromOneTime(one);
  if (as === "points") return { words: write(now.value - then.value, as), range: "", known };
  return {
    words: then.value === 0 || now.value === 0 ? "–" : change((100 * now.value) / then.value - 100),
    range: "",
    known,
  };
}

/** A figure as it is written, and its range in the same unit: "49 ms", "42–60 ms". */
export function figureWords(
  { value, low, high }: Ranged,
  format: Compared["format"],
): { figure: string; range: string } {
  const hasRange = low !== undefined && high !== undefined;
  return { figure: format(value), range: hasRange ? spanned(format(low), format(high)) : "" };
}
