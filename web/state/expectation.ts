import type { PredictCollectiveResults } from "#engine";
import { run, type Answer } from "./run.js";
import type { Scenario } from "./scenario.js";

/** All-reduces of a forward pass. */
export const callsOf = (inputs: Record<string, number>): number =>
  inputs["num_layers"]! * inputs["allreduces_per_layer"]!;

/** What the prediction takes from the exercise, in addition to the scenario's machine. */
export function predictionInputs(inputs: Record<string, number>, message: number): Record<string, unknown> {
  return {
    collective: "all_reduce",
    num_gpus: inputs["num_gpus"],
    message_size_bytes: message,
    details: false,
    calls: callsOf(inputs),
  };
}

/** The name of a prediction's range: one of measurements only if some of its kind are public. */
export const rangeName = (basis: PredictCollectiveResults["basis"]): string =>
  basis === "estimated" ? "range, without measurements" : "80 % of measurements";

/** The machine's predicted time, or why there is none. */
export type Expectation = Answer<PredictCollectiveResults>;

/** The same all-reduces on the scenario's machine; nothing for a single GPU. */
export const expectation = (
  scenario: Scenario,
  inputs: Record<string, number>,
  message: number,
): Expectation | undefined =>
  inputs["num_gpus"] === 1 ? undefined : run(scenario, "predict_collective", predictionInputs(inputs, message));
