import { bisector, pairs } from "d3-array";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { nothing, type PropertyValues, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/tokens.js";
import { axisTicks, hasPlace, type Plot } from "./axis.js";
import { dragHandle, holdAnywhere, handleStyles, moved, placeHandle, type Drag } from "./drag.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { LegendEntry } from "./legend.js";
import { placed, readAt } from "./reading.js";
import type { TipLine } from "./tip.js";
import type { AxisSpec, Point, Series } from "./series.js";
import styles from "./line-chart.css?inline";
import { define } from "../elements/define.js";
import { around, type Label, type LabelPlace, type Labels } from "./labels.js";
import { axes, haloed, hereMark, nearestOf, type Place, through } from "./marks.js";

/** A reference line, across the plot or up through it. */
export interface Rule {
  axis: "x" | "y";
  at: number;
  label: string;
}

/** A marked point, and whether it can be moved. */
interface Here {
  x: number;
  y: number;
  label: string;
  drag?: Drag;
}

export interface LineChartSpec extends FigureSpec {
  x: AxisSpec;
  y: AxisSpec;
  series: Series[];
  rules?: Rule[];
  /** The point of the reader's own scenario; with `drag` the reader can move it, and `change` reports where to. */
  here?: Here;
  /** The point of the pinned scenario. */
  there?: { x: number; y: number };
  /** Higher than others, for a view's main chart. */
  tall?: boolean;
}

type Scale = ScaleContinuousNumeric<number, number>;

/** How many names fit at the lines' ends, and with how many letters. */
const mostNamed = 12;
const longestNamed = 26;
/** Of a letter, on average, pixels. */
const letter = 6.2;

/** The circle of the pinned scenario, px. */
const thenRadius = 4.5;

const byX = bisector((point: Point) => point.x);

function domainOf(values: number[], axis: AxisSpec): [number, number] {
  if (axis.domain) return axis.domain;
  const known = values.filter((value) => hasPlace(axis.scale, value));
  const low = Math.min(...known);
  const high = Math.max(...known);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return axis.scale === "log" ? [1, 10] : [0, 1];
  if (axis.scale === "log") return low === high ? [low / 2, high * 2] : [low, high];
  return [Math.min(0, low), high === 0 ? 1 : high * 1.06];
}

/** Heights, ascending, moved apart for a line of text each; the last not below `bottom`, where there is room. */
function apart(heights: readonly number[], bottom: number): number[] {
  const places: number[] = [];
  for (const height of heights) places.push(Math.max(height, (places.at(-1) ?? -Infinity) + 14));
  for (let index = places.length - 1, most = bottom; index >= 0; index--, most -= 14) {
    places[index] = Math.min(places[index]!, most);
  }
  return places;
}

/** Lines, dots and bands over one axis each way. */
export class LineChart extends ChartFigure<LineChartSpec> {
  /** The range of x that a drag began in: it does not move under the hand. */
  private held: [number, number] | undefined;
  private found: { spec: LineChartSpec; held: [number, number] | undefined; series: Series[] } | undefined;

  protected override get height(): number {
    if (this.bare) return this.tall(0.45, 190, 230);
    return this.spec.tall ? this.tall(0.52, 300, 460) : this.tall(0.52, 230, 340);
  }

  private get labelled(): Series[] {
    const lines = this.drawnSeries.filter(({ kind }) => kind !== "band");
    const fits = lines.length <= mostNamed && lines.every(({ name }) => name.length <= longestNamed);
    return fits && this.width >= 460 ? lines : [];
  }

  protected override get margins(): Plot {
    const longest = Math.max(0, ...this.labelled.map((series) => series.name.length));
    const right = this.labelled.length > 0 ? 24 + longest * letter : 14;
    return { ...super.margins, right };
  }

  /** The points the cursor walks along: of the line that has most, of dots where there is no line. */
  private get walked(): readonly Point[] {
    const lines = this.spec.series.filter((series) => series.kind !== "dots");
    const most = (lines.length > 0 ? lines : this.spec.series).reduce<readonly Point[]>(
      (best, { points }) => (points.length > best.length ? points : best),
      [],
    );
    return most.filter(({ x }) => hasPlace(this.spec.x.scale, x));
  }

  /** The marked point, where the axes have a place for it. */
  private get here(): Here | undefined {
    const { here, x, y } = this.spec;
    return here && hasPlace(x.scale, here.x) && hasPlace(y.scale, here.y) ? here : undefined;
  }

  private get domains(): { x: [number, number]; y: [number, number] } {
    const { x, y, series, rules = [], here, there } = this.spec;
    const points = series.flatMap((each) => each.points);
    const xs = [...points.map((point) => point.x), ...(here ? [here.x] : []), ...(there ? [there.x] : [])];
    const ys = [
      ...points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]),
      ...rules.filter((rule) => rule.axis === "y").map((rule) => rule.at),
      ...(here ? [here.y] : []),
      ...(there ? [there.y] : []),
    ];
    return { x: this.held ?? domainOf(xs, x), y: domainOf(ys, y) };
  }

  private scales(): { x: Scale; y: Scale } {
    const { x, y } = this.spec;
    const { x: across, y: up } = this.domains;
    const make = (axis: AxisSpec): Scale => (axis.scale === "log" ? scaleLog() : scaleLinear());
    const { left, right, top, bottom } = this.plot;
    return { x: make(x).domain(across).range([left, right]), y: make(y).domain(up).range([bottom, top]) };
  }

  /** Those of which something is in the plot; found once for each range of x. */
  private get drawnSeries(): readonly Series[] {
    const { spec, held } = this;
    if (this.found?.spec !== spec || this.found.held !== held) this.found = { spec, held, series: this.findDrawn() };
    return this.found.series;
  }

  private findDrawn(): Series[] {
    const { x, y } = this.domains;
    const meets = ([low, high]: readonly [number, number], values: readonly number[]) =>
      Math.max(...values) >= low && Math.min(...values) <= high;
    return this.spec.series.filter((series) => {
      const points = placed(series, this.spec);
      const heights = (point: Point) => (series.kind === "band" ? [point.low!, point.high!] : [point.y]);
      const stretches = series.kind === "dots" ? points.map((point) => [point]) : pairs(points);
      return stretches.some((ends) => {
        const across = ends.map((end) => end.x);
        return meets(x, across) && meets(y, ends.flatMap(heights));
      });
    });
  }

  protected override get empty(): boolean {
    return this.spec.series.every((series) => placed(series, this.spec).length === 0);
  }

  protected override get stops(): number {
    return this.walked.length;
  }

  protected override get firstStop(): number {
    const { here, walked: points } = this;
    return here ? Math.max(0, Math.min(points.length - 1, byX.left(points, here.x * 0.9999))) : 0;
  }

  protected override stopAt(x: number): number {
    const scale = this.scales().x;
    return nearestOf(this.walked, (point) => Math.abs(scale(point.x) - x));
  }

  /** Every series' value at the cursor; dots at the same place, lines between their points as well. */
  private readings(stop: number): { subject: Subject; text: string; y?: number }[] {
    const at = this.walked[stop];
    if (!at) return [];
    return this.spec.series.flatMap((series) => readAt(series, at.x, this.spec));
  }

  protected override reading(stop: number): string {
    const at = this.walked[stop];
    const { x } = this.spec;
    return at
      ? `${x.format(at.x)} ${x.label}: ${this.readings(stop)
          .map(({ text }) => text)
          .join("; ")}`
      : "";
  }

  protected override tipLines(stop: number): TipLine[] {
    const at = this.walked[stop];
    if (!at) return [];
    const { x } = this.spec;
    const most = Math.min(64, Math.max(24, Math.floor(this.width / 6.1 / 1.6)));
    const short = (text: string) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
    const lines = this.readings(stop).map(({ subject, text }) => ({ subject, text: short(text) }));
    const shown = lines.length > 9 ? [...lines.slice(0, 8), { text: `and ${lines.length - 8} more` }] : lines;
    return [{ text: `${x.format(at.x)} ${x.label}` }, ...shown];
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const at = this.walked[stop];
    if (!at) return undefined;
    const { x, y } = this.scales();
    const first = this.readings(stop).find((reading) => reading.y !== undefined)?.y;
    return [x(at.x), first === undefined ? this.plot.top + 20 : y(first)];
  }

  private drawSeries(series: Series, x: (v: number) => number, y: (v: number) => number): SVGTemplateResult {
    const drawn = placed(series, this.spec);
    if (series.kind === "band") {
      const above = drawn.map((p): Place => [x(p.x), y(p.high!)]);
      const below = drawn.map((p): Place => [x(p.x), y(p.low!)]).reverse();
      return svg`<path class="moves band fill-${series.color}" d=${through([...above, ...below], true)}></path>`;
    }
    if (series.kind === "dots") {
      return svg`<g class=${series.hollow ? `hollow line-${series.color}` : `fill-${series.color}`}>${drawn.map(
        (p) =>
          svg`<circle cx=${x(p.x)} cy=${y(p.y)} r=${series.color === "own" ? 4 : 3}><title>${`${series.name}: ${this.spec.x.format(p.x)}, ${this.spec.y.format(p.y)}${p.note ? `, ${p.note}` : ""}`}</title></circle>`,
      )}</g>`;
    }
    const path = through(drawn.map((p) => [x(p.x), y(p.y)]));
    return svg`<path class="moves line line-${series.color} ${series.quiet ? "quiet" : ""}" stroke-dasharray=${series.dash ?? "none"} d=${path}></path>`;
  }

  /** Names at the lines' ends, each behind a piece of its line, moved apart where they would overlap. */
  private directLabels(y: (v: number) => number, labels: Labels): SVGTemplateResult[] {
    const { right, bottom } = this.plot;
    const ends = this.labelled
      .flatMap((series) => {
        const end = placed(series, this.spec).at(-1);
        return end ? [{ series, at: y(end.y) }] : [];
      })
      .sort((a, b) => a.at - b.at);
    const places = apart(
      ends.map(({ at }) => at),
      bottom,
    );
    return ends.map(({ series }, index) => {
      const last = places[index]!;
      const { color, kind, dash, hollow } = series;
      const name: Label = { text: series.name, at: [right + 19, last + 4], anchor: "start" };
      labels.fix(name);
      return svg`${
        kind === "dots"
          ? svg`<circle class=${hollow ? `hollow line-${color}` : `fill-${color}`} cx=${right + 9} cy=${last} r="3" />`
          : svg`<line class="line line-${color} ${series.quiet ? "quiet" : ""}" stroke-dasharray=${dash ?? "none"} x1=${right + 3} x2=${right + 15} y1=${last} y2=${last} />`
      }${haloed(name)}`;
    });
  }

  /** Points along the lines, and the dots: places that a label should not cover. */
  private drawnPoints(x: (v: number) => number, y: (v: number) => number): Place[] {
    return this.spec.series.flatMap((series) => {
      if (series.kind === "band") return [];
      const places = placed(series, this.spec).map((point): Place => [x(point.x), y(point.y)]);
      if (series.kind === "dots") return places;
      return places.flatMap(([toX, toY], index) => {
        const [fromX, fromY] = places[Math.max(0, index - 1)]!;
        const steps = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / 4) + 1;
        return Array.from({ length: steps }, (_, step): Place => {
          const share = step / steps;
          return [toX - share * (toX - fromX), toY - share * (toY - fromY)];
        });
      });
    });
  }

  private drawRule(
    rule: Rule,
    x: (v: number) => number,
    y: (v: number) => number,
    labels: Labels,
  ): SVGTemplateResult | typeof nothing {
    const { plot } = this;
    if (!hasPlace(this.spec[rule.axis].scale, rule.at)) return nothing;
    if (rule.axis === "y") {
      const at = y(rule.at);
      const { at: foot, anchor } = labels.place(
        rule.label,
        [at - 6, at + 14].flatMap((down): LabelPlace[] => [
          { at: [plot.left + 6, down], anchor: "start" },
          { at: [plot.right - 6, down], anchor: "end" },
        ]),
      );
      return svg`<g class="moves" transform=${`translate(0 ${at})`}><line class="rule" x1=${plot.left} x2=${plot.right} />
        <text class="halo" x=${foot[0]} y=${foot[1] - at} text-anchor=${anchor}>${rule.label}</text></g>`;
    }
    const at = x(rule.at);
    if (!(at >= plot.left - 1 && at <= plot.right + 1)) return nothing;
    const sides: LabelPlace[] = [
      { at: [at + 5, 0], anchor: "start" },
      { at: [at - 5, 0], anchor: "end" },
    ];
    // Towards the middle, from the top down.
    if (at > (plot.left + plot.right) / 2) sides.reverse();
    const rows = Math.floor((plot.bottom - 7 - plot.top - 9) / 14);
    const feet = Array.from({ length: rows + 1 }, (_, row) => plot.top + 9 + 14 * row);
    const { at: foot, anchor } = labels.place(
      rule.label,
      sides.flatMap(({ at: [side], anchor }) => feet.map((down): LabelPlace => ({ at: [side, down], anchor }))),
    );
    return svg`<g class="moves" transform=${`translate(${at} 0)`}><line class="rule" y1=${plot.top} y2=${plot.bottom} />
      <text class="halo" x=${foot[0] - at} y=${foot[1]} text-anchor=${anchor}>${rule.label}</text></g>`;
  }

  /** Where a point is, if that is in the plot. */
  private markAt(
    point: { x: number; y: number } | undefined,
    x: (v: number) => number,
    y: (v: number) => number,
  ): Place | undefined {
    if (!point) return undefined;
    const { left, right, top, bottom } = this.plot;
    const [across, down] = [x(point.x), y(point.y)];
    const inside = across >= left - 1 && across <= right + 1 && down >= top - 1 && down <= bottom + 1;
    return inside ? [across, down] : undefined;
  }

  private drawCursor(x: (v: number) => number, y: (v: number) => number, plot: Plot) {
    const at = this.cursor === undefined ? undefined : this.walked[this.cursor];
    if (!at) return nothing;
    return svg`<line class="cursor on-screen" x1=${x(at.x)} x2=${x(at.x)} y1=${plot.top} y2=${plot.bottom} />
      ${this.readings(this.cursor!).map((reading) =>
        reading.y === undefined || y(reading.y) < plot.top - 4 || y(reading.y) > plot.bottom + 1
          ? nothing
          : svg`<circle class="fill-${reading.subject} on-screen" cx=${x(at.x)} cy=${y(reading.y)} r="4" />`,
      )}`;
  }

  protected override get legend(): readonly LegendEntry[] {
    const { labelled } = this;
    const unnamed = labelled.length === 0 ? this.spec.series : this.spec.series.filter(({ kind }) => kind === "band");
    return this.spec.series.length > 1
      ? unnamed.map(({ name, color, kind, dash, quiet, hollow }) => ({
          label: name,
          subject: color,
          mark: kind === "dots" ? "dot" : (kind ?? "line"),
          dash,
          quiet,
          hollow,
        }))
      : [];
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const scale = this.scales();
    const x = (value: number) => scale.x(value);
    const y = (value: number) => scale.y(value);
    const up = axisTicks(spec.y, scale.y, spec.y.scale, 5, 20);
    const across = axisTicks(spec.x, scale.x, spec.x.scale, 8, 46);
    const labels = this.labels(up, across, this.drawnPoints(x, y));
    const now = this.markAt(this.here, x, y);
    const then = this.markAt(spec.there, x, y);
    const radius = this.here?.drag ? 7 : 5;
    if (now) labels.mark(now, radius);
    if (then) labels.mark(then, thenRadius);
    // Labels placed first are where readers expect them.
    const names = this.directLabels(y, labels);
    const rules = spec.rules?.map((rule) => this.drawRule(rule, x, y, labels));
    const named = (at: Place, size: number, text: string) => labels.place(text, around(at, size, text, plot));
    const nowLabel = now && named(now, radius, this.here!.label);
    const thenLabel = then && named(then, thenRadius, "A");
    return this.drawing(
      "chart",
      svg`${axes(plot, up, across)}
      <clipPath id="plot"><rect x=${plot.left - 4} y=${plot.top - 4} width=${plot.right - plot.left + 8} height=${plot.bottom - plot.top + 5} /></clipPath>
      <g clip-path="url(#plot)">${this.drawnSeries.map((series) => this.drawSeries(series, x, y))}</g>
      ${rules}
      ${names}
      ${
        thenLabel
          ? svg`<circle class="there" cx=${then![0]} cy=${then![1]} r=${thenRadius} />${haloed(thenLabel, "there-label")}`
          : nothing
      }
      ${nowLabel ? hereMark(now!, radius, nowLabel) : nothing}
      ${this.drawCursor(x, y, plot)}`,
    );
  }

  protected override handle(): TemplateResult | typeof nothing {
    const { here } = this;
    if (!here?.drag) return nothing;
    const move = (x: number | undefined) => {
      if (x === undefined || x === this.spec.here!.x) return;
      this.dispatchEvent(new CustomEvent("change", { detail: { x } }));
    };
    const at = (event: PointerEvent) => this.scales().x.invert(this.placeOf(event, this.svg)[0]);
    const take = () => (this.held = this.scales().x.domain() as [number, number]);
    const drag = (event: PointerEvent) =>
      move(moved(here.drag!, this.spec.x.scale, at(event), this.scales().x.domain() as [number, number]));
    const drop = () => {
      this.held = undefined;
      this.requestUpdate();
    };
    if (this.bare) return holdAnywhere({ take, drag, drop });
    return dragHandle(here.drag, here, {
      take,
      drag,
      drop,
      key: (x) => move(x),
      scale: this.spec.x.scale,
    });
  }

  /** Where the handle lies is set here: a policy may forbid styles in markup. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const here = this.spec && this.here;
    if (!here) return;
    const { x, y } = this.scales();
    placeHandle(this.renderRoot, [x(here.x), y(here.y)], [this.width, this.height]);
  }

  static override styles = [ChartFigure.styles, handleStyles, unsafeCSS(styles)];
}

define("commcost-line-chart", LineChart);
