import { scaleLinear } from "d3-scale";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { ChartFigure, type FigureSpec } from "./figure.js";
import styles from "./bar-chart.css?inline";
import { define } from "../elements/define.js";
import { widthOf } from "./labels.js";
import { placeAt } from "./marks.js";

/** One bar: to the right of zero, or to its left. */
export interface Bar {
  name: string;
  value: number;
  /** The same for the pinned scenario. */
  beside?: number;
  /** What the cursor shows besides the number. */
  note?: string;
}

export interface BarChartSpec extends FigureSpec {
  bars: Bar[];
  format: (value: number) => string;
  /** What lies on either side of zero. */
  sides?: { left: string; right: string };
}

const top = 22;
/** Height of a name with its value, and of both on two lines; the bar is below them. */
const rowHeight = 34;
const stackedHeight = 48;

/** Bars around a zero, each under its name. */
export class BarChart extends ChartFigure<BarChartSpec> {
  protected override get height(): number {
    return top + this.rowHeight * this.spec.bars.length + 6;
  }

  /** Values are below the names where one of them would overlap its name. */
  private get rowHeight(): number {
    const meet = this.spec.bars.some((bar) => widthOf(bar.name) + widthOf(this.text(bar)) > this.width);
    return meet ? stackedHeight : rowHeight;
  }

  private get scale() {
    const values = this.spec.bars.flatMap((bar) => [bar.value, bar.beside ?? 0]);
    return scaleLinear()
      .domain([Math.min(0, ...values), Math.max(0, ...values)])
      .range([1, this.width - 1]);
  }

  protected override get stops(): number {
    return this.spec.bars.length;
  }

  protected override stopAt(_: number, y: number): number {
    return placeAt((y - top) / this.rowHeight / this.stops, this.stops);
  }

  protected override reading(stop: number): string {
    const bar = this.spec.bars[stop];
    return bar ? `${bar.name}: ${this.text(bar)}${bar.note ? ` (${bar.note})` : ""}` : "";
  }

  private text({ value, beside }: Bar): string {
    return `${this.spec.format(value)}${beside === undefined ? "" : ` (A: ${this.spec.format(beside)})`}`;
  }

  /** A bar on its own stretch of the zero line, which goes through no name. */
  private drawBar(bar: Bar, row: number) {
    const { scale, width } = this;
    const y = top + this.rowHeight * row;
    const foot = y + this.rowHeight - rowHeight;
    const [zero, end] = [scale(0), scale(bar.value)];
    return svg`<g class=${this.cursor === row ? "bar chosen" : "bar"}>
      <rect class=${bar.value < 0 ? "moves below" : "moves above"} x=${Math.min(zero, end)} y=${foot + 17} width=${Math.max(1, Math.abs(end - zero))} height="9" />
      <line class="axis" x1=${zero} x2=${zero} y1=${foot + 15} y2=${foot + 28} />
      <text x="0" y=${y + 11}>${bar.name}</text>
      <text class="value" x=${width} y=${foot + 11} text-anchor="end">${this.text(bar)}</text>
      ${bar.beside === undefined ? nothing : svg`<line class="beside" x1=${scale(bar.beside)} x2=${scale(bar.beside)} y1=${foot + 14} y2=${foot + 29} />`}</g>`;
  }

  protected override draw(): TemplateResult {
    const { spec, width } = this;
    const signs = new Set(spec.bars.map(({ value }) => Math.sign(value)));
    return this.drawing(
      "chart",
      svg`${
        spec.sides
          ? svg`<text x="0" y="11">${signs.has(-1) ? `← ${spec.sides.left}` : ""}</text>
        <text x=${width} y="11" text-anchor="end">${signs.has(1) ? `${spec.sides.right} →` : ""}</text>`
          : nothing
      }
      ${spec.bars.map((bar, row) => this.drawBar(bar, row))}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-bar-chart", BarChart);
