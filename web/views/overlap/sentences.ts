import type { LayerTimelineResults, OverlapRatioResults, TrainingStepResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { bandwidth, ms, significant, us } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { exposedMs } from "../../state/step.js";
import type { SchemeWords } from "./schemes.js";

/** The sentences of Overlap: tests/page/support/claims/overlap.mjs knows which claims in them must be true. */

/** "DP, EP and PP". */
const inList = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), names.at(-1)!].filter(Boolean).join(" and ");

/** What a step sends for, and how much of that is exposed. */
function stepSends(scenario: Scenario, step: TrainingStepResults): string {
  const sent = step.traffic.filter((row) => row.scale_up_bytes + row.network_bytes > 0);
  if (sent.length === 0) return "Nothing else is sent in this step.";
  const exposed = exposedMs(step);
  return `The step does send for ${inList(sent.map(({ dimension }) => choiceWord(scenario, "dimension", dimension)))}, and ${
    exposed > 0 ? `${ms(exposed)} of that is exposed` : "all of that is hidden"
  }.`;
}

/** Under a ratio of TP: how much of its communication the drawn layer hides, whatever the ratio allows. */
export function layerHides(
  { degree }: SchemeWords,
  { communication_us: own }: OverlapRatioResults,
  { communication_us, exposed_us }: LayerTimelineResults,
): string {
  if (degree !== "tensor_parallel" || own === 0) return "";
  const hidden = communication_us - exposed_us;
  if (hidden === 0) return "The layer drawn here hides none of its communication.";
  if (exposed_us === 0) return "The layer drawn here hides all of its communication.";
  return `The layer drawn here hides ${us(hidden)} of its ${us(communication_us)} of communication.`;
}

/**
 * The answer: whether compute can hide what the scheme sends, and from which bandwidth on. `step` is asked if it sends
 * nothing.
 */
export function headline(
  scenario: Scenario,
  scheme: SchemeWords,
  results: OverlapRatioResults,
  step: () => TrainingStepResults | undefined,
): TemplateResult {
  const { sent, computed, degree, unsent } = scheme;
  const tell = (name: string, text: string) => meaning(scenario, "overlap_ratio", name, text);
  if (results.communication_us === 0) {
    const whole = step();
    return html`<p part="headline" class="headline">With ${labelOf(scenario, degree)} 1, ${unsent}. ${whole ? stepSends(scenario, whole) : nothing}</p>`;
  }
  const ratio = html`<b class="number">${tell("ratio", significant(results.ratio, 3))}</b>`;
  const { messages, last_message_us } = results;
  // Gradients are sent as they are made: after the last there is nothing to compute.
  const inBuckets = scheme.id === "data_parallel" && messages > 1;
  return html`<p part="headline" class="headline">Communication (${sent}) takes <b class="number">${tell("communication_us", us(results.communication_us))}</b> at line rate,
    compute (${computed}) <b class="number">${tell("compute_us", us(results.compute_us))}</b> at peak rate, a ratio of ${ratio}.
    ${
      results.hidden
        ? `Compute takes longer, so it could hide ${inBuckets ? `all but the last bucket, ${us(last_message_us)}` : "all of it"}.`
        : html`Compute can’t hide ${us(results.exposed_us)} of it; at ${bandwidth(results.hiding_gb_per_sec, 3)} it could${inBuckets ? ", but for the last bucket" : ""}.`
    }</p>`;
}
