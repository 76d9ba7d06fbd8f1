import type { PlanServingResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { exact, milliseconds, significant } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { Sizes } from "../../state/sizes.js";
import { whyNot, type Row, type Targets } from "./answer.js";
import { deploymentName } from "./deployment-name.js";

const calculation = "plan_serving";

const ms = (value: number) => milliseconds(value, 3);

const columns: readonly [keyof Row, string, (row: Row, sizes: Sizes) => string][] = [
  ["replicas", "replicas", ({ replicas }) => exact(replicas)],
  ["batch_size", "batch", ({ batch_size }) => exact(batch_size)],
  ["requests_per_sec", "requests/s", (row) => significant(row.requests_per_sec, 3)],
  ["output_tokens_per_sec_per_gpu", "tokens/s/GPU", (row) => significant(row.output_tokens_per_sec_per_gpu, 3)],
  ["tokens_per_sec_per_user", "tokens/s/user", (row) => significant(row.tokens_per_sec_per_user, 3)],
  ["token_ms", "TPOT", ({ token_ms }) => ms(token_ms)],
  ["first_token_ms", "TTFT", ({ first_token_ms }) => ms(first_token_ms)],
  ["memory_gib", "memory", ({ memory_gib }, sizes) => sizes.memory(memory_gib)],
];

/** Every deployment, and why the others lose; the launch of one. */
export function deploymentSection(scenario: Session, results: PlanServingResults, targets: Targets): TemplateResult {
  const best = results.deployments[0];
  return html`<section class="wide" aria-labelledby="deployment-title">
    <div class="titled"><h2 id="deployment-title">Deployments, and why others lose</h2>${formulaLink(calculation)}</div>
    <div class="scroll" tabindex="0" role="group" aria-label="Deployments"><table>
      <thead><tr><th scope="col" class="text">Deployment</th>${columns.map(
        ([path, name]) => html`<th scope="col">${meaning(scenario, calculation, `deployments.${path}`, name)}</th>`,
      )}<th scope="col" class="text">why not</th></tr></thead>
      <tbody>${results.deployments.map(
        (row) =>
          html`<tr class=${row.verdict === "best" ? "chosen" : ""}><th scope="row" class="text">${deploymentName(row)}</th>${columns.map(
            ([path, , format]) => html`<td data-deployment=${path}>${format(row, scenario.sizes)}</td>`,
          )}<td class="text">${whyNot(row, best!, targets)}</td></tr>`,
      )}</tbody></table></div>
    <commcost-deployment-launch .scenario=${scenario} .rows=${results.deployments}></commcost-deployment-launch></section>`;
}
