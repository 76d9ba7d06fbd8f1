import { chosenPreset, type FillingKind, filledNames, filledText, presetNamed } from "./presets.js";
import type { Scenario } from "./scenario.js";

/** The effect of choosing a preset on a scenario, and how to undo what was typed over it. */

/** Chooses a preset: all that it fills is filled anew. An accelerator by itself is a machine that no system describes. */
export function choose(scenario: Scenario, kind: FillingKind, id: string): void {
  scenario.change({ [kind]: id, ...(kind === "accelerator" ? { system: "" } : {}) }, filledNames(scenario, kind));
}

/** The fields of a chosen preset that were typed over. */
export function typedOver(scenario: Scenario, kind: FillingKind): string[] {
  const stands = (name: string) => scenario.text(name) !== filledText(scenario, name);
  return filledNames(scenario, kind).filter((name) => filledText(scenario, name) !== undefined && stands(name));
}

/**
 * Among published models of one shape, the one already chosen, if it is among them: a shape alone identifies no model.
 */
export function modelOfShape(scenario: Scenario, id: string): string {
  const chosen = chosenPreset(scenario, "model");
  const named = presetNamed(scenario, "model", id);
  const alike = chosen && named && Object.entries(named.texts).every(([name, text]) => chosen.texts[name] === text);
  return alike && typedOver(scenario, "model").length === 0 ? chosen.id : id;
}

/** Takes back what was typed over a preset. */
export function putBack(scenario: Scenario, kind: FillingKind): void {
  scenario.change({}, filledNames(scenario, kind));
}
