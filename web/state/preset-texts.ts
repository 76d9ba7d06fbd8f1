import { systemPresets } from "./machine.js";
import type { Scenario } from "./scenario.js";

/** What presets fill in that are named and not spelled out: a model's shape, a link's bandwidth, a system's machine. */
export function presetTexts(scenario: Scenario, { model, link, system }: Record<string, string>): Record<string, string> {
  const { engine, fields } = scenario;
  const shape = (model && engine.model_catalog().models.find(({ id }) => id === model)) || {};
  const bandwidth = link && engine.hardware_catalog().links.find(({ id }) => id === link)?.bandwidth_gb_per_sec;
  const machine = system && systemPresets(scenario).find(({ id }) => id === system)?.texts;
  const filled = Object.entries({ ...(machine || {}), ...shape, ...(bandwidth && { bandwidth_gb_per_sec: bandwidth }) });
  return Object.fromEntries(filled.filter(([name]) => fields.has(name)).map(([name, value]) => [name, String(value)]));
}
