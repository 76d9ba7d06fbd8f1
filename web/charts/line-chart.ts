import { bisector } from "d3-array";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { area, line } from "d3-shape";
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { bottomAxis, leftAxis, thin, type Plot, type Tick } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";

/** A point of a series; for a band `low` and `high` instead of y. */
export interface Point {
  x: number;
  y: number;
  low?: number;
  high?: number;
  /** What hovering or the cursor says beyond the numbers, such as a source. */
  note?: string;
}

/** One line, one cloud of dots, or one band. */
export interface Series {
  name: string;
  points: Point[];
  kind?: "line" | "dots" | "band";
  /** 1 to 8: colour and dash go together, so that neither is alone. */
  color: number;
  dash?: string;
  /** Drawn thinner and paler: another scenario's. */
  quiet?: boolean;
  /** Dots without filling: of less weight. */
  hollow?: boolean;
}

/** An axis: how it is scaled and how its numbers are written. */
export interface AxisSpec {
  label: string;
  scale: "linear" | "log";
  format: (value: number) => string;
  /** Where labels may stand; powers of two for sizes and ranks. */
  ticks?: number[];
  domain?: [number, number];
}

/** A line to read against, across the plot or up through it. */
export interface Rule {
  axis: "x" | "y";
  at: number;
  label: string;
  /** Lines of text below the top, where labels of neighbours would meet. */
  row?: number;
}

export interface LineChartSpec extends FigureSpec {
  x: AxisSpec;
  y: AxisSpec;
  series: Series[];
  rules?: Rule[];
  /** Where the reader's own scenario lies. */
  here?: { x: number; y: number; label: string; below?: boolean };
  /** Where the pinned scenario lies. */
  there?: { x: number; y: number };
  /** Higher than others, for the one chart a view is about. */
  tall?: boolean;
}

const byX = bisector((point: Point) => point.x);

function domainOf(values: number[], axis: AxisSpec): [number, number] {
  if (axis.domain) return axis.domain;
  const positive = axis.scale === "log" ? values.filter((value) => value > 0) : values;
  const low = Math.min(...positive);
  const high = Math.max(...positive);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return axis.scale === "log" ? [1, 10] : [0, 1];
  if (axis.scale === "log") return low === high ? [low / 2, high * 2] : [low, high];
  return [Math.min(0, low), high === 0 ? 1 : high * 1.06];
}

/** Lines, dots and bands over one axis each way. */
export class LineChart extends ChartFigure<LineChartSpec> {
  private get height(): number {
    return Math.round(Math.min(this.spec.tall ? 460 : 340, Math.max(this.spec.tall ? 300 : 230, this.width * 0.52)));
  }

  private get labelled(): Series[] {
    const lines = this.spec.series.filter((series) => series.kind !== "band" && series.points.length > 0);
    return lines.length <= 4 && this.width >= 460 ? lines : [];
  }

  private get plot(): Plot {
    const longest = Math.max(0, ...this.labelled.map((series) => series.name.length));
    const right = this.labelled.length > 0 ? Math.min(150, 14 + longest * 6.2) : 14;
    return { left: 62, right: this.width - right, top: 34, bottom: this.height - 44 };
  }

  /** The series the cursor walks along: the line with most points, dots where there is no line. */
  private get walked(): Series | undefined {
    const lines = this.spec.series.filter((series) => series.kind !== "dots");
    return (lines.length > 0 ? lines : this.spec.series).reduce<Series | undefined>(
      (best, series) => (series.points.length > (best?.points.length ?? 0) ? series : best),
      undefined,
    );
  }

