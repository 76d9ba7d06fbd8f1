import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { problemSummary } from "../elements/field.js";
import { layoutWords, scenarioWords } from "../elements/scenario-words.js";
import { exact } from "../state/format.js";
import type { Session } from "../state/session.js";
import type { Trained } from "../state/trained.js";

/** Why a view of one layout is not of the scenario that the form shows, and of what it is. */
export function layoutNote(page: Session, shown: Trained, layouts: string): TemplateResult {
  const below = shown.known ? html` Below is the last one: ${scenarioWords(shown).join(" · ")}.` : "";
  if (shown.refused.length > 0)
    return html`<div class="wrong" role="alert">${problemSummary(
      page,
      shown.refused.map((problem) => page.renamed("plan", problem)),
      shown.refused.map((problem) => page.renamed("plan", problem).field),
      "always",
    )}<p class="small">${below}</p></div>`;
  if (shown.nothing)
    return html`<p class="headline" role="status">No layout fits: each GPU needs <b class="number">${page.sizes.memory(shown.nothing.deficit_gib)}</b> more.
      <a href=${layouts}>Layouts</a> says which comes closest.${below}</p>`;
  return html`<p class="small soft" role="status" data-searching>Searching for the fastest layout on ${exact(page.number("cluster_gpus"))} GPUs…${
    shown.known ? html` Below is the last one, ${layoutWords(shown)}.` : ""
  }</p>`;
}
