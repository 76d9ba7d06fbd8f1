import { html, nothing, type TemplateResult } from "lit";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";

const formats = ["megatron_lm", "torchtitan"] as const;

function copied(what: string, text: string): TemplateResult {
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = `Copy ${what}`), 1500);
  };
  return html`<button @click=${copy}>Copy ${what}</button>`;
}

/** The launch of a layout in a stack's own options, ready to be copied, with what these cannot say above it. */
function exported(scenario: Scenario, row: PlanRow, format: (typeof formats)[number]): TemplateResult | typeof nothing {
  const answer = run(scenario, "export_layout", {
    ...layoutOf(row, scenario, "export_layout"),
    format,
  });
  if (answer.problems) return nothing;
  const { text, dry_run, not_exported, name, commit, date } = answer.results;
  return html`<details class="export"><summary>${name}</summary>
    ${not_exported.length > 0 ? html`<p class="small">${name} can’t be told all of it:</p><ul class="small">${not_exported.map(({ field, why }) => html`<li><code>${field}</code>: ${name} ${why}.</li>`)}</ul>` : nothing}
    <p class="no-print">${copied("the launch", text)} ${copied("the dry run", dry_run)}</p>
    <pre tabindex="0" aria-label=${`Launch with ${name}`}>${text}</pre>
    <p class="small soft">Options checked against ${name} at commit ${commit} of ${date}.</p>
  </details>`;
}

/** The layout in use, or the best, as other people's stacks are started with it. */
export function exports(scenario: Scenario, row: PlanRow): TemplateResult {
  return html`<div class="exports no-print">${formats.map((format) => exported(scenario, row, format))}</div>`;
}
