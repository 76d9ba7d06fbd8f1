import { scaleLinear } from "d3-scale";
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { bottomAxis, thin, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";

/** What one lane does for a while. */
export interface LaneBar {
  lane: number;
  start: number;
  duration: number;
  /** In the bar where it fits, and in what the cursor reads. */
  label: string;
  /** 1 to 8, as the legend has it. */
  color: number;
  /** Outlined and hatched: what others wait for. */
  marked?: boolean;
  /** What the cursor says beyond label and times. */
  note?: string;
}

/** Lanes over one axis of time. */
export interface LaneChartSpec extends FigureSpec {
  lanes: readonly string[];
  bars: readonly LaneBar[];
  legend: readonly { color: number; label: string; marked?: boolean }[];
  /** A line up through all lanes, between two parts of the time. */
  splits: readonly { at: number; before: string; after: string }[];
  end: number;
  format: (value: number) => string;
  axis: string;
}

const laneHeight = 34;
const laneGap = 10;

/** Bars on lanes: what happens when, and what waits. */
export class LaneChart extends ChartFigure<LaneChartSpec> {
  private get height(): number {
    return 40 + this.spec.lanes.length * (laneHeight + laneGap) + 40;
  }

  private get plot(): Plot {
    return { left: 20, right: this.width - 14, top: 40, bottom: this.height - 42 };
  }

  private get scale() {
    return scaleLinear().domain([0, this.spec.end]).range([this.plot.left, this.plot.right]);
  }

  private laneTop(lane: number): number {
    return this.plot.top + lane * (laneHeight + laneGap);
  }

  protected override get stops(): number {
    return this.spec.bars.length;
  }

  protected override stopAt(x: number, y: number): number {
    const lane = Math.floor((y - this.plot.top) / (laneHeight + laneGap));
    const time = this.scale.invert(x);
    let best = 0;
    let distance = Infinity;
    this.spec.bars.forEach((bar, index) => {
      const away =
        Math.max(bar.start - time, time - bar.start - bar.duration, 0) + (bar.lane === lane ? 0 : this.spec.end);
      if (away < distance) [best, distance] = [index, away];
    });
    return best;
  }

  protected override reading(stop: number): string {
    const bar = this.spec.bars[stop];
    if (!bar) return "";
    const { format, lanes } = this.spec;
    return `${lanes[bar.lane]}: ${bar.label}, ${format(bar.duration)} from ${format(bar.start)}${bar.note ? `; ${bar.note}` : ""}`;
  }

  private drawBar(bar: LaneBar, index: number): SVGTemplateResult {
    const x = this.scale(bar.start);
    const width = Math.max(0.75, this.scale(bar.start + bar.duration) - x);
    const y = this.laneTop(bar.lane);
    const fits = bar.label.length * 6 + 8 < width;
    return svg`<g class=${index === this.cursor ? "current" : ""}>
      <rect class="bar fill-${bar.color}" x=${x} y=${y} width=${width} height=${laneHeight} />
      ${bar.marked ? svg`<rect class="marked" x=${x} y=${y} width=${width} height=${laneHeight} />` : nothing}
      ${fits ? svg`<text class="inside" x=${x + width / 2} y=${y + laneHeight / 2} dy="0.35em" text-anchor="middle">${bar.label}</text>` : nothing}
    </g>`;
  }

  protected override draw(): TemplateResult {
    const { spec, plot, width, height, scale } = this;
    const ticks = thin(
      scale.ticks(6).map((value) => ({ at: scale(value), label: spec.format(value) })),
      60,
    );
    return html`<svg viewBox="0 0 ${width} ${height}" tabindex="0" role="slider" aria-roledescription="timeline"
        aria-label=${`${spec.title} ${spec.summary}`} aria-valuemin="0" aria-valuemax=${Math.max(0, this.stops - 1)}
        aria-valuenow=${this.cursor ?? this.firstStop} aria-valuetext=${this.reading(this.cursor ?? this.firstStop)}
        @keydown=${this.onKey} @pointermove=${this.onPointer} @pointerdown=${this.onPointer} @pointerleave=${this.onLeave}
        @focus=${this.onFocus} @blur=${this.onLeave}>
      <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" x1="0" x2="0" y1="0" y2="6" /></pattern></defs>
      ${spec.lanes.map(
        (_, lane) => svg`<rect class="lane" x=${plot.left} y=${this.laneTop(lane)}
        width=${plot.right - plot.left} height=${laneHeight} />`,
      )}
      ${spec.bars.map((bar, index) => this.drawBar(bar, index))}
      ${spec.splits.map((split) => {
        const at = scale(split.at);
        return svg`<line class="split" x1=${at} x2=${at} y1=${plot.top - 14} y2=${plot.bottom} />
          <text x=${at - 6} y=${plot.top - 8} text-anchor="end">${split.before}</text>
          <text x=${at + 6} y=${plot.top - 8} text-anchor="start">${split.after}</text>`;
      })}
      ${bottomAxis(plot, ticks, spec.axis)}
    </svg>
    <ul class="legend">${spec.legend.map(
      (entry) => html`<li><svg class="key" viewBox="0 0 18 12" aria-hidden="true">
      <rect class="bar fill-${entry.color}" width="18" height="12" />
      ${entry.marked ? svg`<rect class="marked" width="18" height="12" />` : nothing}</svg>${entry.label}</li>`,
    )}</ul>`;
  }

  static override styles = [
    ChartFigure.styles,
    css`
    svg .lane { fill: var(--paper-raised); }
    svg .bar { stroke: var(--paper); stroke-width: 0.75; fill-opacity: 0.72; }
    svg .current .bar { fill-opacity: 1; stroke: var(--ink); stroke-width: 1.5; }
    svg .marked { fill: url(#hatch); stroke: var(--bad); stroke-width: 1.5; }
    svg .hatch { stroke: var(--bad); stroke-width: 2; }
    svg .inside { fill: var(--paper); font-size: 10.5px; font-weight: 600; pointer-events: none; }
    svg .split { stroke: var(--ink); stroke-dasharray: 2 3; }
    .legend { list-style: none; margin: 0.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem;
      font-family: var(--sans); font-size: var(--small); color: var(--ink-soft); }
    .legend li { display: flex; align-items: center; gap: 0.4rem; }
    .legend .key { width: 18px; height: 12px; }
  `,
  ];
}

customElements.get("commcost-lane-chart") ?? customElements.define("commcost-lane-chart", LaneChart);
