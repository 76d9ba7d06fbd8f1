import { scaleLinear, scaleLog } from "d3-scale";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { axisTicks, type AxisWords } from "./axis.js";
import { CloudChart, crowd } from "./cloud.js";
import type { FigureSpec } from "./figure.js";
import styles from "./scatter-chart.css?inline";
import { define } from "../elements/define.js";
import { around } from "./labels.js";
import { axes, haloed, hereMark, type Place } from "./marks.js";
import { numbered } from "./numbered.js";

/** The circle around a point that is named or numbered, px. */
const markRadius = 5;

/** A point that has a name. */
interface NamedPoint {
  x: number;
  y: number;
  name: string;
}

export interface ScatterSpec extends FigureSpec {
  x: AxisWords;
  /** The vertical axis is logarithmic. */
  y: AxisWords;
  /** The crowd: x and y in turn. */
  cloud: Float64Array;
  /** Points that none beats, by y ascending: joined by a line, walked by the cursor. */
  front: NamedPoint[];
  /** The front of the pinned scenario, on the same axes. */
  then?: { front: readonly NamedPoint[]; best?: { x: number; y: number } };
  /** A bound on x. */
  limit?: { at: number; label: string };
  best?: { x: number; y: number; label: string };
  /** Points that are numbered in this order; the best is the first of them. Numbers that would overlap are one label. */
  marks?: readonly { x: number; y: number }[];
}

/** A crowd of points, and the front that none of them beats. */
export class ScatterChart extends CloudChart<ScatterSpec> {
  static override properties = { ...CloudChart.properties, room: { attribute: false } };

  /** How high it may get, px. */
  declare room: number;

  constructor() {
    super();
    this.room = 400;
  }

  protected override get height(): number {
    return this.tall(0.6, 230, this.room);
  }

  private scales() {
    const { cloud, front, limit } = this.spec;
    let right = limit?.at ?? 0;
    let low = Infinity;
    let high = 0;
    const take = (x: number, y: number) => {
      right = Math.max(right, x);
      low = Math.min(low, y);
      high = Math.max(high, y);
    };
    for (let at = 0; at < cloud.length; at += 2) take(cloud[at]!, cloud[at + 1]!);
    for (const { x, y } of [...front, ...(this.spec.then?.front ?? [])]) take(x, y);
    const { left, right: end, top, bottom } = this.plot;
    return {
      x: scaleLinear()
        .domain([0, (right || 1) * 1.03])
        .range([left, end]),
      y: scaleLog()
        .domain(low < high ? [low * 0.93, high * 1.05] : [low / 2 || 1, low * 2 || 10])
        .range([bottom, top]),
    };
  }

  protected override get stops(): number {
    return this.spec.front.length;
  }

  protected override get places() {
    const { x, y } = this.scales();
    return this.spec.front.map((point) => [x(point.x), y(point.y)] as const);
  }

  protected override reading(stop: number): string {
    const point = this.spec.front[stop];
    if (!point) return "";
    return `${this.spec.y.format(point.y)}, ${this.spec.x.format(point.x)}: ${point.name}`;
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const scale = this.scales();
    const x = (value: number) => scale.x(value);
    const y = (value: number) => scale.y(value);
    const { front, limit, best } = spec;
    const up = axisTicks(spec.y, scale.y, "log", 5, 22);
    const across = axisTicks(spec.x, scale.x, "linear", 6, 54);
    const stairs = (points: readonly NamedPoint[]) =>
      points
        .map((point, index) => (index === 0 ? `M${x(point.x)} ${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`))
        .join("");
    const { then } = spec;
    const last = then?.front.at(-1);
    const { cloud } = spec;
    const places = Array.from(
      { length: cloud.length / 2 },
      (_, at) => [x(cloud[2 * at]!), y(cloud[2 * at + 1]!)] as const,
    );
    const marks = (spec.marks ?? []).map((mark) => [x(mark.x), y(mark.y)] as const);
    const labels = this.labels(up, across);
    const edge = limit && x(limit.at);
    const limitLabel =
      limit &&
      labels.place(limit.label, [
        { at: [edge! - 5, plot.top + 9], anchor: "end" },
        { at: [edge! + 5, plot.top + 9], anchor: "start" },
      ]);
    const bestAt = best && ([x(best.x), y(best.y)] as const);
    if (bestAt) labels.mark(bestAt, markRadius);
    for (const mark of marks) labels.mark(mark, markRadius);
    const bestLabel = best && labels.place(best.label, around(bestAt!, markRadius, best.label, plot));
    const near = (at: Place, text: string) => around(at, markRadius, text, plot);
    const numbers = numbered(marks, (at, text) => ({ ...near(at, text)[0]!, text, of: at })).map(({ of, text }) =>
      labels.place(text, near(of, text)),
    );
    const thenAt = last && ([x(last.x), y(last.y)] as const);
    const thenLabel = thenAt && labels.place("A", around(thenAt, 0, "A", plot));
    return this.drawing(
      "chart",
      svg`${axes(plot, up, across)}
      <path class="crowd" d=${crowd(places, 2, "h2")}></path>
      ${
        then && thenLabel
          ? svg`<path class="line line-pinned" d=${stairs(then.front)}></path>
        ${haloed(thenLabel)}
        ${then.best ? svg`<circle class="fill-pinned" cx=${x(then.best.x)} cy=${y(then.best.y)} r="5" />` : nothing}`
          : nothing
      }
      <path class="line line-expected" d=${stairs(front)}></path>
      <g class="fill-expected">${front.map((point) => svg`<circle cx=${x(point.x)} cy=${y(point.y)} r="3" />`)}</g>
      ${
        limitLabel
          ? svg`<g class="moves" transform=${`translate(${edge!} 0)`}><line class="limit" y1=${plot.top} y2=${plot.bottom} />
        <text class="halo" x=${limitLabel.at[0] - edge!} y=${limitLabel.at[1]} text-anchor=${limitLabel.anchor}>${limitLabel.text}</text></g>`
          : nothing
      }
      ${marks.map(([across, down]) => svg`<circle class="marked" cx=${across} cy=${down} r=${markRadius} />`)}
      ${numbers.map((number) => haloed(number, "number"))}
      ${bestLabel ? hereMark(bestAt!, markRadius, bestLabel) : nothing}
      ${this.cursorMark()}`,
    );
  }

  static override styles = [CloudChart.styles, unsafeCSS(styles)];
}

define("commcost-scatter-chart", ScatterChart);
