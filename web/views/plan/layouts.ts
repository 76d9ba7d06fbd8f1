import type { PlanResults } from "#engine";
import { html, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { exact, percent, significant } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import { between, stepFigures } from "../../state/step.js";
import type { PlanRow } from "../../state/planned-layout.js";
import { inShort } from "../../figures/layout-words.js";
import { inDetail } from "./words.js";
import styles from "./layouts.css?inline";

const bar = { width: 96, height: 14 };

/** The interval of a step on the axis of all rows; the dot is what to expect. */
function interval(row: PlanRow, from: number, to: number): TemplateResult {
  const at = (ms: number) => 2 + ((bar.width - 4) * (ms - from)) / (to - from || 1);
  const y = bar.height / 2;
  return html`<svg class="interval" width=${bar.width} height=${bar.height} aria-hidden="true">${svg`
    <line class="range" x1=${at(row.step_time_low_ms)} x2=${at(row.step_time_high_ms)} y1=${y} y2=${y}></line>
    <circle cx=${at(row.step_time_ms)} cy=${y} r="3"></circle>`}</svg>`;
}

const headroom = ({ sizes }: Session, row: PlanRow) =>
  html`<b>${significant(Math.max(0, row.headroom_percent), 2)} %</b> <span class="soft">${sizes.memory(row.memory_gib)}</span>`;

/** Whole sums of money and of hours, grouped. */
const rounded = (value: number) => exact(Number(value.toPrecision(3)));

interface Column {
  title: string;
  /** Left out where the table is narrow. */
  wide?: boolean;
  cell: (row: PlanRow) => unknown;
}

function columnsOf(scenario: Session, found: PlanResults): Column[] {
  const from = Math.min(...found.layouts.map((row) => row.step_time_low_ms));
  const to = Math.max(...found.layouts.map((row) => row.step_time_high_ms));
  const priced = found.layouts.some(({ cost }) => cost > 0);
  return [
    {
      title: "Step",
      cell: (row) =>
        html`<b>${stepFigures.time(row)}</b> <span class="soft">${between(row.step_time_low_ms, row.step_time_high_ms)}</span>${interval(row, from, to)}`,
    },
    { title: "Headroom", cell: (row) => headroom(scenario, row) },
    { title: "MFU", wide: true, cell: (row) => stepFigures.mfu(row) },
    { title: "GPU-hours", wide: true, cell: (row) => rounded(row.gpu_hours) },
    ...(priced ? [{ title: "Price", wide: true, cell: (row: PlanRow) => rounded(row.cost) }] : []),
  ];
}

/** How the first rows are to be read: as a tie, or as one that is quicker than the rest. */
function tieLine(scenario: Session, found: PlanResults): TemplateResult {
  const tied = found.layouts.filter(({ tie }) => tie).length;
  const floor = percent(found.noise_floor_percent, 2);
  if (tied < 2)
    return html`Quicker than the next by more than the ${floor} that one configuration differs by when it is measured twice.`;
  const roomiest = found.roomiest[0];
  const inList = roomiest && found.layouts.findIndex((row) => row.memory_gib === roomiest.memory_gib && row.tie);
  const which =
    roomiest === undefined
      ? ""
      : inList !== undefined && inList >= 0
        ? `number ${inList + 1} leaves most: ${significant(roomiest.headroom_percent, 2)} %`
        : `${inShort(roomiest)}, ${inDetail(scenario, roomiest)}, leaves most: ${significant(roomiest.headroom_percent, 2)} %`;
  return html`<b>${tied === found.layouts.length ? `All ${tied} of these` : `These ${tied}`} are a tie</b>: they differ by less than the ${floor} that one
    configuration differs by when it is measured twice. Choose by headroom${which ? html`; ${which}` : nothing}.`;
}

/** The best layouts, each with its band; a brace holds together those that cannot be told apart. */
export function layoutTable(
  found: PlanResults,
  scenario: Session,
  use: (row: PlanRow) => void,
  isUsed: (row: PlanRow) => boolean,
): TemplateResult {
  const columns = columnsOf(scenario, found);
  return html`<p class="tie-line">${tieLine(scenario, found)}</p>
  <div class="scroll" tabindex="0" role="group" aria-label="The best layouts">
    <table class="layouts">
      <thead><tr><th scope="col">#</th><th scope="col" class="text">Layout</th>
        ${columns.map(({ title, wide }) => html`<th scope="col" class=${wide ? "wide-only" : ""}>${title}</th>`)}
        <th scope="col" class="no-print"><span class="visually-hidden">Take over</span></th></tr></thead>
      <tbody>${found.layouts.map((row, index) => {
        const used = isUsed(row);
        return html`<tr class="${used ? "used" : ""} ${row.tie ? "tied" : ""}"><th scope="row">${index + 1}${row.tie ? html`<span class="visually-hidden">, a tie</span>` : nothing}</th>
          <td class="text layout"><b>${inShort(row)}</b> <span class="soft">${inDetail(scenario, row)}</span></td>
          ${columns.map(({ cell, wide }) => html`<td class=${wide ? "wide-only" : ""}>${cell(row)}</td>`)}
          <td class="no-print">${
            used
              ? html`<span class="in-use">in use</span>`
              : scenario.readonly
                ? nothing
                : html`<button class="plain" @click=${() => use(row)} aria-label=${`Use layout ${index + 1}: ${inShort(row)}`}>Use</button>`
          }</td></tr>`;
      })}</tbody>
    </table>
  </div>`;
}

export const layoutStyles = unsafeCSS(styles);
