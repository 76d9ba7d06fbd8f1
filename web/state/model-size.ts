import { typedOver } from "./chosen.js";
import { perhaps } from "./parts.js";
import { chosenPreset, hardware } from "./presets.js";
import { run } from "./run.js";
import type { Scenario } from "./scenario.js";

/** How large a scenario's model is, and what one of its GPUs can hold. */

/** A model's own size: how many replicas would share a batch does not matter. */
export const modelSizes = (scenario: Scenario) =>
  run(scenario, "model_sizes", { data_parallel: 1, global_batch_size: 0 }).results;

/** The model's parameters, from its row if nothing is typed over it: that is available first. */
export function modelParameters(scenario: Scenario): number | undefined {
  const id = chosenPreset(scenario, "model")?.id;
  const row = scenario.engine.model_catalog().models.find((one) => one.id === id);
  if (row && typedOver(scenario, "model").length === 0) return row.parameters;
  return perhaps(scenario, () => modelSizes(scenario)?.parameters.total);
}

/** The GPU's short name and its memory in bytes; nothing if no accelerator is chosen. */
export function acceleratorMemory(scenario: Scenario): { name: string; bytes: number } | undefined {
  const id = chosenPreset(scenario, "accelerator")?.id;
  const row = hardware(scenario).accelerators.find((one) => one.id === id);
  return row && { name: row.name.replace(/ (SXM|PCIe|\().*/, ""), bytes: row.memory_gb * 1e9 };
}
