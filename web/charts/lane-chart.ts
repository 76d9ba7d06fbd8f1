import { scaleLinear } from "d3-scale";
import { svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/colors.js";
import { axisTicks, bottomAxis, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { LegendEntry } from "./legend.js";
import type { Unit } from "../state/format.js";
import styles from "./lane-chart.css?inline";
import { define } from "../elements/define.js";
import { namedBar, nearestOf } from "./marks.js";

/** What one lane does for a while. */
export interface LaneBar {
  lane: number;
  start: number;
  duration: number;
  /** In the bar where it fits, and in what the cursor reads. */
  label: string;
  /** What its colour stands for. */
  color: Subject;
  /** Outlined and hatched: what others wait for. */
  marked?: boolean;
  /** What the cursor says beyond label and times. */
  note?: string;
}

/** Lanes over one axis of time. */
export interface LaneChartSpec extends FigureSpec {
  lanes: readonly string[];
  bars: readonly LaneBar[];
  legend: readonly { color: Subject; label: string; marked?: boolean }[];
  /** A line up through all lanes, between two parts of the time. */
  splits: readonly { at: number; before: string; after: string }[];
  end: number;
  format: (value: number) => string;
  /** Without a unit where there are `units`: the one that it is in is added. */
  axis: string;
  /** Those that the axis can be in. */
  units?: readonly Unit[];
}

const laneHeight = 34;
const laneGap = 10;

/** Bars on lanes: what happens when, and what waits. */
export class LaneChart extends ChartFigure<LaneChartSpec> {
  protected override get height(): number {
    return 40 + this.spec.lanes.length * (laneHeight + laneGap) + 40;
  }

  protected override get margins(): Plot {
    return { left: 20, right: 14, top: 40, bottom: 42 };
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
    return nearestOf(
      this.spec.bars,
      (bar) => Math.max(bar.start - time, time - bar.start - bar.duration, 0) + (bar.lane === lane ? 0 : this.spec.end),
    );
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
    return namedBar({
      subject: bar.color,
      name: bar.label,
      fits: bar.label.length * 6 + 8 < width,
      box: [x, y, width, laneHeight],
      current: index === this.cursor,
      marked: bar.marked,
    });
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const bar = this.spec.bars[stop];
    return bar && [this.scale(bar.start + bar.duration / 2), this.laneTop(bar.lane) + laneHeight / 2];
  }

  protected override get legend(): readonly LegendEntry[] {
    return this.spec.legend.map(({ color, label, marked }) => ({ label, subject: color, mark: "fill", marked }));
  }

  protected override draw(): TemplateResult {
    const { spec, plot, scale } = this;
    const axis = { label: spec.axis, format: spec.format, ...(spec.units && { units: spec.units }) };
    const { ticks, title } = axisTicks(axis, scale, "linear", 6, spec.units ? 40 : 60);
    return this.drawing(
      "timeline",
      svg`<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
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
      ${bottomAxis(plot, ticks, title)}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-lane-chart", LaneChart);
