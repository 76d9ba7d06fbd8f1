import type { ServingStepResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { formulaLink } from "../../elements/formula-link.js";
import { choiceWord } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { cellOf, messageColumns, messageHead, saveMessages, textClass } from "../../elements/message-columns.js";
import { exact, us } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";

const calculation = "serving_step";

type Row = ServingStepResults["messages"][number];

/** An all-reduce is listed with the kernel that runs it. */
const by = (scenario: Scenario, { collective, kernel }: Row): string =>
  collective === "all_reduce" ? ` by ${choiceWord(scenario, "allreduce_kernel", kernel)}` : "";

/** Every message of a decode step and of one prompt, and their totals for a token and for a request. */
export function messagesSection(
  scenario: Scenario,
  results: ServingStepResults,
  inputs: Readonly<Record<string, unknown>>,
): TemplateResult {
  const { messages, token, request } = results;
  const tell = (path: string, text: string) => meaning(scenario, calculation, path, text);
  const crosses = messages.some((row) => row.network_bytes_per_gpu > 0);
  const shown = messageColumns.filter(({ name }) => crosses || name !== "network_bytes_per_gpu");
  const phases = [
    ["decode", `A decode step of ${exact(inputs["batch_size"] as number)} sequences`],
    ["prefill", "One prompt alone"],
  ] as const;
  return html`<section aria-labelledby="messages-title">
    <div class="titled"><h2 id="messages-title">Every message</h2>${formulaLink(calculation)}</div>
    ${
      messages.length === 0
        ? html`<p class="soft">One GPU has no other to send to. Raise a degree.</p>`
        : html`<p>For one token a GPU sends <b class="number" data-result="token_bytes">${tell("token.sent_bytes_per_gpu", scenario.sizes.bytes(token.sent_bytes_per_gpu, 3))}</b>
      in ${exact(token.calls)} calls, for a whole request, its prompt and all of its answer,
      <b class="number" data-result="request_bytes">${tell("request.sent_bytes_per_gpu", scenario.sizes.bytes(request.sent_bytes_per_gpu, 3))}</b>;
      the request waits <span class="number">${tell("request.time_us", us(request.time_us))}</span> for them.</p>
    <div class="scroll" tabindex="0" role="group" aria-label="Messages"><table class="messages">
      <thead><tr>${messageHead(scenario, calculation, "messages", shown)}</tr></thead>
      ${phases.map(([phase, title]) => {
        const rows = messages.filter((row) => row.phase === phase);
        return html`<tbody data-phase=${phase}><tr><th scope="rowgroup" class="text" colspan=${shown.length}>${title}</th></tr>${rows.map(
          (row) =>
            html`<tr>${shown.map((column) => html`<td class=${textClass(column)}>${cellOf(scenario, column, row)}${column.name === "collective" ? by(scenario, row) : ""}</td>`)}</tr>`,
        )}</tbody>`;
      })}</table></div>
    <p class="no-print"><button type="button" @click=${() => saveMessages("commcost-serving-messages", messages)}>Messages as CSV</button></p>`
    }</section>`;
}
