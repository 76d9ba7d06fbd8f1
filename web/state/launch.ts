import { run } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A launch of the scenario by the model's own name, where it has one: shapes of several models are alike. */
export function launchOf(
  scenario: Scenario,
  calculation: "export_layout" | "export_deployment",
  job: Record<string, unknown>,
) {
  const model = scenario.text("model");
  return run(scenario, calculation, { ...(model ? { model } : {}), ...job }).results;
}
