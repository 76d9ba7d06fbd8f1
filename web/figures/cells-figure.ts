import { type nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./cells-figure.css?inline";
import { define } from "../elements/define.js";

/** Two tokens of four numbers, and a matrix of two columns: the same as in the article's text. */
const input: readonly (readonly number[])[] = [
  [1, 2, 3, -1],
  [0, 1, -1, 2],
];
const matrix: readonly (readonly number[])[] = [
  [1, 2],
  [-2, 1],
  [1, 0],
  [2, 1],
];

const ways = ["whole", "columns", "rows"] as const;
type Way = (typeof ways)[number];

const greatestWidth = 620;
const signed = (value: number): string => (value < 0 ? `−${-value}` : String(value));
const factor = (value: number): string => (value < 0 ? `(${signed(value)})` : String(value));

/** One number of the product, or a part of it: the inputs from one index to another times a column. */
const sumOf = (row: number, column: number, from = 0, to = matrix.length): number =>
  matrix.slice(from, to).reduce((sum, weights, index) => sum + input[row]![from + index]! * weights[column]!, 0);

/** The same written out. */
const written = (row: number, column: number, from = 0, to = matrix.length): string =>
  `${matrix
    .slice(from, to)
    .map((weights, index) => `${signed(input[row]![from + index]!)}·${factor(weights[column]!)}`)
    .join(" + ")} = ${signed(sumOf(row, column, from, to))}`;

/** One matrix with numbers in it, cut into columns or into rows for two GPUs: which of them have whole results. */
export class CellsFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, way: { state: true }, cell: { state: true } };

  /** How the reader has cut it, if at all. */
  declare way: Way | undefined;
  /** The number of the result that is followed: its row and column. */
  declare cell: readonly [number, number];

  constructor() {
    super();
    this.cell = [0, 0];
  }

  private get cut(): Way {
    return this.way ?? (this.answered ? "rows" : "whole");
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override showStep(step: number): void {
    this.way = ways[step] ?? this.way;
  }

  protected override told(): string {
    const [row, column] = this.cell;
    const half = matrix.length / 2;
    switch (this.cut) {
      case "whole":
        return `One GPU: ${written(row, column)}. Cut the matrix for two: press one of the knives.`;
      case "columns":
        return `Columns: GPU ${column} has the whole column, and its number is done: ${written(row, column)}.`;
      default:
        return `Rows: GPU 0 gets ${written(row, column, 0, half)}, GPU 1 gets ${written(row, column, half)}. Neither is ${signed(sumOf(row, column))}; their sum is.`;
    }
  }

  protected override picture(): TemplateResult {
    const width = Math.min(this.width, greatestWidth);
    const narrow = width < 460;
    const size = Math.min(34, width / 17);
    const height = 4 * size + 54;
    const middle = 2 * size + 16;
    const half = matrix.length / 2;
    const [row, column] = this.cell;
    const way = this.cut;
    const split = way === "rows";
    const gap = split ? 6 : 0;
    const owner = (gpu: number) => originColor(gpu, 2);
    const box = (
      x: number,
      y: number,
      value: number,
      fill: string | typeof nothing,
      held: boolean,
    ): SVGTemplateResult =>
      svg`<rect class="cell" x=${x} y=${y} width=${size} height=${size} fill=${fill} /><text class=${held ? "strong" : "soft"} x=${x + size / 2} y=${y + size / 2} dy="0.35em">${signed(value)}</text>`;
    const plain = "var(--paper-raised)";
    const sign = (x: number, text: string) => svg`<text class="sign" x=${x} y=${middle} dy="0.35em">${text}</text>`;
    const step = narrow ? size * 0.9 : size * 1.3;
    const start = 2;
    const weights = start + 4 * size + gap + step;
    // The handle of the knife that cuts rows lies in front of the sign.
    const handle = narrow ? 6 : 7;
    const results = weights + 2 * size + (way === "columns" ? 6 : 0) + handle + 4 + step;
    const inputs = input.flatMap((numbers, token) =>
      numbers.map((value, index) =>
        box(
          start + index * size + (index >= half ? gap : 0),
          middle - size + token * size,
          value,
          split ? owner(index < half ? 0 : 1) : plain,
          token === row,
        ),
      ),
    );
    const cells = matrix.flatMap((numbers, index) =>
      numbers.map((value, columnIndex) => {
        const x = weights + columnIndex * size + (way === "columns" && columnIndex === 1 ? 6 : 0);
        const y = middle - 2 * size + index * size + (split && index >= half ? gap : 0) - gap / 2;
        const fill = way === "columns" ? owner(columnIndex) : split ? owner(index < half ? 0 : 1) : plain;
        return box(x, y, value, fill, columnIndex === column);
      }),
    );
    // Where the matrix may be cut: a press on the line does it.
    const top = middle - 2 * size;
    const lines = (
      [
        ["columns", weights + size + 3, top - 6, weights + size + 3, top + 4 * size + 8],
        ["rows", weights - 8, middle, weights + 2 * size + handle, middle],
      ] as const
    ).map(
      ([to, x1, y1, x2, y2]) => svg`<g class=${way === to ? "knife done" : "knife"} @click=${() => (this.way = to)}>
        <line class="reach" x1=${x1} y1=${y1} x2=${x2} y2=${y2} /><line class="line" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />
        <circle cx=${to === "rows" ? x2 : x1} cy=${to === "rows" ? y2 : y1} r=${handle} /></g>`,
    );
    const sheet = (x: number, from: number, to: number, fill: (columnIndex: number) => string) =>
      input.flatMap((_, token) =>
        [0, 1].map(
          (columnIndex) =>
            svg`<g class="result" @pointerenter=${() => (this.cell = [token, columnIndex])} @click=${() => (this.cell = [token, columnIndex])}>${box(
              x + columnIndex * size + (way === "columns" && columnIndex === 1 ? 6 : 0),
              middle - size + token * size,
              sumOf(token, columnIndex, from, to),
              fill(columnIndex),
              token === row && columnIndex === column,
            )}<rect class=${token === row && columnIndex === column ? "held" : "free"} x=${x + columnIndex * size + (way === "columns" && columnIndex === 1 ? 6 : 0)} y=${middle - size + token * size} width=${size} height=${size} /></g>`,
        ),
      );
    const next = results + 2 * size + step;
    const named = (x: number, text: string) => svg`<text class="soft" x=${x} y=${height - 6}>${text}</text>`;
    return html`<svg class="cells" viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.told()}>
      ${inputs}${sign(weights - step / 2, "×")}${cells}${lines}${sign(results - step / 2, "=")}
      ${
        split
          ? svg`${sheet(results, 0, half, () => owner(0))}${sign(next - step / 2, "+")}${sheet(next, half, matrix.length, () => owner(1))}
            ${sign(next + 2 * size + step / 2, "=")}${sheet(next + 2 * size + step, 0, matrix.length, () => plain)}
            ${named(results + size, "GPU 0")}${named(next + size, "GPU 1")}${named(next + 3 * size + step, "sum")}`
          : svg`${sheet(results, 0, matrix.length, (columnIndex) => (way === "columns" ? owner(columnIndex) : plain))}
            ${way === "columns" ? svg`${named(results + size / 2, narrow ? "0" : "GPU 0")}${named(results + 1.5 * size + (narrow ? 6 : 22), narrow ? "1" : "GPU 1")}` : named(results + size, "result")}`
      }
      ${named(start + 2 * size, "input")}${named(weights + size, "matrix")}
    </svg>`;
  }

  protected override control(): TemplateResult {
    const now = ways.indexOf(this.cut);
    return this.slider({
      label: "The cut",
      stops: [0, 1, 2],
      now,
      text: ["not cut", "by columns", "by rows"][now]!,
      choose: (way) => (this.way = ways[way]!),
    });
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-cells-figure", CellsFigure);
