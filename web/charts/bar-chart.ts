import { scaleLinear } from "d3-scale";
import { css, html, nothing, svg, type TemplateResult } from "lit";
import { ChartFigure, type FigureSpec } from "./figure.js";

/** One bar: to the right of zero, or to its left. */
export interface Bar {
  name: string;
  value: number;
  /** The same of the pinned scenario. */
  beside?: number;
  /** What the cursor says beyond the number. */
  note?: string;
}

export interface BarChartSpec extends FigureSpec {
  bars: Bar[];
  format: (value: number) => string;
  /** What lies on either side of zero. */
  sides?: { left: string; right: string };
}

const rowHeight = 34;
const top = 22;

/** Bars about a zero, each under its name. */
export class BarChart extends ChartFigure<BarChartSpec> {
  private get height(): number {
    return top + rowHeight * this.spec.bars.length + 6;
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
    return Math.min(this.stops - 1, Math.max(0, Math.floor((y - top) / rowHeight)));
  }

  protected override reading(stop: number): string {
    const bar = this.spec.bars[stop];
    return bar ? `${bar.name}: ${this.text(bar)}${bar.note ? ` (${bar.note})` : ""}` : "";
  }

  private text({ value, beside }: Bar): string {
    return `${this.spec.format(value)}${beside === undefined ? "" : ` (A: ${this.spec.format(beside)})`}`;
  }

  protected override draw(): TemplateResult {
    const { spec, scale, width, height } = this;
    const zero = scale(0);
    return html`<svg viewBox="0 0 ${width} ${height}" tabindex="0" role="slider" aria-roledescription="chart"
        aria-label=${`${spec.title} ${spec.summary}`} aria-valuemin="0" aria-valuemax=${Math.max(0, this.stops - 1)}
        aria-valuenow=${this.cursor ?? 0} aria-valuetext=${this.reading(this.cursor ?? 0)}
        @keydown=${this.onKey} @pointermove=${this.onPointer} @pointerdown=${this.onPointer} @pointerleave=${this.onLeave}
        @focus=${this.onFocus} @blur=${this.onLeave}>
      ${
        spec.sides
          ? svg`<text x="0" y="11">${zero > 60 ? `← ${spec.sides.left}` : ""}</text>
        <text x=${width} y="11" text-anchor="end">${spec.sides.right} →</text>`
          : nothing
      }
      ${spec.bars.map((bar, row) => {
        const y = top + rowHeight * row;
        const end = scale(bar.value);
        return svg`<g class=${this.cursor === row ? "bar chosen" : "bar"}>
          <rect class="fill-${bar.value < 0 ? 2 : 1}" x=${Math.min(zero, end)} y=${y + 17} width=${Math.max(1, Math.abs(end - zero))} height="9" />
          <text x="0" y=${y + 11}>${bar.name}</text>
          <text class="value" x=${width} y=${y + 11} text-anchor="end">${this.text(bar)}</text>
          ${bar.beside === undefined ? nothing : svg`<line class="beside" x1=${scale(bar.beside)} x2=${scale(bar.beside)} y1=${y + 14} y2=${y + 29} />`}</g>`;
      })}
      <line class="axis" x1=${zero} x2=${zero} y1=${top} y2=${height - 4} />
    </svg>`;
  }

  static override styles = [
    ChartFigure.styles,
    css`
    svg .value { fill: var(--ink); }
    svg .beside { stroke: var(--ink); stroke-width: 2; }
    svg .chosen text { font-weight: 600; fill: var(--ink); }
  `,
  ];
}

customElements.get("commcost-bar-chart") ?? customElements.define("commcost-bar-chart", BarChart);