  private scales() {
    const { x, y, series, rules = [], here, there } = this.spec;
    const points = series.flatMap((each) => each.points);
    const xs = [...points.map((point) => point.x), ...(here ? [here.x] : []), ...(there ? [there.x] : [])];
    const ys = [
      ...points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]),
      ...rules.filter((rule) => rule.axis === "y").map((rule) => rule.at),
      ...(here ? [here.y] : []),
      ...(there ? [there.y] : []),
    ];
    const make = (axis: AxisSpec): ScaleContinuousNumeric<number, number> =>
      axis.scale === "log" ? scaleLog() : scaleLinear();
    const { left, right, top, bottom } = this.plot;
    return {
      x: make(x).domain(domainOf(xs, x)).range([left, right]),
      y: make(y).domain(domainOf(ys, y)).range([bottom, top]),
    };
  }

  private ticks(axis: AxisSpec, scale: ScaleContinuousNumeric<number, number>, count: number, space: number): Tick[] {
    const [low, high] = scale.domain() as [number, number];
    const values = axis.ticks?.filter((value) => value >= low * 0.999 && value <= high * 1.001) ?? scale.ticks(count);
    return thin(
      values.map((value) => ({ at: scale(value), label: axis.format(value) })),
      space,
    );
  }

  protected override get stops(): number {
    return this.walked?.points.length ?? 0;
  }

  protected override get firstStop(): number {
    const { here } = this.spec;
    const points = this.walked?.points ?? [];
    return here ? Math.min(points.length - 1, byX.left(points, here.x * 0.9999)) : 0;
  }

  protected override stopAt(x: number): number {
    const points = this.walked?.points ?? [];
    const scale = this.scales().x;
    let best = 0;
    points.forEach((point, index) => {
      if (Math.abs(scale(point.x) - x) < Math.abs(scale(points[best]!.x) - x)) best = index;
    });
    return best;
  }

  protected override reading(stop: number): string {
    const at = this.walked?.points[stop];
    if (!at) return "";
    const { x, y } = this.spec;
    const parts = this.spec.series.flatMap((series) => {
      const points = series.points.filter(
        (candidate) => candidate.x === at.x && (Number.isFinite(candidate.y) || candidate.low !== undefined),
      );
      return points.slice(0, series.kind === "dots" ? points.length : 1).map((point) => {
        const value =
          series.kind === "band" ? `${y.format(point.low!)} to ${y.format(point.high!)}` : y.format(point.y);
        return `${series.name} ${value}${point.note ? ` (${point.note})` : ""}`;
      });
    });
    return `${x.format(at.x)} ${x.label}: ${parts.join("; ")}`;
  }

  private drawSeries(series: Series, x: (v: number) => number, y: (v: number) => number): SVGTemplateResult {
    const drawn = series.points.filter((point) => Number.isFinite(point.y) || point.low !== undefined);
    if (series.kind === "band") {
      const path = area<Point>(
        (p) => x(p.x),
        (p) => y(p.low!),
        (p) => y(p.high!),
      )(drawn);
      return svg`<path class="band fill-${series.color}" d=${path ?? ""}></path>`;
    }
    if (series.kind === "dots") {
      return svg`<g class=${series.hollow ? `hollow series-${series.color}` : `fill-${series.color}`}>${drawn.map(
        (p) =>
          svg`<circle cx=${x(p.x)} cy=${y(p.y)} r="3"><title>${`${series.name}: ${this.spec.x.format(p.x)}, ${this.spec.y.format(p.y)}${p.note ? `, ${p.note}` : ""}`}</title></circle>`,
      )}</g>`;
    }
    const path = line<Point>(
      (p) => x(p.x),
      (p) => y(p.y),
    )(drawn);
    return svg`<path class="line series-${series.color} ${series.quiet ? "quiet" : ""}" stroke-dasharray=${series.dash ?? "none"} d=${path ?? ""}></path>`;
  }

  /** Names at the lines' ends, moved apart where they would overlap. */
  private directLabels(y: (v: number) => number, plot: Plot): SVGTemplateResult[] {
    const ends = this.labelled
      .flatMap((series) => {
        const end = series.points.filter((point) => Number.isFinite(y(point.y))).at(-1);
        return end ? [{ series, at: y(end.y) }] : [];
      })
      .sort((a, b) => a.at - b.at);
    let last = -Infinity;
    return ends.map(({ series, at }) => {
      last = Math.max(at, last + 14);
      return svg`<text class="halo fill-${series.color} ${series.quiet ? "quiet" : ""}" x=${plot.right + 6} y=${last} dy="0.35em">${series.name}</text>`;
    });
  }

  private drawRule(rule: Rule, x: (v: number) => number, y: (v: number) => number, plot: Plot): SVGTemplateResult {
    if (rule.axis === "y") {
      const at = y(rule.at);
      return svg`<line class="rule" x1=${plot.left} x2=${plot.right} y1=${at} y2=${at} />
        <text class="halo" x=${plot.left + 6} y=${at - 6}>${rule.label}</text>`;
    }
    const at = x(rule.at);
    if (!(at >= plot.left - 1 && at <= plot.right + 1)) return svg``;
    const end = at > (plot.left + plot.right) / 2;
    return svg`<line class="rule" x1=${at} x2=${at} y1=${plot.top} y2=${plot.bottom} />
      <text class="halo" x=${end ? at - 5 : at + 5} y=${plot.top + 9 + 14 * (rule.row ?? 0)} text-anchor=${end ? "end" : "start"}>${rule.label}</text>`;
  }

  protected override draw(): TemplateResult {
    const { spec, plot, width, height } = this;
    const scale = this.scales();
    const x = (value: number) => scale.x(value);
    const y = (value: number) => scale.y(value);
    const cursorPoint = this.cursor === undefined ? undefined : this.walked?.points[this.cursor];
    const inside = (value: number, low: number, high: number) => value >= low - 1 && value <= high + 1;
    const { here, there } = spec;
    return html`<svg viewBox="0 0 ${width} ${height}" tabindex="0" role="slider" aria-roledescription="chart"
        aria-label=${`${spec.title} ${spec.summary}`} aria-valuemin="0" aria-valuemax=${Math.max(0, this.stops - 1)}
        aria-valuenow=${this.cursor ?? this.firstStop} aria-valuetext=${this.reading(this.cursor ?? this.firstStop)}
        @keydown=${this.onKey} @pointermove=${this.onPointer} @pointerdown=${this.onPointer} @pointerleave=${this.onLeave}
        @focus=${this.onFocus} @blur=${this.onLeave}>
      ${leftAxis(plot, this.ticks(spec.y, scale.y, 5, 20), spec.y.label)}
      ${bottomAxis(plot, this.ticks(spec.x, scale.x, 8, 46), spec.x.label)}
      <clipPath id="plot"><rect x=${plot.left - 4} y=${plot.top - 4} width=${plot.right - plot.left + 8} height=${plot.bottom - plot.top + 5} /></clipPath>
      <g clip-path="url(#plot)">${spec.series.map((series) => this.drawSeries(series, x, y))}</g>
      ${spec.rules?.map((rule) => this.drawRule(rule, x, y, plot)) ?? nothing}
      ${this.directLabels(y, plot)}
      ${
        there && inside(x(there.x), plot.left, plot.right) && inside(y(there.y), plot.top, plot.bottom)
          ? svg`
        <circle class="there" cx=${x(there.x)} cy=${y(there.y)} r="4.5" /><text class="halo there-label" x=${x(there.x)} y=${y(there.y) - 9} text-anchor="middle">A</text>`
          : nothing
      }
      ${
        here && inside(x(here.x), plot.left, plot.right) && inside(y(here.y), plot.top, plot.bottom)
          ? svg`
        <circle class="here" cx=${x(here.x)} cy=${y(here.y)} r="5" />
        <text class="halo here-label" x=${x(here.x)} y=${y(here.y) + (here.below ? 19 : -11)} text-anchor=${
          x(here.x) > plot.right - 60 ? "end" : x(here.x) < plot.left + 60 ? "start" : "middle"
        }>${here.label}</text>`
          : nothing
      }
      ${
        cursorPoint
          ? svg`<line class="cursor" x1=${x(cursorPoint.x)} x2=${x(cursorPoint.x)} y1=${plot.top} y2=${plot.bottom} />
        ${spec.series
          .filter((series) => series.kind !== "band")
          .map((series) => {
            const point = series.points.find((candidate) => candidate.x === cursorPoint.x);
            return point && Number.isFinite(point.y)
              ? svg`<circle class="fill-${series.color}" cx=${x(point.x)} cy=${y(point.y)} r="4" />`
              : nothing;
          })}`
          : nothing
      }
    </svg>
    ${
      this.labelled.length === 0 && spec.series.length > 1
        ? html`<ul class="legend">${spec.series.map(
            (series) => html`<li>
      <svg class="key" viewBox="0 0 24 10" aria-hidden="true">${
        series.kind === "dots"
          ? svg`<circle class=${series.hollow ? `hollow series-${series.color}` : `fill-${series.color}`} cx="12" cy="5" r="3" />`
          : series.kind === "band"
            ? svg`<rect class="band fill-${series.color}" width="24" height="10" />`
            : svg`<line class="line series-${series.color} ${series.quiet ? "quiet" : ""}" stroke-dasharray=${series.dash ?? "none"} x2="24" y1="5" y2="5" />`
      }</svg>
      ${series.name}</li>`,
          )}</ul>`
        : nothing
    }`;
  }

  static override styles = [
    ChartFigure.styles,
    css`
    svg .band { opacity: 0.18; }
    svg .hollow { fill: none; stroke-width: 1.25; }
    svg .line.quiet { stroke-width: 1.25; stroke-opacity: 0.65; }
    svg .rule { stroke: var(--rule-strong); stroke-dasharray: 2 4; }
    svg .cursor { stroke: var(--ink); stroke-width: 1; }
    svg .here { fill: var(--paper); stroke: var(--ink); stroke-width: 2.5; }
    svg .there { fill: var(--paper); stroke: var(--series-4); stroke-width: 2; }
    svg .there-label { fill: var(--series-4); font-weight: 600; }
    svg .here-label { fill: var(--ink); font-weight: 600; }
    .legend { list-style: none; margin: 0.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem;
      font-family: var(--sans); font-size: var(--small); color: var(--ink-soft); }
    .legend li { display: flex; align-items: center; gap: 0.4rem; }
    .legend .key { width: 24px; height: 10px; }
  `,
  ];
}

customElements.get("commcost-line-chart") ?? customElements.define("commcost-line-chart", LineChart);
