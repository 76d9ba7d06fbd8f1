import { scaleLog } from "d3-scale";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { bottomAxis, leftAxis, thin } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { LegendEntry } from "./legend.js";
import styles from "./histogram.css?inline";
import { define } from "../elements/define.js";
import { placeAt } from "./marks.js";

/** One column: what falls into it, and how often. */
interface HistogramBin {
  label: string;
  count: number;
  /** The same of the pinned scenario. */
  beside?: number | undefined;
  note: string;
}

/** Counts by class, on a log scale, as classes differ by orders of magnitude. */
export interface HistogramSpec extends FigureSpec {
  bins: readonly HistogramBin[];
  x: string;
  y: string;
}

/** Columns of counts. */
export class Histogram extends ChartFigure<HistogramSpec> {
  protected override get height(): number {
    return this.tall(0.45, 210, 300);
  }

  /** A count of one must be visible: the axis begins below it. */
  private get scale() {
    const most = Math.max(2, ...this.spec.bins.map((bin) => Math.max(bin.count, bin.beside ?? 0)));
    return scaleLog()
      .domain([0.5, most * 1.3])
      .range([this.plot.bottom, this.plot.top]);
  }

  private get pitch(): number {
    return (this.plot.right - this.plot.left) / Math.max(1, this.spec.bins.length);
  }

  protected override get stops(): number {
    return this.spec.bins.length;
  }

  protected override stopAt(x: number): number {
    return placeAt((x - this.plot.left) / this.pitch / this.stops, this.stops);
  }

  protected override reading(stop: number): string {
    const bin = this.spec.bins[stop];
    return bin ? bin.note : "";
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const bin = this.spec.bins[stop];
    return (
      bin && [this.plot.left + (stop + 0.5) * this.pitch, bin.count > 0 ? this.scale(bin.count) : this.plot.bottom]
    );
  }

  protected override get legend(): readonly LegendEntry[] {
    return this.spec.bins.some(({ beside }) => beside !== undefined)
      ? [
          { label: "as shown", subject: "plain", mark: "fill" },
          { label: "A", subject: "pinned", mark: "fill", hollow: true },
        ]
      : [];
  }

  protected override draw(): TemplateResult {
    const { spec, plot, scale, pitch } = this;
    const across = thin(
      spec.bins.map((bin, index) => ({ at: plot.left + (index + 0.5) * pitch, label: bin.label })),
      52,
    );
    const up = thin(
      [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]
        .filter((value) => value <= scale.domain()[1]!)
        .map((value) => ({ at: scale(value), label: value.toLocaleString("en") })),
      14,
    );
    return this.drawing(
      "histogram",
      svg`${leftAxis(plot, up, spec.y)}
      ${spec.bins.map((bin, index) =>
        bin.count > 0
          ? svg`<rect class="moves column fill-plain ${index === this.cursor ? "current" : ""}"
        x=${plot.left + index * pitch + pitch * 0.1} y=${scale(bin.count)} width=${pitch * 0.8} height=${plot.bottom - scale(bin.count)} />`
          : nothing,
      )}
      ${spec.bins.map((bin, index) =>
        bin.beside
          ? svg`<rect class="moves hollow line-pinned" x=${plot.left + index * pitch + pitch * 0.1} y=${scale(bin.beside)} width=${pitch * 0.8} height=${plot.bottom - scale(bin.beside)} />`
          : nothing,
      )}
      ${bottomAxis(plot, across, spec.x)}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-histogram", Histogram);
