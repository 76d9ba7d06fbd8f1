/** A unit that an axis can be in: its name, and how many of the chart's own numbers make one. */
export interface Unit {
  name: string;
  size: number;
}

/** Of an axis of milliseconds. Steps are never counted in minutes: nobody else does. */
export const millisecondUnits: readonly Unit[] = [
  { name: "ns", size: 1e-6 },
  { name: "µs", size: 1e-3 },
  { name: "ms", size: 1 },
  { name: "s", size: 1e3 },
  { name: "hours", size: 3600e3 },
  { name: "days", size: 86400e3 },
];

/** Of an axis of microseconds. */
export const microsecondUnits: readonly Unit[] = millisecondUnits.map(({ name, size }) => ({ name, size: size * 1e3 }));

const powers = (base: number, names: readonly string[]): Unit[] =>
  names.map((name, index) => ({ name, size: base ** index }));

/** Of an axis of bytes. */
export const decimalByteUnits: readonly Unit[] = powers(1000, ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"]);
export const binaryByteUnits: readonly Unit[] = powers(1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB"]);

export type ScaleKind = "linear" | "log";

/** Hours and days are for what lasts that long in any case. */
const least: Readonly<Record<string, number>> = { hours: 3, days: 4 };

/** The unit of an axis: the greatest that its far end, or on a log scale its middle, has one of. */
export function unitOf(units: readonly Unit[], [low, high]: readonly [number, number], kind: ScaleKind): Unit {
  const typical = kind === "log" && low > 0 ? Math.sqrt(low * high) : Math.max(Math.abs(low), Math.abs(high));
  return [...units].reverse().find(({ name, size }) => typical >= size * (least[name] ?? 1)) ?? units[0]!;
}

const grouped = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

/** A tick's number in its unit. */
export const tickLabel = (value: number, unit: Unit): string => grouped.format(value / unit.size);

/** An axis's title with its unit. */
export const titled = (label: string, unit: Unit | undefined): string => (unit ? `${label}, ${unit.name}` : label);
