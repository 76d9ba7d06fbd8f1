import type { Problem } from "#engine";
import type { TemplateResult } from "lit";
import { fieldControl, type FieldOptions } from "../../elements/field.js";
import { foldLine } from "../../elements/fold.js";
import { html } from "../../elements/html.js";
import { servingPrecisionControl } from "../../elements/precision.js";
import { servingPrecisionFields } from "../../state/precision.js";
import { servingRecipe, servingStackFields } from "../../state/serving.js";
import type { Session } from "../../state/session.js";

/** On what, for which requests, within which latency. */
const asked = ["serving_gpus", "prompt_tokens", "output_tokens", "most_token_ms", "most_first_token_ms"] as const;

/** The percentile of requests at which the limits hold; empty: the mean of a steady state. */
export const percentileField = "latency_percentile";

/** Rarely used inputs, the precision's parts, and what the stack does. */
const foldedFields = (scenario: Session): readonly string[] => [
  "requests_per_sec",
  "price_per_gpu_hour",
  ...servingPrecisionFields,
  ...servingStackFields(scenario.engine.describe()["serving_step"]!.inputs),
];

function percentileChoices(scenario: Session): FieldOptions {
  const { choices } = scenario.fields.get(percentileField)!;
  return {
    choices: ["", ...choices!],
    choiceLabels: {
      "": "the mean",
      ...Object.fromEntries(choices!.map((choice) => [choice, `${choice.toUpperCase()}, under load`])),
    },
  };
}

/** The question for a deployment: which requests, within which latency, on which stack. */
export function question(scenario: Session, problems: readonly Problem[]): TemplateResult {
  const folded = foldedFields(scenario);
  return html`<div class="fields">
      ${asked.map((name) => fieldControl(scenario, name, problems))}
      ${fieldControl(scenario, percentileField, problems, percentileChoices(scenario))}
      ${servingPrecisionControl(scenario)}
      ${fieldControl(scenario, servingRecipe, problems)}
    </div>
    <details ?open=${problems.some(({ field }) => folded.includes(field))}><summary>${foldLine(scenario, "Rate, price, and what the server does", folded)}</summary>
      <div class="fields">${folded.map((name) => fieldControl(scenario, name, problems))}</div></details>`;
}
