import type { OverlapRatioResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { labelOf } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { bandwidth, significant, us } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import type { SchemeWords } from "./schemes.js";

/** What Overlap says of one scheme: tests/page/support/claims/overlap.mjs knows what of it has to be true. */

/** The answer in one sentence: whether compute can hide what the scheme sends, and from which bandwidth on. */
export function headline(scenario: Scenario, scheme: SchemeWords, results: OverlapRatioResults): TemplateResult {
  const { sent, computed, degree } = scheme;
  const tell = (name: string, text: string) => meaning(scenario, "overlap_ratio", name, text);
  if (results.communication_us === 0)
    return html`<p part="headline" class="headline">With ${labelOf(scenario, degree)} 1 there is nothing to send.</p>`;
  const ratio = html`<b class="number">${tell("ratio", significant(results.ratio, 3))}</b>`;
  return html`<p part="headline" class="headline">Communication (${sent}) takes <b class="number">${tell("communication_us", us(results.communication_us))}</b>,
    compute (${computed}) <b class="number">${tell("compute_us", us(results.compute_us))}</b>, a ratio of ${ratio}.
    ${
      results.hidden
        ? "Compute can hide all of it."
        : html`Compute can’t hide ${us(results.exposed_us)} of it; at ${bandwidth(results.hiding_gb_per_sec, 3)} it could.`
    }</p>`;
}
