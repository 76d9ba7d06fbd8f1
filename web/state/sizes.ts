import {
  bandwidth,
  binaryByteUnits,
  decimalByteUnits,
  exact,
  milliseconds,
  scaled,
  significant,
  type Unit,
} from "./format.js";

/** How sizes are written: messages in powers of two and volumes in powers of ten, as the field does, or all in one. */
export const sizeUnits = ["usual", "decimal", "binary"] as const;
export type SizeUnits = (typeof sizeUnits)[number];

const decimal = (value: number, digits: number) => scaled(value, decimalByteUnits, digits);
const binary = (value: number, digits: number) => scaled(value, binaryByteUnits, digits);

/** Sizes for people, in the units that a reader has chosen. */
export class Sizes {
  constructor(readonly units: SizeUnits = "usual") {}

  /** A volume: 15032385536 → "15.03 GB", or "14 GiB" where sizes are written so. */
  readonly bytes = (value: number, digits = 4): string => (this.units === "binary" ? binary : decimal)(value, digits);

  /** A message, a bucket, what tools print in powers of two: 134217728 → "128 MiB", or "134.2 MB" where sizes are written so. */
  readonly binaryBytes = (value: number, digits = 4): string =>
    (this.units === "decimal" ? decimal : binary)(value, digits);

  /** A volume in the chosen units; if none were chosen, in both. */
  readonly everyWay = (value: number): string =>
    this.units === "usual" ? `${decimal(value, 4)} · ${binary(value, 4)}` : this.bytes(value);

  /** Memory that the engine gives in GiB: "38.8 GiB", or "41.7 GB" where sizes are written so. */
  readonly memory = (gib: number, digits = 3): string =>
    this.units === "decimal" ? `${significant((gib * 2 ** 30) / 1e9, digits)} GB` : `${significant(gib, digits)} GiB`;

  /** Where an axis of sizes has its labels: at `powersOfTwo`, or at powers of ten where sizes are written so. */
  readonly sizeTicks = (powersOfTwo: number[]): number[] =>
    this.units === "decimal" ? Array.from({ length: 19 }, (_, index) => 10 ** index) : powersOfTwo;

  /** What an axis of volumes can be in. */
  get volumeUnits(): readonly Unit[] {
    return this.units === "binary" ? binaryByteUnits : decimalByteUnits;
  }

  /** What an axis of memory, in GiB, can be in. */
  get memoryUnits(): readonly Unit[] {
    return this.units === "decimal" ? [{ name: "GB", size: 1e9 / 2 ** 30 }] : [{ name: "GiB", size: 1 }];
  }

  /** A value in its field's unit. */
  quantity(value: number, unit: string): string {
    switch (unit) {
      case "bytes":
        return this.bytes(value);
      case "ms":
        return milliseconds(value);
      case "us":
        return milliseconds(value / 1e3);
      case "GB/s":
        return bandwidth(value);
      case "":
        return exact(value);
      default:
        return `${exact(value)} ${unit}`;
    }
  }
}
