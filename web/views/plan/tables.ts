import type { PlanResults } from "#engine";
import type { nothing, TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { exact, ms, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { decisionOf, lossOf, rules } from "./sentences.js";

/** Decisions that only distinguish variants of one family, which its row opens to. */
const ofVariants: readonly string[] = ["virtual_stages", "batch_size"];

/** The winner with one decision changed, and why that loses. */
export function alternativeTable(found: PlanResults, scenario: Scenario): TemplateResult {
  const best = found.layouts[0]!;
  let before = "";
  return html`<div class="scroll tall" tabindex="0" role="group" aria-label="Why not …?">
    <table>
      <thead><tr><th scope="col">Instead</th><th scope="col" class="text">Choice</th><th scope="col">Step</th><th scope="col">Against the first</th>
        <th scope="col">Memory</th><th scope="col" class="text">Why not</th></tr></thead>
      <tbody>${found.alternatives
        .filter(({ decision }) => !ofVariants.includes(decision))
        .map((alternative) => {
          const { what, value } = decisionOf(scenario, alternative);
          const first = what !== before;
          before = what;
          const change = (100 * alternative.lost_ms) / best.step_time_ms;
          return html`<tr><th scope="row"><span class=${first ? "" : "visually-hidden"}>${what}</span></th><td class="text">${value}</td>
          <td>${ms(alternative.step_time_ms)}</td><td>${change > 0 ? "+" : change < 0 ? "−" : ""}${significant(Math.abs(change), 2)} %</td>
          <td class=${alternative.fits ? "" : "bad"}>${scenario.sizes.memory(alternative.memory_gib)}</td>
          <td class=${alternative.fits ? "text" : "text bad"}>${lossOf(scenario, alternative)}</td></tr>`;
        })}</tbody>
    </table>
  </div>`;
}

/** Rules of thumb, and whether the best layout follows them. */
export function ruleList(found: PlanResults): TemplateResult {
  return html`<ul class="rules">${found.rules.map(
    ({ rule, applies, held, source, condition }) => html`<li>
    <span class="verdict ${!applies ? "soft" : held ? "good" : "bad"}">${!applies ? "– doesn’t apply" : held ? "✓ held" : "✗ broken"}</span>
    <span>${rules[rule] ?? rule}${condition > 0 ? ` Here TP sends ${significant(condition, 2)} times as much for a layer.` : ""} <span class="small soft">${source}</span></span></li>`,
  )}</ul>`;
}

/** What a search went through. */
export function countsOf(found: PlanResults): TemplateResult | typeof nothing {
  const kinds = [
    [found.compared, "priced and compared"],
    [found.out_of_memory, "too large"],
    [found.dominated, "ruled out by a bound"],
    [found.unsearched, "not searched yet"],
  ] as const;
  const said = kinds.flatMap(([count, kind]) => (count > 0 ? [`${exact(count)} ${kind}`] : []));
  return html`${exact(found.searched)} layouts${said.length > 1 ? " = " : ": "}${said.join(" + ")}`;
}
