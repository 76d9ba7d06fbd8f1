import { svg, type SVGTemplateResult } from "lit";
import type { Box, Label } from "./labels.js";
import { tickValues } from "./ticks.js";
import { tickLabel, titled, unitOf, type ScaleKind } from "./units.js";
import type { Unit } from "../state/format.js";

/** The position of a drawing's plot within it. */
export type Plot = Box;

/** A tick: its place in the drawing, and its label. */
export interface Tick {
  at: number;
  label: string;
}

/** Drops labels that would run into the one before. */
export function thin(ticks: Tick[], space: number): Tick[] {
  let last = -Infinity;
  return ticks.map((tick) => {
    const fits = Math.abs(tick.at - last) >= space && tick.label !== "";
    if (fits) last = tick.at;
    return fits ? tick : { ...tick, label: "" };
  });
}

/** How an axis is written. */
export interface AxisWords {
  /** Without a unit if it has `units`: the one in use is added. */
  label: string;
  /** A single number, with its unit. */
  format: (value: number) => string;
  /** Units that it can be in: the axis picks one, with round ticks. */
  units?: readonly Unit[];
  /** Where labels may be; powers of two for sizes and ranks. */
  ticks?: readonly number[];
}

/** Whether a value can be drawn on an axis: a logarithmic one has no zero. */
export const hasPlace = (kind: ScaleKind, value: number): boolean =>
  Number.isFinite(value) && (kind === "linear" || value > 0);

/** The ticks of an axis, and its title with its unit. */
export function axisTicks(
  axis: AxisWords,
  scale: { (value: number): number; domain: () => number[] },
  kind: ScaleKind,
  count: number,
  space: number,
): { ticks: Tick[]; title: string } {
  const domain = scale.domain() as [number, number];
  const [low, high] = domain;
  const unit = axis.units && unitOf(axis.units, domain, kind);
  const values =
    axis.ticks?.filter((value) => value >= low * 0.999 && value <= high * 1.001) ??
    tickValues(domain, kind, unit ?? { name: "", size: 1 }, count);
  const label = (value: number) => (unit ? tickLabel(value, unit) : axis.format(value));
  const ticks = values.map((value) => ({ at: scale(value), label: label(value) }));
  return { ticks: thin(ticks, space), title: titled(axis.label, unit) };
}

/** The texts of an axis: its ticks, then its title. */
export interface Axis {
  ticks: Tick[];
  title: string;
}

/** The horizontal axis' words. */
export const bottomLabels = (plot: Plot, { ticks, title }: Axis): Label[] => [
  ...ticks.map(({ at, label }): Label => ({ text: label, at: [at, plot.bottom + 18], anchor: "middle" })),
  { text: title, at: [(plot.left + plot.right) / 2, plot.bottom + 36], anchor: "middle" },
];

/** The vertical axis' words: the title above, where it reads without turning the head. */
export const leftLabels = (plot: Plot, { ticks, title }: Axis): Label[] => [
  ...ticks.map(({ at, label }): Label => ({ text: label, at: [plot.left - 7, at + 4], anchor: "end" })),
  { text: title, at: [1, plot.top - 12], anchor: "start" },
];

/** Labels as they are drawn. */
const written = (labels: readonly Label[]): SVGTemplateResult[] =>
  labels
    .filter(({ text }) => text !== "")
    .map(({ text, at: [x, y], anchor }) => svg`<text x=${x} y=${y} text-anchor=${anchor}>${text}</text>`);

/** The horizontal axis with its title. */
export function bottomAxis(plot: Plot, ticks: Tick[], title: string): SVGTemplateResult {
  return svg`<g>
    <line class="axis" x1=${plot.left} x2=${plot.right} y1=${plot.bottom} y2=${plot.bottom} />
    ${ticks.map(
      (tick) =>
        svg`<line class="axis" x1=${tick.at} x2=${tick.at} y1=${plot.bottom} y2=${plot.bottom + (tick.label ? 5 : 3)} />`,
    )}
    ${written(bottomLabels(plot, { ticks, title }))}
  </g>`;
}

/** The vertical axis: grid lines, and its words. */
export function leftAxis(plot: Plot, ticks: Tick[], title: string): SVGTemplateResult {
  return svg`<g>
    ${ticks
      .filter((tick) => tick.label)
      .map((tick) => svg`<line class="grid" x1=${plot.left} x2=${plot.right} y1=${tick.at} y2=${tick.at} />`)}
    ${written(leftLabels(plot, { ticks, title }))}
  </g>`;
}
