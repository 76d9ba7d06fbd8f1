import type { PlanServingResults, Problem } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { fieldControl, problemSummary } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { exact, milliseconds, significant } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { Sizes } from "../../state/sizes.js";
import "./deployment-launch.js";
import { deploymentName } from "./deployment-name.js";

const calculation = "plan_serving";

/** What a deployment is asked for. */
const deploymentFields = [
  "serving_gpus",
  "prompt_tokens",
  "output_tokens",
  "most_token_ms",
  "most_first_token_ms",
] as const;

type Row = PlanServingResults["deployments"][number];

const ms = (value: number) => milliseconds(value, 3);

const verdicts: Readonly<Record<Row["verdict"], string>> = {
  best: "best",
  tie: "as good, as far as can be told",
  less_throughput: "fewer requests",
  token_too_slow: "a token takes too long",
  first_token_too_slow: "the first token takes too long",
  does_not_fit: "does not fit",
};

const columns: readonly [keyof Row, string, (row: Row, sizes: Sizes) => string][] = [
  ["replicas", "servers", ({ replicas }) => exact(replicas)],
  ["batch_size", "batch", ({ batch_size }) => exact(batch_size)],
  ["token_ms", "a token", ({ token_ms }) => ms(token_ms)],
  ["first_token_ms", "first token", ({ first_token_ms }) => ms(first_token_ms)],
  ["tokens_per_sec_per_user", "tokens/s, user", (row) => significant(row.tokens_per_sec_per_user, 3)],
  ["output_tokens_per_sec_per_gpu", "tokens/s, GPU", (row) => significant(row.output_tokens_per_sec_per_gpu, 3)],
  ["requests_per_sec", "requests/s", (row) => significant(row.requests_per_sec, 3)],
  ["memory_gib", "memory", ({ memory_gib }, sizes) => sizes.memory(memory_gib)],
];

function lead({ found, deployments }: PlanServingResults): string {
  const best = deployments[0];
  if (!best) return "The shape allows no deployment.";
  if (!found) return `Nothing here meets that: at best, ${verdicts[best.verdict]}.`;
  const ties = deployments.filter(({ verdict }) => verdict === "tie").length;
  return `${deploymentName(best)}, ${exact(best.batch_size)} sequences at once, ${best.replicas === 1 ? "one server" : `${exact(best.replicas)} servers`}: ${significant(best.requests_per_sec, 3)} requests a second, a token every ${ms(best.token_ms)}.${
    ties > 0 ? ` ${exact(ties)} more cannot be told from it.` : ""
  }`;
}

/** How to serve the model on so many GPUs within what a user may wait, and why other ways lose. */
export function deploymentSection(
  scenario: Session,
  results: PlanServingResults | undefined,
  problems: readonly Problem[],
): TemplateResult {
  const own = problems.filter(({ field }) => (deploymentFields as readonly string[]).includes(field));
  return html`<section class="wide" aria-labelledby="deployment-title">
    <div class="titled"><h2 id="deployment-title">A deployment</h2>${formulaLink(calculation)}</div>
    <form class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="What is asked of a deployment">
      ${deploymentFields.map((name) => fieldControl(scenario, name, problems))}</form>
    ${own.length > 0 ? problemSummary(scenario, own, deploymentFields) : nothing}
    ${
      results
        ? html`<p data-deployment="lead">${lead(results)}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="Deployments"><table>
      <thead><tr><th scope="col" class="text">Deployment</th>${columns.map(
        ([path, name]) => html`<th scope="col">${meaning(scenario, calculation, `deployments.${path}`, name)}</th>`,
      )}<th scope="col" class="text">how it fares</th></tr></thead>
      <tbody>${results.deployments.map(
        (row) =>
          html`<tr class=${row.verdict === "best" ? "chosen" : ""}><th scope="row" class="text">${deploymentName(row)}</th>${columns.map(
            ([path, , format]) => html`<td data-deployment=${path}>${format(row, scenario.sizes)}</td>`,
          )}<td class="text">${verdicts[row.verdict]}</td></tr>`,
      )}</tbody></table></div>
    <commcost-deployment-launch .scenario=${scenario} .rows=${results.deployments}></commcost-deployment-launch>`
        : nothing
    }</section>`;
}
