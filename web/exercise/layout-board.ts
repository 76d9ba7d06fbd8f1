import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { define } from "../elements/define.js";
import { base, theme } from "../elements/theme.js";
import { exact, significant } from "../state/format.js";
import { type Board, type Cell, cellOf, degrees } from "./layout-grade.js";
import styles from "./layout-board.css?inline";

export { boardOf, cellOf, fastestWords, judgeLayout, layoutHints } from "./layout-grade.js";

/** Degrees as they are kept and sent. */
export interface Flag {
  tensor: number;
  pipeline: number;
}

const same = (one: Flag, other: Flag | undefined): boolean =>
  one.tensor === other?.tensor && one.pipeline === other.pipeline;

/** How much slower a colour stands for, percent; what is darker is slower than all of them. */
const shades = [10, 25, 60] as const;

/** TP by PP: a flag is planted on one layout before any time is shown; those that were tried, or all, then show theirs. */
class LayoutBoard extends LitElement {
  static override properties = {
    board: { attribute: false },
    given: { attribute: false },
    flag: { attribute: false },
    tried: { attribute: false },
    open: { attribute: false },
    tolerance: { attribute: false },
  };

  declare board: Board;
  /** The layout that the exercise speaks of. */
  declare given: Flag;
  declare flag: Flag | undefined;
  /** Those that were checked. */
  declare tried: readonly Flag[];
  /** Whether all show their times. */
  declare open: boolean;
  /** How much longer is right, percent. */
  declare tolerance: number;

  private shown(cell: Cell): boolean {
    return this.open || this.tried.some((one) => same(one, cell));
  }

  private shade({ slower }: Cell): string {
    if (slower === undefined) return "unfit";
    if (slower <= this.tolerance) return "best";
    const place = shades.findIndex((most) => slower <= most);
    return `slower-${place < 0 ? shades.length : place}`;
  }

  /** What is known of a layout, in as few characters as a narrow board has room for. */
  private words(cell: Cell): string {
    if (!this.shown(cell)) return `DP ${exact(cell.data)}`;
    if (cell.slower === undefined) return `${significant(cell.step!.memory_gib, 3)} GiB`;
    return cell.slower === 0 ? "fastest" : `+${significant(cell.slower, 2)} %`;
  }

  private cell(cell: Cell): TemplateResult {
    const { tensor, pipeline } = cell;
    if (cell.impossible)
      return html`<td class="never" title=${cell.impossible}><span aria-hidden="true">–</span><span class="visually-hidden">can’t run: ${cell.impossible}</span></td>`;
    const planted = same(cell, this.flag);
    const name = `TP ${tensor}, PP ${pipeline}: ${this.shown(cell) ? (cell.slower === undefined ? "doesn’t fit, " : "") + this.words(cell) : `${exact(cell.data)} replicas`}${same(cell, this.given) ? ", the given layout" : ""}`;
    const choose = () =>
      this.dispatchEvent(new CustomEvent("plant", { detail: { tensor, pipeline } satisfies Flag, bubbles: true }));
    return html`<td><label class=${[this.shown(cell) ? this.shade(cell) : "", planted ? "planted" : "", same(cell, this.given) ? "given" : ""].join(" ")}>
      <input type="radio" name="layout" value="${tensor}-${pipeline}" aria-label=${name} .checked=${planted} @change=${choose} />
      <span aria-hidden="true">${this.words(cell)}</span>${planted ? html`<span class="flag" aria-hidden="true">⚑</span>` : nothing}</label></td>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { board } = this;
    if (!board) return nothing;
    return html`<div role="radiogroup" aria-labelledby="asked" aria-describedby="legend"><p id="asked" class="asked">Which layout would you run? Plant your flag.</p>
      <table><thead><tr><td></td>${degrees.map((pipeline) => html`<th scope="col">PP ${pipeline}</th>`)}</tr></thead>
      <tbody>${degrees.map(
        (tensor) =>
          html`<tr><th scope="row">TP ${tensor}</th>${degrees.map((pipeline) => this.cell(cellOf(board, tensor, pipeline)))}</tr>`,
      )}</tbody></table>
      <p id="legend" class="small soft">Outlined: the given layout. +10 %: a step takes so much longer than the fastest. GiB: what a GPU would need where it doesn’t fit.
        Times are our predictions for Megatron-Core with ZeRO-1, sequence parallelism and selective recomputation.</p></div>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-layout-board", LayoutBoard);
