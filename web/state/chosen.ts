import { type FillingKind, filledNames, filledText } from "./presets.js";
import type { Scenario } from "./scenario.js";

/** What choosing a preset does to a scenario, and what it takes to undo what was typed over it. */

/** Chooses a preset: all that it fills is filled anew. An accelerator by itself is a machine that no system describes. */
export function choose(scenario: Scenario, kind: FillingKind, id: string): void {
  scenario.change({ [kind]: id, ...(kind === "accelerator" ? { system: "" } : {}) }, filledNames(scenario, kind));
}

/** The fields of a chosen preset that were typed over. */
export function typedOver(scenario: Scenario, kind: FillingKind): string[] {
  const stands = (name: string) => scenario.text(name) !== filledText(scenario, name);
  return filledNames(scenario, kind).filter((name) => filledText(scenario, name) !== undefined && stands(name));
}

/** Takes back what was typed over a preset. */
export function putBack(scenario: Scenario, kind: FillingKind): void {
  scenario.change({}, filledNames(scenario, kind));
}
