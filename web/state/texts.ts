import type { Engine } from "#engine";

/** A scenario to whoever only reads it: what each input says, as text and as a number. */
export interface Texts {
  readonly engine: Engine;
  /** The text of a field as typed, or what holds in its place. */
  text(name: string): string;
  /** The number of a field; NaN where it has none. */
  number(name: string): number;
  /** The number that a text would stand for; NaN where it stands for none. */
  read(name: string, text: string): number;
}
