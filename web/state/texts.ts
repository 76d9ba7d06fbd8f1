import type { Engine } from "#engine";

/** A scenario for readers that do not change it: each input's value, as text and as a number. */
export interface Texts {
  readonly engine: Engine;
  /** The text of a field as typed, or its default. */
  text(name: string): string;
  /** The number of a field; NaN if it has none. */
  number(name: string): number;
  /** The number that a text would mean; NaN if it means none. */
  read(name: string, text: string): number;
}
