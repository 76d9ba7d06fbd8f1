import { nothing, type PropertyValues, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { thin } from "./axis.js";
import { handleStyles, keyed, knob, placeHandle, type Drag } from "./drag.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import styles from "./heat-map.css?inline";
import { define } from "../elements/define.js";
import { around, type Labels } from "./labels.js";
import { axes, haloed, hereMark, placeAt } from "./marks.js";

/** One side of a heat map: values in ascending order, evenly spaced as drawn. */
interface HeatAxis {
  label: string;
  values: readonly number[];
  format: (value: number) => string;
}

/** What moving the marked point sets: one of these values on each axis, ascending. */
export interface GridDrag {
  /** In words: "Hidden size and tensor degree". */
  label: string;
  x: readonly number[];
  y: readonly number[];
}

/** Ratios over two quantities, above and below 1 told apart. */
export interface HeatMapSpec extends FigureSpec {
  x: HeatAxis;
  y: HeatAxis;
  /** The ratio at (x, y): cells[yIndex][xIndex]. */
  cells: readonly (readonly number[])[];
  format: (value: number) => string;
  /** What each side of 1 means, and the line between. */
  below: string;
  above: string;
  line: string;
  /** The place of the reader's own scenario, in values of the axes. */
  here?: { x: number; y: number; label: string; drag?: GridDrag } | undefined;
  /** The pinned scenario's ratios at the same places, and its own place. */
  then?: { cells: HeatMapSpec["cells"]; here: { x: number; y: number } | undefined } | undefined;
  /** The measured ratio there, and its source. */
  own?: { ratio: number; label: string } | undefined;
}

const steps = 4;

/** Shade of a ratio: -4 (a sixteenth or less) to 4 (sixteen times or more), one for each doubling; never 0. */
function shade(ratio: number): number {
  const doublings = Math.log2(ratio);
  const size = Math.min(steps, Math.max(1, Math.ceil(Math.abs(doublings))));
  return doublings > 0 ? size : -size;
}

/** The place of `value` among ascending `values`, between two where it lies between them on a log scale. */
function placeOf(value: number, values: readonly number[]): number | undefined {
  for (let index = 1; index < values.length; index++) {
    const low = values[index - 1]!;
    const high = values[index]!;
    if (value >= low && value <= high) return index - 1 + Math.log(value / low) / Math.log(high / low);
  }
  return undefined;
}

/** Rectangles shaded by how far a ratio lies from 1, and the line where it is 1. */
export class HeatMap extends ChartFigure<HeatMapSpec> {
  protected override get height(): number {
    return this.tall(0.55, 240, 360);
  }

  private get columns(): number {
    return this.spec.x.values.length;
  }

  /** The middle of a cell, or of a place between cells. */
  private middle(x: number, y: number): [number, number] {
    const { left, right, top, bottom } = this.plot;
    return [
      left + ((x + 0.5) * (right - left)) / this.columns,
      bottom - ((y + 0.5) * (bottom - top)) / this.spec.y.values.length,
    ];
  }

  protected override get stops(): number {
    return this.columns * this.spec.y.values.length;
  }

  protected override get firstStop(): number {
    const { here, x, y } = this.spec;
    const column = here ? placeOf(here.x, x.values) : undefined;
    const row = here ? placeOf(here.y, y.values) : undefined;
    return column === undefined || row === undefined ? 0 : Math.round(row) * this.columns + Math.round(column);
  }

  protected override stopAt(x: number, y: number): number {
    const { left, right, top, bottom } = this.plot;
    const column = placeAt((x - left) / (right - left), this.columns);
    return placeAt((bottom - y) / (bottom - top), this.spec.y.values.length) * this.columns + column;
  }

  protected override reading(stop: number): string {
    const { x, y, cells, format, below, above } = this.spec;
    const row = Math.floor(stop / this.columns);
    const column = stop % this.columns;
    const ratio = cells[row]?.[column];
    if (ratio === undefined) return "";
    return `${x.format(x.values[column]!)} ${x.label}, ${y.format(y.values[row]!)} ${y.label}: ${format(ratio)}, ${ratio > 1 ? above : below}`;
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    return this.middle(stop % this.columns, Math.floor(stop / this.columns));
  }

  /** Up and down go to the next row; the rest is as in every chart. */
  private onGridKey = (event: KeyboardEvent): void => {
    const by = { ArrowUp: this.columns, ArrowDown: -this.columns }[event.key];
    if (by === undefined) return this.onKey(event);
    event.preventDefault();
    const to = (this.cursor ?? this.firstStop) + by;
    if (to >= 0 && to < this.stops) this.cursor = to;
  };

  /** Where the ratio passes 1: a stretch of line for each square of four neighbouring middles that it passes through. */
  private unitLine(cells: HeatMapSpec["cells"]): string {
    const stretches: string[] = [];
    const crossing = (ax: number, ay: number, bx: number, by: number): [number, number] | undefined => {
      const a = Math.log(cells[ay]![ax]!);
      const b = Math.log(cells[by]![bx]!);
      if (!Number.isFinite(a) || !Number.isFinite(b) || a > 0 === b > 0) return undefined;
      const share = a / (a - b);
      return this.middle(ax + share * (bx - ax), ay + share * (by - ay));
    };
    for (let y = 0; y + 1 < cells.length; y++) {
      for (let x = 0; x + 1 < this.columns; x++) {
        const points = [
          crossing(x, y, x + 1, y),
          crossing(x, y + 1, x + 1, y + 1),
          crossing(x, y, x, y + 1),
          crossing(x + 1, y, x + 1, y + 1),
        ].filter((point) => point !== undefined);
        if (points.length >= 2) stretches.push(`M${points[0]!.join(" ")}L${points[1]!.join(" ")}`);
      }
    }
    return stretches.join("");
  }

  private drawCells(): SVGTemplateResult[] {
    const { left, right, top, bottom } = this.plot;
    const width = (right - left) / this.columns;
    const height = (bottom - top) / this.spec.y.values.length;
    return this.spec.cells.flatMap((row, y) =>
      row.map(
        (ratio, x) => svg`<rect class="cell ${
          ratio > 0 ? `shade${shade(ratio)}` : "nothing"
        }" x=${left + x * width} y=${bottom - (y + 1) * height}
      width=${width + 0.4} height=${height + 0.4} />`,
      ),
    );
  }

  private drawThen(labels: Labels): SVGTemplateResult | typeof nothing {
    const { then, x, y } = this.spec;
    if (!then) return nothing;
    const [column, row] = then.here ? [placeOf(then.here.x, x.values), placeOf(then.here.y, y.values)] : [];
    const place = column === undefined || row === undefined ? undefined : this.middle(column, row);
    return svg`<path class="unit then" d=${this.unitLine(then.cells)} />
      ${
        place
          ? svg`<circle class="there" cx=${place[0]} cy=${place[1]} r="5" />
          ${haloed(labels.mark(place, 5).place("A", around(place, 5, "A", this.plot)), "there-label")}`
          : nothing
      }`;
  }

  private drawHere(labels: Labels): SVGTemplateResult | typeof nothing {
    const { here, x, y } = this.spec;
    const column = here ? placeOf(here.x, x.values) : undefined;
    const row = here ? placeOf(here.y, y.values) : undefined;
    if (!here || column === undefined || row === undefined) return nothing;
    const at = this.middle(column, row);
    const { own } = this.spec;
    const radius = here.drag ? 7 : 5;
    const outer = own ? 13 : radius;
    labels.mark(at, outer);
    const label = labels.place(here.label, around(at, outer, here.label, this.plot));
    return svg`${
      own
        ? svg`<circle class="own shade${shade(own.ratio)}" cx=${at[0]} cy=${at[1]} r=${outer} />
        ${haloed(labels.place(own.label, around(at, outer, own.label, this.plot)), "here-label")}`
        : nothing
    }${hereMark(at, radius, label)}`;
  }

  private move(x: number | undefined, y: number | undefined): void {
    const { here } = this.spec;
    if (!here || (x === here.x && y === here.y)) return;
    this.dispatchEvent(new CustomEvent("change", { detail: { x: x ?? here.x, y: y ?? here.y } }));
  }

  /** The values of the axes nearest to a pointer. */
  private dragTo(event: PointerEvent, { x, y }: GridDrag): void {
    const [left, top] = this.placeOf(event, this.svg);
    const stop = this.stopAt(left, top);
    const near = (values: readonly number[], value: number) =>
      values.reduce((best, one) => (Math.abs(Math.log(one / value)) < Math.abs(Math.log(best / value)) ? one : best));
    this.move(
      near(x, this.spec.x.values[stop % this.columns]!),
      near(y, this.spec.y.values[Math.floor(stop / this.columns)]!),
    );
  }

  protected override handle(): TemplateResult | typeof nothing {
    const { here, x, y } = this.spec;
    const drag = here?.drag;
    if (!here || !drag || placeOf(here.x, x.values) === undefined || placeOf(here.y, y.values) === undefined)
      return nothing;
    const values = (upright: boolean): Drag => ({
      label: drag.label,
      values: upright ? drag.y : drag.x,
      format: String,
    });
    const onKey = (event: KeyboardEvent) => {
      const upright = event.key === "ArrowUp" || event.key === "ArrowDown";
      const to = keyed(values(upright), "log", upright ? here.y : here.x, event.key);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (upright) this.move(undefined, to);
      else this.move(to, undefined);
    };
    const told = `${x.format(here.x)} ${x.label}, ${y.format(here.y)} ${y.label}`;
    return knob({
      label: drag.label,
      now: here.x,
      text: told,
      least: drag.x[0]!,
      most: drag.x.at(-1)!,
      onKey,
      onDrag: (event) => this.dragTo(event, drag),
    });
  }

  /** Where the handle lies is set here: a policy may forbid styles in markup. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { here, x, y } = this.spec ?? {};
    if (!here) return;
    const [column, row] = [placeOf(here.x, x!.values), placeOf(here.y, y!.values)];
    if (column === undefined || row === undefined) return;
    placeHandle(this.renderRoot, this.middle(column, row), [this.width, this.height]);
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const across = thin(
      spec.x.values.map((value, index) => ({ at: this.middle(index, 0)[0], label: spec.x.format(value) })),
      46,
    );
    const up = thin(
      spec.y.values.map((value, index) => ({ at: this.middle(0, index)[1], label: spec.y.format(value) })),
      16,
    );
    const [upright, level] = [
      { ticks: up, title: spec.y.label },
      { ticks: across, title: spec.x.label },
    ];
    const labels = this.labels(upright, level);
    const here = this.drawHere(labels);
    const stop = this.cursor;
    const marked = stop === undefined ? undefined : this.middle(stop % this.columns, Math.floor(stop / this.columns));
    return this.drawing(
      "heat map",
      svg`${axes(plot, upright, level)}
      ${this.drawCells()}
      <path class="unit" d=${this.unitLine(spec.cells)} />
      ${this.drawThen(labels)}
      ${here}
      ${marked ? svg`<rect class="cursor on-screen" x=${marked[0] - 7} y=${marked[1] - 7} width="14" height="14" />` : nothing}`,
      this.onGridKey,
    );
  }

  protected override key(): TemplateResult {
    const { spec } = this;
    return html`<ul class="legend">
      <li><svg class="key" viewBox="0 0 64 10" aria-hidden="true">${[4, 3, 2, 1].map(
        (step, index) => svg`<rect class="cell shade-${step}" x=${index * 16} width="16" height="10" />`,
      )}</svg>${spec.below}</li>
      <li><svg class="key line" viewBox="0 0 24 10" aria-hidden="true"><path class="unit" d="M0 5H24" /></svg>${spec.line}</li>
      ${
        spec.then
          ? html`<li><svg class="key line" viewBox="0 0 24 10" aria-hidden="true"><path class="unit then" d="M0 5H24" /></svg>A: ${spec.line}</li>`
          : nothing
      }
      <li><svg class="key" viewBox="0 0 64 10" aria-hidden="true">${[1, 2, 3, 4].map(
        (step, index) => svg`<rect class="cell shade${step}" x=${index * 16} width="16" height="10" />`,
      )}</svg>${spec.above}</li>
    </ul>`;
  }

  static override styles = [ChartFigure.styles, handleStyles, unsafeCSS(styles)];
}

define("commcost-heat-map", HeatMap);
