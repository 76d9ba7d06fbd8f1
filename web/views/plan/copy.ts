import { html, nothing, type TemplateResult } from "lit";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";

const formats = [
  { format: "megatron_lm", name: "Megatron-LM" },
  { format: "torchtitan", name: "torchtitan" },
] as const;

/** The layout in a stack's own options, ready to be copied; what the stack cannot be told stands beside it. */
function exported(
  scenario: Scenario,
  row: PlanRow,
  { format, name }: (typeof formats)[number],
): TemplateResult | typeof nothing {
  const answer = run(scenario, "export_layout", {
    ...layoutOf(row, scenario, "export_layout"),
    format,
  });
  if (answer.problems) return nothing;
  const { text, not_exported, version } = answer.results;
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = `Copy as ${name}`), 1500);
  };
  return html`<details class="export"><summary>${name}</summary>
    <p class="no-print"><button @click=${copy}>Copy as ${name}</button> <span class="small soft">${version}</span></p>
    <pre tabindex="0" aria-label=${`Options of ${name}`}>${text}</pre>
    ${not_exported.length > 0 ? html`<ul class="small">${not_exported.map(({ field, why }) => html`<li><code>${field}</code>: ${why}</li>`)}</ul>` : nothing}
  </details>`;
}

/** The layout in use, or the best, as other people's stacks are told it. */
export function exports(scenario: Scenario, row: PlanRow): TemplateResult {
  return html`<div class="exports no-print">${formats.map((one) => exported(scenario, row, one))}</div>`;
}
