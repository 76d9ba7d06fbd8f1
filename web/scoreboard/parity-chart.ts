import { scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { axisTicks } from "../charts/axis.js";
import { CloudChart, crowd } from "../charts/cloud.js";
import type { FigureSpec } from "../charts/figure.js";
import type { LegendEntry } from "../charts/legend.js";
import { wrapped } from "../charts/wrapped.js";
import type { TipLine } from "../charts/tip.js";
import { ratioOf, told, type Dot } from "./dots.js";
import { errorText, timeText } from "./words.js";
import { millisecondUnits } from "../state/format.js";
import styles from "./parity-chart.css?inline";
import { define } from "../elements/define.js";
import type { Label } from "../charts/labels.js";
import { axes, haloed } from "../charts/marks.js";
import { numbered } from "../charts/numbered.js";

/** The vertical axis: the prediction, or its error. */
export type Upright = "predicted" | "error";

export interface ParitySpec extends FigureSpec {
  upright: Upright;
  /** The chosen ones, walked by the cursor; ascending by measured time. */
  chosen: readonly Dot[];
  /** The others, pale. */
  others: readonly Dot[];
  /** Ratios that a tenth of the chosen is below and above. */
  band: { tenth: number; ninth: number };
  /** Numbered from 1 on. */
  marked: readonly Dot[];
  /** The prediction for the reader's scenario, ms. */
  here?: { predicted: number; low: number; high: number } | undefined;
}

type Scale = ScaleContinuousNumeric<number, number>;

/** Errors beyond these are drawn at the edge. */
const farthest = [1 / 3, 3] as const;

/** A dot for every measurement, predicted against measured, about the line where both are the same. */
export class ParityChart extends CloudChart<ParitySpec> {
  protected override get height(): number {
    return this.tall(0.62, 300, 560);
  }

  private scales(): { x: Scale; y: Scale } {
    const { chosen, marked, upright, here } = this.spec;
    let low = here?.low ?? Infinity;
    let high = here?.high ?? 0;
    for (const dots of [chosen, marked]) {
      for (const { measured, predicted } of dots) {
        low = Math.min(low, measured, predicted);
        high = Math.max(high, measured, predicted);
      }
    }
    const { left, right, top, bottom } = this.plot;
    const domain = [low / 1.15, high * 1.15];
    return {
      x: scaleLog().domain(domain).range([left, right]),
      y: scaleLog()
        .domain(upright === "predicted" ? domain : farthest)
        .range([bottom, top])
        .clamp(true),
    };
  }

  private upright(dot: Dot): number {
    return this.spec.upright === "predicted" ? dot.predicted : ratioOf(dot);
  }

  protected override get stops(): number {
    return this.spec.chosen.length;
  }

  protected override get places() {
    return this.placesOf(this.spec.chosen, this.scales());
  }

  private placesOf(dots: readonly Dot[], { x, y }: { x: Scale; y: Scale }) {
    return dots.map((dot) => [x(dot.measured), y(this.upright(dot))] as const);
  }

  protected override reading(stop: number): string {
    const dot = this.spec.chosen[stop];
    return dot ? told(dot) : "";
  }

  protected override tipLines(stop: number): TipLine[] {
    const dot = this.spec.chosen[stop];
    if (!dot) return [];
    const most = Math.min(56, Math.floor((this.width - 30) / 6.1));
    return [
      dot.name,
      `measured ${timeText(dot.measured)}, predicted ${timeText(dot.predicted)} (${errorText(ratioOf(dot))})`,
      dot.detail,
      dot.source,
      dot.doubtful ? "its source doubts it" : "",
    ].flatMap((line) => wrapped(line, most).map((text) => ({ text })));
  }

  /** Dots as points with round ends. */
  private cloud(dots: readonly Dot[], scale: { x: Scale; y: Scale }): string {
    return crowd(this.placesOf(dots, scale), 0.5, "h0");
  }

  /** The line of equal times, and the band that contains 80 % of the chosen. */
  private lines({ x, y }: { x: Scale; y: Scale }): SVGTemplateResult {
    const [low, high] = x.domain() as [number, number];
    const { tenth, ninth } = this.spec.band;
    const at = (time: number, ratio: number) =>
      `${x(time).toFixed(1)} ${y(this.spec.upright === "predicted" ? time * ratio : ratio).toFixed(1)}`;
    const corner = (ratio: number) => (this.spec.upright === "predicted" ? high / Math.max(1, ratio) : high);
    return svg`<path class="band fill-expected" d="M${at(low, tenth)}L${at(high, tenth)}L${at(corner(ninth), ninth)}L${at(low, ninth)}Z" />
      <path class="identity" d="M${at(low, 1)}L${at(high, 1)}" />`;
  }

  /** Rings around numbered dots; if several are close together, their numbers are one label. */
  private marks(scale: { x: Scale; y: Scale }): SVGTemplateResult {
    const places = this.placesOf(this.spec.marked, scale);
    const labels = numbered(places, ([x, y], text): Label => ({ text, at: [x + 10, y + 4], anchor: "start" }));
    return svg`${places.map(([x, y]) => svg`<circle class="near" cx=${x} cy=${y} r="7" />`)}
      ${labels.map((label) => haloed(label, "near-label"))}`;
  }

  private here({ x, y }: { x: Scale; y: Scale }): SVGTemplateResult | typeof nothing {
    const { here, upright } = this.spec;
    if (!here) return nothing;
    const { left, right, top, bottom } = this.plot;
    const label = `yours: ${timeText(here.predicted)}`;
    if (upright === "error") {
      const at = x(here.predicted);
      return svg`<line class="here" x1=${at} x2=${at} y1=${top} y2=${bottom} />
        <text class="halo here-label" x=${at > (left + right) / 2 ? at - 5 : at + 5} y=${top + 10} text-anchor=${at > (left + right) / 2 ? "end" : "start"}>${label}</text>`;
    }
    return svg`<rect class="here-band" x=${left} width=${right - left} y=${y(here.high)} height=${Math.max(1, y(here.low) - y(here.high))} />
      <line class="here" x1=${left} x2=${right} y1=${y(here.predicted)} y2=${y(here.predicted)} />
      <text class="halo here-label" x=${left + 6} y=${y(here.high) - 6}>${label}</text>`;
  }

  protected override get legend(): readonly LegendEntry[] {
    const { chosen, others } = this.spec;
    const doubted = chosen.some(({ doubtful }) => doubtful);
    return [
      { label: "a measurement", subject: "measured", mark: "dot" },
      ...(doubted ? [{ label: "doubted by its source", subject: "measured", mark: "dot", hollow: true } as const] : []),
      ...(others.length > 0 ? [{ label: "other classes", subject: "textbook", mark: "dot" } as const] : []),
      { label: "eight of ten lie within", subject: "expected", mark: "band" },
    ];
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const scale = this.scales();
    const time = { format: timeText, units: millisecondUnits };
    const across = axisTicks({ label: "Measured", ...time }, scale.x, "log", 6, 46);
    const up =
      spec.upright === "predicted"
        ? axisTicks({ label: "Predicted", ...time }, scale.y, "log", 6, 20)
        : axisTicks(
            {
              label: "Predicted over measured, less one",
              format: errorText,
              ticks: [1 / 3, 1 / 2, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3],
            },
            scale.y,
            "log",
            6,
            18,
          );
    return this.drawing(
      "scatter plot",
      svg`${axes(plot, up, across)}
      <clipPath id="plot"><rect x=${plot.left} y=${plot.top} width=${plot.right - plot.left} height=${plot.bottom - plot.top} /></clipPath>
      <g clip-path="url(#plot)">${this.lines(scale)}${this.here(scale)}</g>
      <g clip-path="url(#plot)"><path class="cloud line-textbook others" d=${this.cloud(spec.others, scale)} /></g>
      <path class="cloud line-measured" d=${this.cloud(
        spec.chosen.filter(({ doubtful }) => !doubtful),
        scale,
      )} />
      ${spec.chosen
        .filter(({ doubtful }) => doubtful)
        .map(
          (dot) =>
            svg`<circle class="hollow line-measured" cx=${scale.x(dot.measured)} cy=${scale.y(this.upright(dot))} r="3" />`,
        )}
      ${this.marks(scale)}
      ${this.cursorMark()}`,
    );
  }

  static override styles = [CloudChart.styles, unsafeCSS(styles)];
}

define("commcost-parity-chart", ParityChart);
