import { nothing, type TemplateResult } from "lit";
import { html } from "./html.js";
import { collectiveScales, inForce, remove } from "../state/calibration.js";
import { significant } from "../state/format.js";
import type { Session } from "../state/session.js";

/** What a factor of a calibration is on, within a list. */
export const scaleWords: Record<string, string> = {
  latency_scale: "latency",
  bandwidth_scale: "bandwidth",
  link_bandwidth_scale: "bandwidth in the node",
  network_bandwidth_scale: "bandwidth between nodes",
  gemm_time_scale: "time of matrix products",
};

/** Factors of a calibration in a list: "latency × 1.2, bandwidth × 0.8". */
export const scalesInWords = (scales: Readonly<Record<string, number>>): string =>
  Object.entries(scales)
    .map(([field, value]) => `${scaleWords[field] ?? field.replaceAll("_", " ")} × ${significant(value, 3)}`)
    .join(", ");

/**
 * Says that a calibration is in force and what here follows it, and can drop it; `kernels`: whether kernels are priced
 * here too.
 */
export function calibrationNote(scenario: Session, effect = "", kernels = false): TemplateResult | typeof nothing {
  const used = inForce(scenario);
  if (!used) return nothing;
  const here = Object.fromEntries(
    Object.entries(used.scales).filter(([field]) => kernels || (collectiveScales as readonly string[]).includes(field)),
  );
  if (Object.keys(here).length === 0) return nothing;
  return html`<p class="small calibrated">Calibrated${used.name ? html` by <b>${used.name}</b>` : nothing}: ${scalesInWords(here)}${
    used.elsewhere ? html`; <b>it was made on another machine than this</b>` : nothing
  }. ${effect}
    ${scenario.readonly ? nothing : html`<button type="button" class="plain" @click=${() => remove(scenario)}>Stop using it</button>`}</p>`;
}
