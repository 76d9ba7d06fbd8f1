import type { Subject } from "../elements/tokens.js";
import type { AxisWords } from "./axis.js";
import type { ScaleKind } from "./units.js";

/** A point of a series; for a band `low` and `high` instead of y. */
export interface Point {
  x: number;
  y: number;
  low?: number;
  high?: number;
  /** What hovering or the cursor shows besides the numbers, such as a source. */
  note?: string;
}

/** One line, one cloud of dots, or one band. */
export interface Series {
  name: string;
  points: Point[];
  kind?: "line" | "dots" | "band";
  /** What its colour stands for; colour and dash go together, so that neither is alone. */
  color: Subject;
  dash?: string;
  /** Drawn thinner and paler: another scenario's. */
  quiet?: boolean;
  /** Dots without filling: of less weight. */
  hollow?: boolean;
}

/** An axis: how it is scaled and how its numbers are written. */
export interface AxisSpec extends AxisWords {
  scale: ScaleKind;
  domain?: [number, number];
}
