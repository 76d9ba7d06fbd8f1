import { scaleLinear } from "d3-scale";
import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/tokens.js";
import { axisTicks, bottomAxis, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import type { LegendEntry } from "./legend.js";
import type { Unit } from "../state/format.js";
import styles from "./stacked-bars.css?inline";
import { define } from "../elements/define.js";
import { namedBar, placeAt } from "./marks.js";

/** A piece of a bar. */
export interface StackedPart {
  name: string;
  value: number;
  /** What its colour stands for. */
  color: Subject;
  /** Where it begins, if that is not where the part before it ends. */
  from?: number;
}

/** A bar, its parts one after the other. */
export interface StackedBar {
  label: string;
  parts: readonly StackedPart[];
  /** A mark across the bar, such as the available memory. */
  limit?: { at: number; label: string };
  /** The total in words, if it is not the sum of the parts. */
  total?: string;
  /** What is read out for it, if that is more than its name, value and share. */
  says?: string;
  /** Paler: another scenario's. */
  quiet?: boolean;
}

/** Horizontal bars of parts, on one axis. */
export interface StackedBarsSpec extends FigureSpec {
  bars: readonly StackedBar[];
  /** Without a unit where there are `units`: the one that it is in is added. */
  axis: string;
  format: (value: number) => string;
  /** Those that the axis can be in. */
  units?: readonly Unit[];
}

const barHeight = 26;
const barPitch = 52;
/** Thinner parts, px, can't be seen and are not named; the table has them. */
const leastSeen = 0.25;
const letter = 7;
const boldLetter = 7.5;

/** Horizontal bars of parts: the total, and what it is made of. */
export class StackedBars extends ChartFigure<StackedBarsSpec> {
  protected override get height(): number {
    return 12 + this.spec.bars.length * barPitch + 44;
  }

  protected override get margins(): Plot {
    return { left: 10, right: 14, top: 12, bottom: 44 };
  }

  private total(bar: StackedBar): number {
    return bar.parts.reduce((sum, part) => sum + part.value, 0);
  }

  private get scale() {
    const most = Math.max(...this.spec.bars.map((bar) => Math.max(this.total(bar), bar.limit?.at ?? 0)), 0);
    return scaleLinear()
      .domain([0, most || 1])
      .range([this.plot.left, this.plot.right]);
  }

  private get flat(): { bar: StackedBar; part: StackedPart; row: number; from: number }[] {
    return this.spec.bars.flatMap((bar, row) => {
      let from = 0;
      return bar.parts.map((part) => {
        const placed = { bar, part, row, from: part.from ?? from };
        from = placed.from + part.value;
        return placed;
      });
    });
  }

  protected override get stops(): number {
    return this.flat.length;
  }

  protected override stopAt(x: number, y: number): number {
    const rows = this.spec.bars.length;
    const row = placeAt((y - this.plot.top) / barPitch / rows, rows);
    const value = this.scale.invert(x);
    let best = 0;
    this.flat.forEach((placed, index) => {
      if (placed.row === row && placed.from <= value) best = index;
    });
    return best;
  }

  protected override reading(stop: number): string {
    const placed = this.flat[stop];
    if (!placed) return "";
    if (placed.bar.says) return placed.bar.says;
    const share = (100 * placed.part.value) / (this.total(placed.bar) || 1);
    return `${placed.bar.label}: ${placed.part.name} ${this.spec.format(placed.part.value)}, ${
      share >= 0.1 || share === 0 ? share.toFixed(1) : "under 0.1"
    } %`;
  }

  private widthOf(value: number): number {
    return this.scale(value) - this.scale(0);
  }

  private fits(part: StackedPart): boolean {
    return part.name.length * 6.4 + 10 < this.widthOf(part.value);
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const placed = this.flat[stop];
    if (!placed) return undefined;
    const middle = this.scale(placed.from + placed.part.value / 2);
    return [middle, this.plot.top + placed.row * barPitch + 19 + barHeight / 2];
  }

  private drawPart({ part, from, row }: { part: StackedPart; from: number; row: number }, index: number) {
    const { quiet } = this.spec.bars[row]!;
    const x = this.scale(from);
    const y = this.plot.top + row * barPitch + 19;
    const width = Math.max(0, this.widthOf(part.value));
    const bar = namedBar({
      subject: part.color,
      name: part.name,
      fits: this.fits(part),
      box: [x, y, width, barHeight],
      current: index === this.cursor,
    });
    return svg`<g class=${quiet ? "quiet" : ""}>${bar}</g>`;
  }

  private drawBar(bar: StackedBar, row: number): SVGTemplateResult {
    const y = this.plot.top + row * barPitch;
    return svg`<text class="bar-label" x=${this.plot.left} y=${y + 13}>${bar.label}
        <tspan class="total">${this.totalOf(bar)}</tspan></text>
      ${this.flat.map((placed, index) => (placed.row === row ? this.drawPart(placed, index) : nothing))}
      ${
        bar.limit
          ? svg`<g class="moves" transform=${`translate(${this.scale(bar.limit.at)} ${y})`}><line class="limit" y1="15" y2=${23 + barHeight} />
        ${this.limitLabel(bar, bar.limit)}</g>`
          : nothing
      }`;
  }

  /** Left of its line, at 0, or behind the bar's own label where they would meet. */
  private limitLabel(bar: StackedBar, { at, label }: { at: number; label: string }): SVGTemplateResult {
    const own = this.plot.left + bar.label.length * letter + (this.totalOf(bar).length + 1) * boldLetter + 8;
    const x = this.scale(at);
    const left = x - 5 - label.length * letter;
    return left >= own
      ? svg`<text class="halo" x="-5" y="13" text-anchor="end">${label}</text>`
      : svg`<text class="halo" x=${Math.max(5, own - x)} y="13">${label}</text>`;
  }

  private totalOf(bar: StackedBar): string {
    return bar.total ?? this.spec.format(this.total(bar));
  }

  /** Parts too thin for their name in every bar, with what they come to where there is one bar of them. */
  protected override get legend(): readonly LegendEntry[] {
    const shown = this.flat.filter(({ part }) => this.widthOf(part.value) >= leastSeen);
    const named = new Set(shown.filter(({ part }) => this.fits(part)).map(({ part }) => part.name));
    const listed = new Map(
      shown.filter(({ part }) => !named.has(part.name)).map((placed) => [placed.part.name, placed]),
    );
    return [...listed.values()].map(({ part }) => {
      const values = shown.filter((placed) => placed.part.name === part.name);
      const value = values.length === 1 ? ` ${this.spec.format(part.value)}` : "";
      return { label: `${part.name}${value}`, subject: part.color, mark: "fill" };
    });
  }

  protected override get empty(): boolean {
    return !this.flat.some(({ part }) => part.value > 0);
  }

  protected override draw(): TemplateResult {
    const { spec, plot, scale } = this;
    const axis = { label: spec.axis, format: spec.format, ...(spec.units && { units: spec.units }) };
    const { ticks, title } = axisTicks(axis, scale, "linear", 6, spec.units ? 40 : 64);
    const zeroed = ticks.map((tick, index) => (index === 0 && tick.label ? { ...tick, label: "0" } : tick));
    return this.drawing(
      "stacked bars",
      svg`${spec.bars.map((bar, row) => this.drawBar(bar, row))}
      ${bottomAxis(plot, zeroed, title)}`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-stacked-bars", StackedBars);
