import { scaleLog } from "d3-scale";
import { svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { axisTicks, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { TipLine } from "./tip.js";
import styles from "./roofline-chart.css?inline";
import { define } from "../elements/define.js";
import type { LegendEntry } from "./legend.js";
import { type Label, type LabelPlace, type Labels, widthOf } from "./labels.js";
import { axes, haloed, nearestOf, type Place } from "./marks.js";

/** A kernel that multiplies. */
export interface RooflineDot {
  name: string;
  flops: number;
  bytes: number;
  time_us: number;
}

/** One that is predicted, with its range. */
interface PredictedDot extends RooflineDot {
  low_us: number;
  high_us: number;
}

/** Measured kernels that are drawn alike. */
interface MeasuredDots {
  name: string;
  hollow: boolean;
  dots: readonly RooflineDot[];
}

export interface RooflineSpec extends FigureSpec {
  dots: readonly PredictedDot[];
  /** Drawn as far as they are near the predicted ones. */
  measured: readonly MeasuredDots[];
  peak_tflops: number;
  hbm_gb_per_sec: number;
  /** The time that dot sizes are relative to, us. */
  whole_us: number;
  time: (us: number) => string;
}

/** Where a dot and its name are. */
interface NamedDot {
  index: number;
  at: Place;
  radius: number;
  label: Label;
}

const intensity = ({ flops, bytes }: RooflineDot): number => flops / bytes;
const teraflops = ({ flops, time_us }: RooflineDot): number => flops / time_us / 1e6;
const count = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** Kernels by how much they compute for each byte, and how fast, under the roof that memory and matrix units make. */
export class RooflineChart extends ChartFigure<RooflineSpec> {
  protected override get height(): number {
    return this.tall(0.55, 260, 380);
  }

  protected override get margins(): Plot {
    return { ...super.margins, left: 54 };
  }

  /** Where memory feeds the matrix units just as fast as they multiply, FLOP a byte. */
  private get ridge(): number {
    return (this.spec.peak_tflops * 1e3) / this.spec.hbm_gb_per_sec;
  }

  private scales() {
    const { dots, peak_tflops } = this.spec;
    const { left, right, top, bottom } = this.plot;
    const across = [...dots.map(intensity), this.ridge];
    const up = dots.flatMap((dot) => [dot.low_us, dot.high_us].map((time_us) => teraflops({ ...dot, time_us })));
    return {
      x: scaleLog()
        .domain([Math.min(...across) / 2.5, Math.max(...across) * 2.5])
        .range([left, right]),
      y: scaleLog()
        .domain([Math.min(...up, peak_tflops) / 2, peak_tflops * 1.6])
        .range([bottom, top]),
    };
  }

  protected override get stops(): number {
    return this.spec.dots.length;
  }

  protected override stopAt(x: number, y: number): number {
    const scale = this.scales();
    return nearestOf(this.spec.dots, (dot) => Math.hypot(scale.x(intensity(dot)) - x, scale.y(teraflops(dot)) - y));
  }

  private of(dot: RooflineDot): number {
    const { peak_tflops } = this.spec;
    return (100 * teraflops(dot)) / Math.min(peak_tflops, (peak_tflops * intensity(dot)) / this.ridge);
  }

  protected override tipLines(stop: number): TipLine[] {
    const dot = this.spec.dots[stop];
    if (!dot) return [];
    const share = (100 * dot.time_us) / this.spec.whole_us;
    return [
      dot.name,
      `${this.spec.time(dot.time_us)}, ${count.format(share)} % of the pass`,
      `range ${this.spec.time(dot.low_us)} to ${this.spec.time(dot.high_us)}`,
      `${count.format(teraflops(dot))} TFLOP/s, ${count.format(this.of(dot))} % of its roof`,
      `${count.format(intensity(dot))} FLOP for each byte`,
    ].map((text) => ({ text }));
  }

  protected override reading(stop: number): string {
    const [name, ...rest] = this.tipLines(stop).map(({ text }) => text);
    return `${name}: ${rest.join("; ")}`;
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const dot = this.spec.dots[stop];
    const { x, y } = this.scales();
    return dot && [x(intensity(dot)), y(teraflops(dot))];
  }

  /**
   * Dots from left to right, each with the place of its name: above and below in turn, next to it or further away if it
   * would meet another.
   */
  private named(x: (value: number) => number, y: (value: number) => number, labels: Labels): NamedDot[] {
    const { plot } = this;
    const dots = this.spec.dots.map((dot, index) => ({
      index,
      at: [x(intensity(dot)), y(teraflops(dot))] as const,
      radius: 3 + 9 * Math.sqrt(dot.time_us / this.spec.whole_us),
    }));
    for (const { at, radius } of dots) labels.mark(at, radius - 1);
    return [...dots]
      .sort((one, other) => one.at[0] - other.at[0])
      .map((dot, turn) => {
        const { name } = this.spec.dots[dot.index]!;
        const half = widthOf(name) / 2;
        const across = Math.min(plot.right - half, Math.max(plot.left + half, dot.at[0]));
        const [above, below] = [dot.at[1] - dot.radius - 6, dot.at[1] + dot.radius + 13];
        const [near, ...further] = Array.from({ length: 40 }, (_, step) =>
          (turn % 2 === 0 ? [below, above] : [above, below]).map((foot): LabelPlace => {
            const away = foot === below ? 4 * step : -4 * step;
            return { at: [across, foot + away], anchor: "middle" };
          }),
        );
        const side = dot.radius + 5;
        const beside: LabelPlace[] = [
          { at: [dot.at[0] + side, dot.at[1] + 4], anchor: "start" },
          { at: [dot.at[0] - side, dot.at[1] + 4], anchor: "end" },
        ];
        return { ...dot, label: labels.place(name, [...near!, ...beside, ...further.flat()]) };
      });
  }

  private drawDot(
    { index, at: [x, y], radius, label }: NamedDot,
    height: (tflops: number) => number,
  ): SVGTemplateResult {
    const dot = this.spec.dots[index]!;
    const end = (time_us: number) => height(teraflops({ ...dot, time_us }));
    return svg`<path class="moves line range line-compute" stroke-dasharray="none" d="M${x} ${end(dot.high_us)}V${end(dot.low_us)}" />
      <circle class="moves fill-compute ${index === this.cursor ? "current" : ""}" cx=${x} cy=${y} r=${radius} />
      ${haloed(label)}`;
  }

  /** Measured kernels within the drawing. */
  private drawMeasured(
    { dots, hollow }: MeasuredDots,
    { x, y }: ReturnType<RooflineChart["scales"]>,
  ): SVGTemplateResult {
    const { left, right, top, bottom } = this.plot;
    const shown = dots
      .map((dot) => ({ name: dot.name, cx: x(intensity(dot)), cy: y(teraflops(dot)) }))
      .filter(({ cx, cy }) => cx >= left && cx <= right && cy >= top && cy <= bottom);
    return svg`<g class="measured ${hollow ? "hollow line-measured" : "fill-measured"}">${shown.map(
      ({ name, cx, cy }) => svg`<circle cx=${cx} cy=${cy} r="2.2"><title>${name}</title></circle>`,
    )}</g>`;
  }

  protected override get legend(): readonly LegendEntry[] {
    const measured = this.spec.measured.map(
      ({ name, hollow }): LegendEntry => ({ label: name, subject: "measured", mark: "dot", hollow }),
    );
    return [
      { label: "a kernel of this layer, by its share of the time", subject: "compute", mark: "dot" },
      { label: "its range", subject: "compute", mark: "line" },
      ...measured,
    ];
  }

  protected override draw(): TemplateResult {
    const { spec, plot, ridge } = this;
    const scale = this.scales();
    const x = (value: number) => scale.x(value);
    const y = (value: number) => scale.y(value);
    const [low, high] = scale.x.domain() as [number, number];
    const floor = scale.y.domain()[0]!;
    const from = Math.max(low, (floor / spec.peak_tflops) * ridge);
    const unit = (name: string) => ({ format: String, units: [{ name, size: 1 }] });
    const across = axisTicks(
      { label: "Computed for each byte of memory traffic", ...unit("FLOP/byte") },
      scale.x,
      "log",
      6,
      42,
    );
    const up = axisTicks({ label: "Reached", ...unit("TFLOP/s") }, scale.y, "log", 5, 20);
    const roofs: Label[] = [
      {
        text: `matrix peak ${count.format(spec.peak_tflops)} TFLOP/s`,
        at: [plot.right, y(spec.peak_tflops) - 7],
        anchor: "end",
      },
      { text: `memory ${count.format(spec.hbm_gb_per_sec)} GB/s`, at: [x(from) + 6, plot.bottom - 8], anchor: "start" },
    ];
    const labels = this.labels(up, across).fix(...roofs);
    return this.drawing(
      "scatter plot",
      svg`${axes(plot, up, across)}
      <path class="moves roof" d="M${x(from)} ${y((spec.peak_tflops * from) / ridge)}L${x(ridge)} ${y(spec.peak_tflops)}H${x(high)}" />
      ${roofs.map((roof) => haloed(roof))}
      ${spec.measured.map((dots) => this.drawMeasured(dots, scale))}
      ${this.named(x, y, labels).map((dot) => this.drawDot(dot, y))}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-roofline-chart", RooflineChart);
