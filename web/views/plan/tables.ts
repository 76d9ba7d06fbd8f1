import type { PlanResults } from "#engine";
import "../../elements/meaning.js";
import { html, nothing, type TemplateResult } from "lit";
import { exact, milliseconds, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import type { PlanRow } from "./search.js";
import {
  dataOf,
  decisionOf,
  gib,
  inShort,
  lossOf,
  percent,
  pipelineOf,
  recomputeNames,
  rules,
  tensorOf,
} from "./words.js";

/** The inputs of training_step that a planned layout stands for, as the scenario's texts. */
export function textsOf(row: PlanRow, scenario: Scenario): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => typeof value !== "object" && scenario.fields.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

/** Whether the scenario holds this layout already. */
export function isInUse(row: PlanRow, scenario: Scenario): boolean {
  return Object.entries(textsOf(row, scenario)).every(([name, text]) => scenario.text(name) === text);
}

interface Column {
  title: string;
  help: string;
  cell: (row: PlanRow) => string;
  text?: boolean;
}

const columns: readonly Column[] = [
  { title: "Step", help: "Time of a step", cell: (row) => milliseconds(row.step_time_ms, 4) },
  { title: "MFU", help: "Model FLOPs, of the peak", cell: (row) => percent(row.mfu_percent) },
  { title: "Memory", help: "Of the fullest GPU", cell: (row) => gib(row.memory_gib) },
  { title: "Tokens/s/GPU", help: "Throughput of a GPU", cell: (row) => exact(Math.round(row.tokens_per_sec_per_gpu)) },
  {
    title: "Tensor",
    help: "Tensor degree; SP: sequence parallelism; *: inputs gathered again",
    cell: tensorOf,
    text: true,
  },
  { title: "Pipeline", help: "Stages, order of work, chunks a stage", cell: pipelineOf, text: true },
  { title: "Data", help: "Replicas, and what they share", cell: dataOf, text: true },
  { title: "Context", help: "GPUs that share a sequence", cell: (row) => String(row.context_parallel) },
  { title: "Expert", help: "GPUs that share a layer's experts", cell: (row) => String(row.expert_parallel) },
  { title: "Micro-batch", help: "Sequences", cell: (row) => String(row.batch_size) },
  {
    title: "Recompute",
    help: "What the backward pass computes again",
    cell: (row) => recomputeNames[row.recompute] ?? row.recompute,
    text: true,
  },
];

/** The best layouts, each ready to be taken into the other views. */
export function layoutTable(found: PlanResults, scenario: Scenario, use: (row: PlanRow) => void): TemplateResult {
  const rows = found.layouts;
  const shown = columns.filter(
    ({ title }) =>
      (title !== "Context" || rows.some((row) => row.context_parallel > 1)) &&
      (title !== "Expert" || rows.some((row) => row.expert_parallel > 1)),
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="The best layouts">
    <table class="layouts">
      <thead><tr><th scope="col">#</th>${shown.map(({ title, help, text }) => html`<th scope="col" class=${text ? "text" : ""} ><commcost-meaning .says=${help}>${title}</commcost-meaning></th>`)}
        <th scope="col" class="no-print"><span class="visually-hidden">Take over</span></th></tr></thead>
      <tbody>${rows.map((row, index) => {
        const used = isInUse(row, scenario);
        return html`<tr class=${used ? "used" : ""}><th scope="row">${index + 1}</th>
          ${shown.map(({ cell, text }) => html`<td class=${text ? "text" : ""}>${cell(row)}</td>`)}
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

/** The winner with one decision taken otherwise, and why that loses. */
export function alternativeTable(found: PlanResults, scenario: Scenario): TemplateResult {
  const choices = Object.fromEntries(
    [...scenario.fields].flatMap(([name, field]) => (field.choices ? [[name, field.choices]] : [])),
  );
  const best = found.layouts[0]!;
  let before = "";
  return html`<div class="scroll tall" tabindex="0" role="group" aria-label="Why others lose">
    <table>
      <thead><tr><th scope="col">Instead</th><th scope="col" class="text">Choice</th><th scope="col">Step</th><th scope="col">Against the best</th>
        <th scope="col">Memory</th><th scope="col" class="text">Why it loses</th></tr></thead>
      <tbody>${found.alternatives.map((alternative) => {
        const { what, value } = decisionOf(alternative, choices);
        const first = what !== before;
        before = what;
        const change = (100 * alternative.lost_ms) / best.step_time_ms;
        return html`<tr><th scope="row"><span class=${first ? "" : "visually-hidden"}>${what}</span></th><td class="text">${value}</td>
          <td>${milliseconds(alternative.step_time_ms, 3)}</td><td>${change > 0 ? "+" : change < 0 ? "−" : ""}${significant(Math.abs(change), 2)} %</td>
          <td class=${alternative.fits ? "" : "bad"}>${gib(alternative.memory_gib)}</td>
          <td class=${alternative.fits ? "text" : "text bad"}>${lossOf(alternative)}</td></tr>`;
      })}</tbody>
    </table>
  </div>`;
}

/** Rules of thumb, and whether the optimum keeps to them. */
export function ruleList(found: PlanResults): TemplateResult {
  return html`<ul class="rules">${found.rules.map(
    ({ rule, applies, held, source }) => html`<li>
    <span class="verdict ${!applies ? "soft" : held ? "good" : "bad"}">${!applies ? "– not asked" : held ? "✓ held" : "✗ broken"}</span>
    <span>${rules[rule] ?? rule} <span class="small soft">${source}</span></span></li>`,
  )}</ul>`;
}

/** What a search saw. */
export function countsOf(found: PlanResults): TemplateResult | typeof nothing {
  const kinds = [
    [found.compared, "computed and compared"],
    [found.too_large, "too large"],
    [found.outdone, "proven to lose by a bound"],
    [found.unsearched, "not looked at yet"],
  ] as const;
  const said = kinds.flatMap(([count, kind]) => (count > 0 ? [`${exact(count)} ${kind}`] : []));
  return html`${exact(found.searched)} layouts${said.length > 1 ? " = " : ": "}${said.join(" + ")}`;
}
