import type { PredictCollectiveResults } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { binaryBytes, milliseconds } from "../../state/format.js";
import { measuredAlike, nodesInWords } from "../../state/machine.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { us, why } from "../network/words.js";

/** What the prediction takes from the exercise, beside the machine of the scenario. */
export function predictionInputs(inputs: Record<string, number>, message: number): Record<string, unknown> {
  return {
    collective: "all_reduce",
    num_gpus: inputs["num_gpus"],
    message_size_bytes: message,
    details: false,
    calls: inputs["num_layers"]! * inputs["allreduces_per_layer"]!,
  };
}

function measuredThere(scenario: Scenario, results: PredictCollectiveResults, gpus: number, message: number): string {
  const times = measuredAlike(scenario, "all_reduce", gpus, results)
    .filter(({ healthy }) => healthy)
    .flatMap((series) => {
      const index = [...series.message_size_bytes].indexOf(message);
      return index < 0 ? [] : [series.time_us[index]!];
    });
  if (times.length === 0) return "";
  const [least, most] = [us(Math.min(...times)), us(Math.max(...times))];
  return ` (${binaryBytes(message)} was measured there at ${least === most ? least : `${least} to ${most}`})`;
}

/** The textbook's time beside what is expected on the machine, and why they differ. */
export function expectedLine(
  scenario: Scenario,
  inputs: Record<string, number>,
  message: number,
  textbook_ms: number,
): TemplateResult | typeof nothing {
  if (inputs["num_gpus"] === 1) return nothing;
  const { results, problems } = run(scenario, "predict_collective", predictionInputs(inputs, message));
  if (!results)
    return html`<p class="expected soft">What to expect on real hardware cannot be said: ${problems[0]!.message}.</p>`;
  return html`<p class="expected" data-expected>Textbook ${milliseconds(textbook_ms, 3)}; expected on ${nodesInWords(scenario, results.nodes)}
    about <b class="number">${milliseconds(results.total_ms, 2)}</b>, between ${milliseconds(results.total_low_ms, 2)} and
    ${milliseconds(results.total_high_ms, 2)}${measuredThere(scenario, results, inputs["num_gpus"]!, message)},
    ${why(scenario, results)}. ${
      scenario.alone
        ? nothing
        : html`<a href="#view=network" @click=${(event: MouseEvent) => {
            event.preventDefault();
            event.target!.dispatchEvent(
              new CustomEvent("open-view", { detail: "network", bubbles: true, composed: true }),
            );
          }} class="no-print">Every size, with measurements</a>`
    }</p>`;
}
