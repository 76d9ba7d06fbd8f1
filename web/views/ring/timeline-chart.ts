import type { CollectiveTimelineResults } from "#engine";
import { scaleLinear } from "d3-scale";
import { svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { bottomAxis, thin, type Plot } from "../../charts/axis.js";
import { ChartFigure, type FigureSpec } from "../../charts/figure.js";
import { timeText } from "../../figures/collective-words.js";
import styles from "./timeline-chart.css?inline";
import { define } from "../../elements/define.js";
import { nearestOf } from "../../charts/marks.js";

export interface TimelineSpec extends FigureSpec {
  timeline: CollectiveTimelineResults;
  ranks: number;
  /** How far its axis of time goes, us. */
  until?: number | undefined;
  /** The pinned scenario's, on the same axis. */
  then?: CollectiveTimelineResults | undefined;
}

const ranksOf = ({ ready_us }: CollectiveTimelineResults): number => ready_us[0]!.length;
const hasSwitch = (timeline: CollectiveTimelineResults): boolean =>
  timeline.messages.flat().some(({ from, to }) => Math.max(from, to) >= ranksOf(timeline));

/** A collective on the clock: a line for each rank from arriving to leaving, and every message between them. */
export class TimelineChart extends ChartFigure<TimelineSpec> {
  /** The scenario's or A's, whichever has more. */
  private get ranks(): number {
    return Math.max(this.spec.ranks, this.spec.then ? ranksOf(this.spec.then) : 0);
  }

  private get rows(): number {
    const { timeline, then } = this.spec;
    return this.ranks + (hasSwitch(timeline) || (then && hasSwitch(then)) ? 1 : 0);
  }

  private get rowHeight(): number {
    return Math.max(9, Math.min(30, 300 / this.rows));
  }

  protected override get height(): number {
    return 22 + this.rows * this.rowHeight + 44;
  }

  protected override get margins(): Plot {
    return { left: 58, right: 14, top: 22, bottom: 44 };
  }

  private get times(): number[] {
    return [...new Set(this.spec.timeline.ready_us.flatMap((round) => [...round]))].sort((a, b) => a - b);
  }

  private scale() {
    const { left, right } = this.plot;
    const end = this.spec.until ?? this.spec.timeline.last_leave_us;
    return scaleLinear()
      .domain([0, end > 0 ? end : 1])
      .range([left, right]);
  }

  private y(rank: number): number {
    return this.plot.top + (rank + 0.5) * this.rowHeight;
  }

  /** Every message of a timeline, as one path; below its ranks, whatever their number, is the switch. */
  private messages(timeline: CollectiveTimelineResults, x: (time: number) => number): string {
    const y = (rank: number) => this.y(rank < ranksOf(timeline) ? rank : this.ranks).toFixed(1);
    return timeline.messages
      .flat()
      .map(
        ({ from, to, begun_us, ended_us }) =>
          `M${x(begun_us).toFixed(1)} ${y(from)}L${x(ended_us).toFixed(1)} ${y(to)}`,
      )
      .join("");
  }

  protected override get stops(): number {
    return this.times.length;
  }

  protected override stopAt(x: number): number {
    const scale = this.scale();
    return nearestOf(this.times, (time) => Math.abs(scale(time) - x));
  }

  protected override reading(stop: number): string {
    const time = this.times[stop] ?? 0;
    const { ready_us } = this.spec.timeline;
    const count = (row: Float64Array) => row.filter((ready) => ready <= time).length;
    return `At ${timeText(time)}: ${count(ready_us[0]!)} arrived, ${count(ready_us.at(-1)!)} have left`;
  }

  private rank(rank: number, x: (time: number) => number): SVGTemplateResult {
    const { ready_us } = this.spec.timeline;
    const y = this.y(rank);
    const arrived = x(ready_us[0]![rank]!);
    const left = x(ready_us.at(-1)![rank]!);
    return svg`<path class="moves within" d="M${arrived} ${y}H${left}" />
      <circle class="moves arrives" cx=${arrived} cy=${y} r="3.5"><title>rank ${rank} arrives at ${timeText(ready_us[0]![rank]!)}</title></circle>
      <rect class="moves leaves" x=${left - 3} y=${y - 3.5} width="6" height="7"><title>rank ${rank} leaves at ${timeText(ready_us.at(-1)![rank]!)}</title></rect>`;
  }

  /** The messages of A, when its ranks leave, and the last of all. */
  private drawThen(then: CollectiveTimelineResults, x: (time: number) => number) {
    const { ready_us, last_leave_us } = then;
    const ranks = ready_us.at(-1)!;
    const at = x(last_leave_us);
    const end = at > (this.plot.left + this.plot.right) / 2;
    return svg`<path class="moves message-then" d=${this.messages(then, x)}></path>
      <line class="then" x1=${at} x2=${at} y1=${this.plot.top - 4} y2=${this.plot.bottom} />
      <text class="halo then-label" x=${end ? at - 5 : at + 5} y=${this.plot.bottom - 4} text-anchor=${end ? "end" : "start"}>A ends: ${timeText(last_leave_us, 3)}</text>
      ${Array.from(ranks, (time, rank) => svg`<rect class="left-then" x=${x(time) - 3} y=${this.y(rank) - 3.5} width="6" height="7"><title>rank ${rank} of A leaves at ${timeText(time)}</title></rect>`)}`;
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const scale = this.scale();
    const x = (time: number) => scale(time);
    const every = Math.ceil(12 / this.rowHeight);
    const last = x(spec.timeline.last_arrival_us);
    const end = last > (plot.left + plot.right) / 2;
    const ticks = thin(
      scale.ticks(6).map((value) => ({ at: scale(value), label: timeText(value, 3) })),
      48,
    );
    const cursor = this.cursor === undefined ? undefined : x(this.times[this.cursor] ?? 0);
    return this.drawing(
      "chart",
      svg`      ${Array.from({ length: this.rows }, (_, row) =>
        row % every === 0 || row === this.ranks
          ? svg`<text x=${plot.left - 8} y=${this.y(row)} dy="0.35em" text-anchor="end">${row === this.ranks ? "switch" : row === 0 ? "rank 0" : row}</text>`
          : svg``,
      )}
      ${spec.then ? this.drawThen(spec.then, x) : svg``}
      <path class="moves message" d=${this.messages(spec.timeline, x)}></path>
      ${Array.from({ length: spec.ranks }, (_, rank) => this.rank(rank, x))}
      ${
        spec.timeline.last_arrival_us > 0
          ? svg`<line class="last" x1=${last} x2=${last} y1=${plot.top - 4} y2=${plot.bottom} />
        <text class="halo" x=${end ? last - 5 : last + 5} y=${plot.top - 8} text-anchor=${end ? "end" : "start"}>the last arrives</text>`
          : svg``
      }
      ${cursor === undefined ? svg`` : svg`<line class="cursor" x1=${cursor} x2=${cursor} y1=${plot.top} y2=${plot.bottom} />`}
      ${bottomAxis(plot, ticks, "Time since the first could begin")}`,
    );
  }

  protected override key(): TemplateResult {
    return html`<ul class="legend"><li><svg class="key" viewBox="0 0 12 10" aria-hidden="true"><circle class="arrives" cx="6" cy="5" r="3.5" /></svg> arrives</li>
      <li><svg class="key" viewBox="0 0 12 10" aria-hidden="true"><rect class="leaves" x="3" y="1.5" width="6" height="7" /></svg> leaves</li>
      <li><svg class="key" viewBox="0 0 12 10" aria-hidden="true"><path class="message" d="M1 9 11 1" /></svg> a message</li>${
        this.spec.then
          ? html`<li><svg class="key" viewBox="0 0 12 10" aria-hidden="true"><rect class="left-then" x="3" y="1.5" width="6" height="7" /></svg> leaves in A</li>
      <li><svg class="key" viewBox="0 0 12 10" aria-hidden="true"><path class="message-then" d="M1 9 11 1" /></svg> a message in A</li>`
          : ""
      }</ul>`;
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-timeline-chart", TimelineChart);
