/** Numbers for people: SI for sizes and rates, grouped digits for counts, as few digits as needed. */

/** A unit for numbers: its name, and how many of the numbers' own units make one. */
export interface Unit {
  name: string;
  size: number;
}

/** For milliseconds on an axis. Steps are never shown in minutes, by convention. */
export const millisecondUnits: readonly Unit[] = [
  { name: "ns", size: 1e-6 },
  { name: "µs", size: 1e-3 },
  { name: "ms", size: 1 },
  { name: "s", size: 1e3 },
  { name: "hours", size: 3600e3 },
  { name: "days", size: 86400e3 },
];

/** Of microseconds on an axis. */
export const microsecondUnits: readonly Unit[] = millisecondUnits.map(({ name, size }) => ({ name, size: size * 1e3 }));

const powers = (base: number, names: readonly string[]): Unit[] =>
  names.map((name, index) => ({ name, size: base ** index }));

/** Of bytes. */
export const decimalByteUnits = powers(1000, ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"]);
export const binaryByteUnits = powers(1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB"]);

/** Shown for a missing number, such as an input that can't be read. */
const nothing = "–";

const group = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

/** 15032385536 → "15,032,385,536"; up to four decimals. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return nothing;
  return group.format(value);
}

/** As the exercise prints a result: whole numbers plain, others with up to four decimals, no grouping. */
export function plain(value: number): string {
  return Number.isInteger(value) ? value.toFixed(0) : String(value);
}

/** In the greatest unit of which there is at least one, or nearly enough to be rounded to one. */
export function scaled(value: number, units: readonly Unit[], digits: number): string {
  const unit = units.findLast(({ size }) => Math.abs(value) >= size * 0.9995) ?? units[0]!;
  return `${significant(value / unit.size, digits)} ${unit.name}`;
}

/** At most `digits` significant digits, without trailing zeros. */
export function significant(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return nothing;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** digits) return String(value);
  const rounded = Number(value.toPrecision(digits));
  return Math.abs(rounded) >= 1e6 || (rounded !== 0 && Math.abs(rounded) < 1e-4)
    ? rounded.toExponential().replace("e+", "e")
    : String(rounded);
}

const unit = String.raw`(?:[nµm]?s|h|d|[kKMGTP]?i?B(?:\/s)?|[kMG]b\/s|[TP]FLOP\/s|%|×|GPUs?|nodes?|layers?|tokens?|rounds?|times|bytes|hours|days)(?![\w/])`;
const degree = String.raw`(?<![\w-])(?:TP|PP|CP|EP|DP|VPP|ZeRO)`;
// A box narrower than a long number and its unit would break the word.
const joint = new RegExp(String.raw`(?<=(?<![\d.,]{10})\d|^) (?=${unit})|(?<=${degree}) (?=\d|$)`, "g");

const range = /(?<=\w)–(?=\d)/g;

/**
 * A text without line breaks between a number and its unit or what it counts, nor within "TP 8" or "69–83"; the number
 * may be in the text before or after it.
 */
export const unbroken = (text: string): string => text.replace(joint, "\u00a0").replace(range, "–\u2060");

/** A size as people type it: in the greatest power of two that divides it, "128 MiB". */
export function exactSize(value: number): string {
  const names = ["GiB", "MiB", "KiB"];
  const index = [2 ** 30, 2 ** 20, 2 ** 10].findIndex((size) => value % size === 0);
  return index < 0 ? String(value) : `${value / 2 ** (30 - 10 * index)} ${names[index]}`;
}

/** Milliseconds in a suitable unit: 0.0123 → "12.3 µs". */
export function milliseconds(value: number, digits = 4): string {
  if (value === 0) return "0 ms";
  if (value < 1e-3) return `${significant(value * 1e6, digits)} ns`;
  if (value < 1) return `${significant(value * 1e3, digits)} µs`;
  if (value < 1e3) return `${significant(value, digits)} ms`;
  // Steps are compared in seconds, however long they take.
  if (value < 7200e3) return `${significant(value / 1e3, digits)} s`;
  if (value < 48 * 3600e3) return `${significant(value / 3600e3, digits)} h`;
  return `${significant(value / 86400e3, digits)} d`;
}

/** Microseconds in a suitable unit. */
export const ms = (value: number): string => milliseconds(value, 3);

export const us = (value: number, digits = 3): string => milliseconds(value / 1e3, digits);

/** Days in a suitable unit. */
export const days = (value: number, digits = 3): string => milliseconds(value * 86400e3, digits);

/** A share of a hundred: "40.5 %". */
export const percent = (value: number, digits = 3): string => `${significant(value, digits)} %`;

/** The same with a sign: "+4.1 %", "−0.3 %". */
export const change = (value: number, digits = 2): string =>
  `${value < 0 ? "−" : "+"}${percent(Math.abs(value), digits)}`;

/** "65–83 ms", "900 µs–1.2 ms": both ends, in one unit where they share it. */
export function spanned(low: string, high: string): string {
  const unit = (text: string) => text.replace(/^[\d.,e-]+ ?/, "");
  return unit(low) === unit(high) ? `${low.replace(/ .*/, "")}–${high}` : `${low}–${high}`;
}

/** "all_reduce" → "all-reduce". */
export const dashed = (name: string): string => name.replaceAll("_", "-");

/** With its first letter in upper case. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "8 GPUs", "one GPU". */
export const gpus = (count: number): string => (count === 1 ? "one GPU" : `${exact(count)} GPUs`);

/** Of memory that is said in GiB whatever the reader chose: "38.8 GiB". */
export const gib = (value: number): string => `${significant(value, 3)} GiB`;

/** Gigabytes a second: 300 → "300 GB/s". */
export function bandwidth(value: number, digits = 4): string {
  return `${significant(value, digits)} GB/s`;
}

/** The echo of an input: "134,217,728 bytes", "112.5 GB/s". */
export function understood(value: number, unit: string): string {
  return `= ${exact(value)}${unit === "" ? "" : ` ${unit}`}`;
}
