import { svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import type { Plot } from "../../charts/axis.js";
import { ChartFigure, type FigureSpec } from "../../charts/figure.js";
import type { LegendEntry } from "../../charts/legend.js";
import { placeAt } from "../../charts/marks.js";
import type { Subject } from "../../elements/tokens.js";
import { define } from "../../elements/define.js";
import styles from "./grid-chart.css?inline";

interface GridCell {
  /** Shares that make one. */
  parts: readonly { color: Subject; name: string; share: number }[];
  /** Under the bar. */
  text: string;
  /** Outlined: it can't run like that. */
  warned: boolean;
  reading: string;
}

/** Small bars in rows and columns, each of shares. */
export interface GridSpec extends FigureSpec {
  columns: readonly string[];
  across: string;
  rows: readonly string[];
  up: string;
  cells: readonly (readonly (GridCell | undefined)[])[];
  /** What an outlined cell means. */
  warning: string;
}

const rowHeight = 58;
const barHeight = 30;
/** A cell narrower than this has room only for a shorter text. */
const narrow = 30;

/** A grid of stacked bars of equal width. */
export class GridChart extends ChartFigure<GridSpec> {
  protected override get height(): number {
    return 34 + this.spec.rows.length * rowHeight + 40;
  }

  protected override get margins(): Plot {
    return { left: 46, right: 4, top: 34, bottom: 40 };
  }

  private get pitch(): number {
    return (this.plot.right - this.plot.left) / this.spec.columns.length;
  }

  protected override get stops(): number {
    return this.spec.rows.length * this.spec.columns.length;
  }

  protected override stopAt(x: number, y: number): number {
    const { left, right, top } = this.plot;
    const column = placeAt((x - left) / (right - left), this.spec.columns.length);
    const row = placeAt((y - top) / (this.spec.rows.length * rowHeight), this.spec.rows.length);
    return row * this.spec.columns.length + column;
  }

  private at(stop: number): readonly [row: number, column: number] {
    return [Math.floor(stop / this.spec.columns.length), stop % this.spec.columns.length];
  }

  protected override reading(stop: number): string {
    const [row, column] = this.at(stop);
    const cell = this.spec.cells[row]?.[column];
    return `${this.spec.rows[row]}, ${cell ? cell.reading : `${this.spec.columns[column]} ${this.spec.across}: none`}`;
  }

  protected override anchor(stop: number): readonly [number, number] | undefined {
    const [row, column] = this.at(stop);
    return [this.plot.left + (column + 0.5) * this.pitch, this.plot.top + row * rowHeight + barHeight / 2];
  }

  protected override get legend(): readonly LegendEntry[] {
    const cells = this.spec.cells.flat().filter((cell) => cell !== undefined);
    return cells.length === 0
      ? []
      : cells[0]!.parts.map(({ color, name }) => ({ label: name, subject: color, mark: "fill" }));
  }

  private drawCell(cell: GridCell, row: number, column: number): SVGTemplateResult {
    const x = this.plot.left + column * this.pitch + 3;
    const y = this.plot.top + row * rowHeight;
    const width = this.pitch - 6;
    let before = 0;
    const bars = cell.parts.map(({ color, share }) => {
      const rect = svg`<rect class="bar fill-${color}" x=${x + before * width} y=${y} width=${Math.max(0, share) * width} height=${barHeight} />`;
      before += share;
      return rect;
    });
    const current = this.cursor === row * this.spec.columns.length + column;
    const text = width < narrow ? cell.text.replace("×", "").replace(/\..*/, "") : cell.text;
    return svg`${bars}
      <rect class=${`frame ${cell.warned ? "warned" : ""} ${current ? "current" : ""}`} x=${x} y=${y} width=${width} height=${barHeight} />
      <text class=${cell.warned ? "warned" : ""} x=${x + width / 2} y=${y + barHeight + 15} text-anchor="middle">${text}</text>`;
  }

  protected override draw(): TemplateResult {
    const { spec, plot } = this;
    const bottom = plot.top + spec.rows.length * rowHeight;
    const warned = spec.cells.flat().some((cell) => cell?.warned);
    return this.drawing(
      "grid",
      svg`<text x="0" y="16">${spec.up}</text>
      ${warned ? svg`<text class="warned" x=${plot.right} y="16" text-anchor="end">dashed: ${spec.warning}</text>` : ""}
      ${spec.rows.map((name, row) => svg`<text x="0" y=${plot.top + row * rowHeight + barHeight / 2} dy="0.35em">${name}</text>`)}
      ${spec.cells.map((cells, row) => cells.map((cell, column) => (cell ? this.drawCell(cell, row, column) : "")))}
      ${spec.columns.map((name, column) => svg`<text x=${plot.left + (column + 0.5) * this.pitch} y=${bottom + 10} text-anchor="middle">${name}</text>`)}
      <text x=${(plot.left + plot.right) / 2} y=${bottom + 30} text-anchor="middle">${spec.across}</text>`,
    );
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-projection-grid", GridChart);
