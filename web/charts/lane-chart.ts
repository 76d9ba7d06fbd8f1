import { scaleLinear } from "d3-scale";
import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/tokens.js";
import { axisTicks, bottomAxis, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { LegendEntry } from "./legend.js";
import type { Unit } from "../state/format.js";
import styles from "./lane-chart.css?inline";
import { define } from "../elements/define.js";
import { namedBar, nearestOf } from "./marks.js";

/** What one lane does for some time. */
export interface LaneBar {
  lane: number;
  start: number;
  duration: number;
  /** Shown in the bar if it fits, and in what the cursor reads. */
  label: string;
  /** What its colour stands for. */
  color: Subject;
  /** Outlined and hatched: what others wait for. */
  marked?: boolean;
  /** What the cursor shows besides label and times. */
  note?: string;
}

interface Split {
  at: number;
  before: string;
  after: string;
}

/** Lanes over one axis of time. */
export interface LaneChartSpec extends FigureSpec {
  lanes: readonly string[];
  bars: readonly LaneBar[];
  legend: readonly { color: Subject; label: string; marked?: boolean }[];
  /** A line up through all lanes, between two parts of the time. */
  splits: readonly Split[];
  /** The first lane that belongs to the pinned scenario, A, and A's splits. */
  then?: { lane: number; splits: readonly Split[] } | undefined;
  end: number;
  format: (value: number) => string;
  /** Without a unit where there are `units`: the one that it is in is added. */
  axis: string;
  /** Those that the axis can be in. */
  units?: readonly Unit[];
}

const laneHeight = 34;
const laneGap = 10;
/** Between the present lanes and A's, whose names stand there. */
const thenGap = 34;

/** Bars on lanes: what happens when, and what waits. */
export class LaneChart extends ChartFigure<LaneChartSpec> {
  protected override get height(): number {
    return 40 + this.spec.lanes.length * (laneHeight + laneGap) + (this.spec.then ? thenGap : 0) + 40;
  }

  protected override get margins(): Plot {
    return { left: 20, right: 14, top: 40, bottom: 42 };
  }

  private get scale() {
    return scaleLinear().domain([0, this.spec.end]).range([this.plot.left, this.plot.right]);
  }

  private laneTop(lane: number): number {
    const { then } = this.spec;
    return this.plot.top + lane * (laneHeight + laneGap) + (then && lane >= then.lane ? thenGap : 0);
  }

  protected override get stops(): number {
    return this.spec.bars.length;
  }

  protected override stopAt(x: number, y: number): number {
    const below = this.spec.lanes.findIndex((_, lane) => y < this.laneTop(lane) + laneHeight + laneGap);
    const lane = below < 0 ? this.spec.lanes.length - 1 : below;
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
      fits: bar.label.length * 6.5 + 8 < width,
      box: [x, y, width, laneHeight],
      current: index === this.cursor,
      marked: bar.marked,
    });
  }

  /** Lines between two parts of the time, up through these lanes. */
  private drawSplits(splits: readonly Split[], from: number, to: number): SVGTemplateResult[] {
    const [top, bottom] = [this.laneTop(from), this.laneTop(to - 1) + laneHeight + laneGap];
    return splits.map((split) => {
      const at = this.scale(split.at);
      return svg`<line class="split" x1=${at} x2=${at} y1=${top - 14} y2=${bottom} />
          <text x=${at - 6} y=${top - 8} text-anchor="end">${split.before}</text>
          <text x=${at + 6} y=${top - 8} text-anchor="start">${split.after}</text>`;
    });
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const bar = this.spec.bars[stop];
    return bar && [this.scale(bar.start + bar.duration / 2), this.laneTop(bar.lane) + laneHeight / 2];
  }

  protected override get legend(): readonly LegendEntry[] {
    const { bars, legend } = this.spec;
    const has = (entry: (typeof legend)[number]) =>
      bars.some(({ color, marked = false }) => color === entry.color && marked === (entry.marked ?? false));
    return legend.filter(has).map(({ color, label, marked }) => ({ label, subject: color, mark: "fill", marked }));
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
      ${this.drawSplits(spec.splits, 0, spec.then?.lane ?? spec.lanes.length)}
      ${
        spec.then
          ? svg`<text class="then" x=${plot.left} y=${this.laneTop(spec.then.lane) - 8}>A</text>
          ${this.drawSplits(spec.then.splits, spec.then.lane, spec.lanes.length)}`
          : nothing
      }
      ${bottomAxis(plot, ticks, title)}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-lane-chart", LaneChart);
