import type { PlanInputs, PlanResults } from "#engine";
import { nothing, type PropertyValues, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { define } from "../../elements/define.js";
import { EngineElement } from "../../elements/engine-element.js";
import { viewStyles } from "../../elements/view-styles.js";
import { inShort } from "../../figures/layout-words.js";
import { significant } from "../../state/format.js";
import { divisionOf, type PlanRow } from "../../state/planned-layout.js";
import type { Session } from "../../state/session.js";
import { rounded, stepFigures } from "../../state/step.js";
import styles from "./families.css?inline";
import { againstFirst, inDetail, othersOf, tieWords } from "./sentences.js";

const bar = { width: 96, height: 14 };

/** The interval of a step on the axis of all rows; the dot is the prediction. */
function interval(row: PlanRow, from: number, to: number): TemplateResult {
  const at = (ms: number) => 2 + ((bar.width - 4) * (ms - from)) / (to - from || 1);
  const y = bar.height / 2;
  return html`<svg class="interval" width=${bar.width} height=${bar.height} aria-hidden="true">${svg`
    <line class="range" x1=${at(row.step_time_low_ms)} x2=${at(row.step_time_high_ms)} y1=${y} y2=${y}></line>
    <circle cx=${at(row.step_time_ms)} cy=${y} r="3"></circle>`}</svg>`;
}

/** How many variants of a family are listed when it is opened. */
const listed = 12;

interface Column {
  title: string;
  /** Left out if the table is narrow; the column that may break into lines is "others". */
  width?: string;
  cell: (row: PlanRow) => unknown;
  /** The same of a variant, where it says something. */
  variant?: (row: PlanRow) => unknown;
}

/** The best families of layouts, a row each; a row opens to its family's variants. */
export class Families extends EngineElement {
  // The scenario changes in place: whether a row is in use follows it.
  static override properties = {
    found: { attribute: false },
    sought: { attribute: false },
    scenario: { attribute: false, hasChanged: () => true },
    use: { attribute: false },
    isUsed: { attribute: false },
    chosen: { attribute: false },
    choose: { attribute: false },
    opened: { state: true },
  };

  declare found: PlanResults;
  /** The inputs that it was found with. */
  declare sought: Readonly<Record<string, unknown>>;
  declare scenario: Session;
  declare use: (row: PlanRow) => void;
  declare isUsed: (row: PlanRow) => boolean;
  /** The layout whose step is shown; the callback that shows another's, if there is a place for one. */
  declare chosen: PlanRow | undefined;
  declare choose: ((row: PlanRow) => void) | undefined;
  /** The families that are open, with their variants, by division. */
  declare opened: ReadonlyMap<string, readonly PlanRow[]>;

  constructor() {
    super();
    this.opened = new Map();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("found") || this.opened.size === 0) return;
    const still = this.found.layouts.filter((row) => this.opened.has(inShort(row)));
    this.opened = new Map(still.map((row) => [inShort(row), this.variantsOf(row)]));
  }

  /** The fastest layouts of a row's family: a search held to its degrees, which takes milliseconds. */
  private variantsOf(row: PlanRow): readonly PlanRow[] {
    const inputs = { ...this.sought, ...divisionOf(row), list_variants: listed };
    return this.scenario.engine.plan(inputs as unknown as PlanInputs).variants;
  }

  private toggle(row: PlanRow): void {
    const opened = new Map(this.opened);
    if (!opened.delete(inShort(row))) opened.set(inShort(row), this.variantsOf(row));
    this.opened = opened;
  }

  private columns(): Column[] {
    const { layouts, families } = this.found;
    const from = Math.min(...layouts.map((row) => row.step_time_low_ms));
    const to = Math.max(...layouts.map((row) => row.step_time_high_ms));
    const { sizes } = this.scenario;
    const first = layouts[0]!;
    const headroom = (row: PlanRow) =>
      html`<b>${significant(Math.max(0, row.headroom_percent), 2)} %</b> <span class="soft">${sizes.memory(row.memory_gib)}</span>`;
    return [
      {
        title: "Step",
        cell: (row) =>
          html`<b>${stepFigures.time(row)}</b> <span class="soft">${stepFigures.range(row)}</span>${interval(row, from, to)}<span class="narrow-only">${againstFirst(row, first)}</span>`,
        variant: (row) => html`${stepFigures.time(row)} <span class="narrow-only">${againstFirst(row, first)}</span>`,
      },
      {
        title: "Against the first",
        width: "wide-only",
        cell: (row) => againstFirst(row, first),
        variant: (row) => againstFirst(row, first),
      },
      { title: "Headroom", cell: headroom, variant: headroom },
      {
        title: "Its other variants",
        width: "wide-only others",
        cell: (row) => {
          const range = families[row.family - 1];
          return range ? othersOf(range, sizes.memory) : "";
        },
      },
      { title: "MFU", width: "wide-only", cell: stepFigures.mfu, variant: stepFigures.mfu },
      {
        title: "GPU-hours",
        width: "wide-only",
        cell: (row) => rounded(row.gpu_hours),
        variant: (row) => rounded(row.gpu_hours),
      },
      ...(layouts.some(({ cost }) => cost > 0)
        ? [
            {
              title: "Price",
              width: "wide-only",
              cell: (row: PlanRow) => rounded(row.cost),
              variant: (row: PlanRow) => rounded(row.cost),
            },
          ]
        : []),
    ];
  }

  /** A layout's name, which shows its step. */
  private named(row: PlanRow, name: string): unknown {
    const { choose } = this;
    return choose
      ? html`<button class="plain name" aria-pressed=${row === this.chosen ? "true" : "false"} title="Show one step of it" @click=${() => choose(row)}>${name}</button>`
      : name;
  }

  private classes(row: PlanRow, kind: string): string {
    return `${kind} ${this.isUsed(row) ? "used" : ""} ${row === this.chosen ? "chosen" : ""}`;
  }

  private useButton(row: PlanRow, name: string): TemplateResult | typeof nothing {
    if (this.isUsed(row)) return html`<span class="in-use">in use</span>`;
    if (this.scenario.readonly) return nothing;
    return html`<button class="plain" @click=${() => this.use(row)} aria-label=${`Use ${name}`}>Use</button>`;
  }

  private family(row: PlanRow, index: number, columns: readonly Column[]): TemplateResult {
    const { scenario } = this;
    const range = this.found.families[index];
    const variants = this.opened.get(inShort(row));
    const name = inShort(row);
    const best = inDetail(scenario, row);
    return html`<tr class="${this.classes(row, "family")} ${row.tie ? "tied" : ""}">
        <th scope="row">${index + 1}${row.tie ? html`<span class="visually-hidden">, within noise of the fastest</span>` : nothing}</th>
        <td class="text layout"><b>${this.named(row, name)}</b> <span class="soft">${best}</span>${
          range && range.layouts > 1
            ? html` <button class="plain no-print" aria-expanded=${variants ? "true" : "false"} aria-label=${`${variants ? "Hide" : "Show"} variants of ${name}`} @click=${() => this.toggle(row)}>${variants ? "Hide" : "Show"} variants</button>`
            : nothing
        }</td>
        ${columns.map(({ cell, width }) => html`<td class=${width ?? ""}>${cell(row)}</td>`)}
        <td class="no-print">${this.useButton(row, `layout ${index + 1}: ${name}`)}</td></tr>
      ${(variants ?? []).map(
        (variant) => html`<tr class=${this.classes(variant, "variant")}><td></td>
          <td class="text layout">${this.named(variant, inDetail(scenario, variant))}</td>
          ${columns.map((column) => html`<td class=${column.width ?? ""}>${column.variant?.(variant) ?? ""}</td>`)}
          <td class="no-print">${this.useButton(variant, `${name}, ${inDetail(scenario, variant)}`)}</td></tr>`,
      )}`;
  }

  override render(): TemplateResult {
    const columns = this.columns();
    return html`<p class="tie-line">${tieWords(this.found)}</p>
      <div class="scroll" tabindex="0" role="group" aria-label="The best families of layouts">
        <table class="layouts">
          <thead><tr><th scope="col">#</th><th scope="col" class="text">Family, and its best variant</th>
            ${columns.map(({ title, width }) => html`<th scope="col" class=${width ?? ""}>${title}</th>`)}
            <th scope="col" class="no-print"><span class="visually-hidden">Take over</span></th></tr></thead>
          <tbody>${this.found.layouts.map((row, index) => this.family(row, index, columns))}</tbody>
        </table>
      </div>`;
  }

  static override styles = [viewStyles, unsafeCSS(styles)];
}

define("commcost-families", Families);
