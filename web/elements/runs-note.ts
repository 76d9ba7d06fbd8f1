import { nothing, type TemplateResult } from "lit";
import { html } from "./html.js";
import { significant } from "../state/format.js";
import { fitInForce, fitOwnRuns, ownRuns, stopFit } from "../state/own-runs.js";
import type { Session } from "../state/session.js";

/** Says that the software is fitted to the reader's own runs, and can drop the fit. */
export function runsNote(scenario: Session): TemplateResult | typeof nothing {
  const fit = fitOwnRuns(scenario)?.results;
  if (!fit || !fitInForce(scenario, fit)) return nothing;
  const { runs } = ownRuns();
  return html`<p class="small calibrated" data-runs-note>Fitted to ${runs.length === 1 ? "a run" : `${runs.length} runs`} of your own${
    fit.median_error_percent === null ? "" : `: off by ${significant(fit.median_error_percent, 2)} % on runs left out`
  }. ${scenario.readonly ? nothing : html`<button type="button" class="plain" @click=${() => stopFit(scenario)}>Stop using them</button>`}</p>`;
}
