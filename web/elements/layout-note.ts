import { nothing, type TemplateResult } from "lit";
import { html } from "./html.js";
import { problemSummary } from "./field.js";
import { pinsInWords } from "./pin-words.js";
import { scenarioWords } from "./scenario-words.js";
import { exact } from "../state/format.js";
import type { Session } from "../state/session.js";
import type { Trained } from "../state/trained.js";

/** How far the search of a layout is, with ways to act on it. */
function searchNote(page: Session, shown: Trained): TemplateResult {
  const { share } = shown;
  return html`<div class="progress" data-searching>${
    share === undefined
      ? html`<button @click=${() => shown.again()}>Search again</button> <span role="status">Cancelled.</span>`
      : html`<progress .value=${share} aria-label="Searched"></progress> <button @click=${() => shown.cancel()}>Cancel</button>
        <span role="status">Searching for the fastest layout on ${exact(page.number("cluster_gpus"))} GPUs…</span>`
  }</div>`;
}

/** Why a view of one layout does not match the scenario in the form, and what it shows instead. */
export function layoutNote(page: Session, shown: Trained, layouts: string): TemplateResult {
  const problems = shown.refused.map((problem) => page.renamed("plan", problem));
  const fields = problems.map(({ field }) => field);
  const held = pinsInWords(page, shown.sought);
  return html`<div class="small ${problems.length > 0 ? "wrong" : ""}" role=${problems.length > 0 ? "alert" : nothing}>${
    problems.length > 0
      ? problemSummary(page, problems, fields, "always")
      : shown.nothing
        ? html`<p class="headline" role="status">No layout fits${held && ` with ${held}`}: each GPU needs <b class="number">${page.sizes.memory(shown.nothing.deficit_gib)}</b> more.
          <a href=${layouts}>Layouts</a> says which comes closest.</p>`
        : searchNote(page, shown)
  }${shown.known ? html`<p>Below is the last answer: ${scenarioWords(shown).join(" · ")}.</p>` : nothing}</div>`;
}
