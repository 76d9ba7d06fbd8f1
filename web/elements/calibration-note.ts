import { html, nothing, type TemplateResult } from "lit";
import { inForce, remove } from "../state/calibration.js";
import { significant } from "../state/format.js";
import type { Session } from "../state/session.js";

/** Says that a calibration is in force and what here follows it, and lets it go. */
export function calibrationNote(scenario: Session, effect = ""): TemplateResult | typeof nothing {
  const used = inForce(scenario);
  if (!used) return nothing;
  return html`<p class="small calibrated">Calibrated by <b>${used.name}</b>: latency × ${significant(used.latency, 3)}, bandwidth × ${significant(
    used.bandwidth,
    3,
  )}${used.elsewhere ? html`; <b>it was made on another machine than this</b>` : nothing}. ${effect}
    ${scenario.readonly ? nothing : html`<button type="button" class="plain" @click=${() => remove(scenario)}>Stop using it</button>`}</p>`;
}
