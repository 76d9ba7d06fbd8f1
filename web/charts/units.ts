import type { Unit } from "../state/format.js";

export type ScaleKind = "linear" | "log";

/** Hours and days are for durations that are that long in any case. */
const least: Readonly<Record<string, number>> = { hours: 3, days: 4 };

/** The unit of an axis: the greatest of which its far end, or on a log scale its middle, has at least one. */
export function unitOf(units: readonly Unit[], [low, high]: readonly [number, number], kind: ScaleKind): Unit {
  const typical = kind === "log" && low > 0 ? Math.sqrt(low * high) : Math.max(Math.abs(low), Math.abs(high));
  return [...units].reverse().find(({ name, size }) => typical >= size * (least[name] ?? 1)) ?? units[0]!;
}

const grouped = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

/** A tick's number in its unit. */
export const tickLabel = (value: number, unit: Unit): string => grouped.format(value / unit.size);

/** An axis's title with its unit. */
export const titled = (label: string, unit: Unit | undefined): string => (unit ? `${label}, ${unit.name}` : label);
