import type { ReadArgumentsResults } from "#engine";
import { run } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A launch of the scenario under the model's own name, if it has one: several models may share a shape. */
export function launchOf(
  scenario: Scenario,
  calculation: "export_layout" | "export_deployment",
  job: Record<string, unknown>,
) {
  const model = scenario.text("model");
  return run(scenario, calculation, { ...(model ? { model } : {}), ...job }).results;
}

/** Options of a launch that were not used, each with the reason, or with the one likely meant. */
export const notTaken = ({ not_understood }: Pick<ReadArgumentsResults, "not_understood">): string[] =>
  not_understood.map(({ option, value, why, field, meant }) => {
    if (meant) return `${option} (did you mean ${meant}?)`;
    return field ? `${[option, value].filter(Boolean).join(" ")} (${why})` : option;
  });
