import type { PlanServingResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { exact, significant } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { Sizes } from "../../state/sizes.js";
import { whyNot, withBand, type Row, type Targets } from "./answer.js";
import { deploymentName } from "../../figures/deployment-name.js";

/** A figure of a row: the result it shows, its name, and its format. */
export type Column = readonly [path: string, name: string, told: (row: Row, sizes: Sizes) => string];

/** Most tokens of a step. */
export const stepColumn: Column = ["deployments.step_tokens", "tokens/step", ({ step_tokens }) => exact(step_tokens)];

/** GPUs for the rate asked for, if any. */
export const neededColumns = (rows: readonly Row[]): readonly Column[] =>
  rows.some(({ needed_gpus }) => needed_gpus > 0)
    ? [
        [
          "deployments.needed_gpus",
          "GPUs for your rate",
          ({ needed_gpus }) => (needed_gpus > 0 ? exact(needed_gpus) : "–"),
        ],
      ]
    : [];

const steadyColumns: readonly Column[] = [
  ["deployments.replicas", "replicas", ({ replicas }) => exact(replicas)],
  ["deployments.batch_size", "batch", ({ batch_size }) => exact(batch_size)],
  stepColumn,
  ["deployments.requests_per_sec", "requests/s", (row) => significant(row.requests_per_sec, 3)],
  [
    "deployments.output_tokens_per_sec_per_gpu",
    "tokens/s/GPU",
    (row) => significant(row.output_tokens_per_sec_per_gpu, 3),
  ],
  ["deployments.tokens_per_sec_per_user", "tokens/s/user", (row) => significant(row.tokens_per_sec_per_user, 3)],
  ["deployments.token_ms", "TPOT", (row) => withBand(row.token_ms, row.token_low_ms, row.token_high_ms)],
  [
    "deployments.first_token_ms",
    "TTFT",
    (row) => withBand(row.first_token_ms, row.first_token_low_ms, row.first_token_high_ms),
  ],
  ["deployments.memory_gib", "memory", ({ memory_gib }, sizes) => sizes.memory(memory_gib)],
];

/** Every deployment with its figures, and why the others lose; the launch of one. */
export function deploymentTable(
  scenario: Session,
  calculation: "plan_serving" | "plan_goodput",
  rows: readonly Row[],
  columns: readonly Column[],
  why: (row: Row) => string,
): TemplateResult {
  return html`<section aria-labelledby="deployment-title">
    <div class="titled"><h2 id="deployment-title">Deployments, and why others lose</h2>${formulaLink(calculation)}</div>
    <div class="scroll" tabindex="0" role="group" aria-label="Deployments"><table>
      <thead><tr><th scope="col" class="text">Deployment</th>${columns.map(
        ([path, name]) => html`<th scope="col">${meaning(scenario, calculation, path, name)}</th>`,
      )}<th scope="col" class="text">why not</th></tr></thead>
      <tbody>${rows.map(
        (row) =>
          html`<tr class=${row.verdict === "best" ? "chosen" : ""}><th scope="row" class="text">${deploymentName(row)}</th>${columns.map(
            ([path, , told]) => html`<td data-deployment=${path}>${told(row, scenario.sizes)}</td>`,
          )}<td class="text">${why(row)}</td></tr>`,
      )}</tbody></table></div>
    <commcost-deployment-launch .scenario=${scenario} .rows=${rows}></commcost-deployment-launch></section>`;
}

/** Every deployment without a queue. */
export function deploymentSection(
  scenario: Session,
  { deployments }: PlanServingResults,
  targets: Targets,
): TemplateResult {
  const columns = [...steadyColumns, ...neededColumns(deployments)];
  return deploymentTable(scenario, "plan_serving", deployments, columns, (row) =>
    whyNot(row, deployments[0]!, targets),
  );
}
