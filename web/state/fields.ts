import type { Engine, FieldDescription } from "#engine";
import { layoutFields } from "./layout.js";
import { pinFields, pinName, searchedInputs } from "./pins.js";
import { serves, servingFields, servingName } from "./serving.js";

export type Fields = Map<string, FieldDescription>;

/** The presets chosen to fill fields, and what these leave out of the model: part of a scenario, as the fields are. */
export const presetNames = ["model", "left_out", "system", "calibration"] as const;
export const isPreset = (name: string): boolean => (presetNames as readonly string[]).includes(name);

/** A longer list is typed, not chosen. */
const fewLevels = 4;
/** The values of a field, if they are few enough to choose from: names, or a few whole numbers. */
export function fieldChoices({ kind, choices, least, greatest }: FieldDescription): readonly string[] | undefined {
  if (kind === "choice") return choices;
  const levels = kind === "whole" ? greatest! - least! + 1 : Infinity;
  return levels <= fewLevels ? Array.from({ length: levels }, (_, at) => String(least! + at)) : undefined;
}

/** The exercise's name for the tensor group: the same as the tensor degree. */
const group = "num_gpus";
/** The scenario's name of an input that has another name elsewhere. */
export const scenarioName = (name: string): string => (name === group ? "tensor_parallel" : name);

/** The scenario's name of an input, in a calculation with these inputs; nothing if other inputs cover it. */
export const namesFor = (inputs: readonly FieldDescription[]): ((input: string) => string | undefined) => {
  // A cluster that may be 0 follows from the degrees.
  const fromDegrees = inputs.some(({ name, least }) => name === "cluster_gpus" && least === 0);
  const searched = new Set(searchedInputs(inputs).map(({ name }) => name));
  const own = serves(inputs) ? servingName : scenarioName;
  return (input) =>
    fromDegrees && input === "cluster_gpus" ? undefined : searched.has(input) ? pinName(input) : own(input);
};

/** A field that follows the answer until it is typed. */
const ofAnswer = (inputs: readonly FieldDescription[], name: string): FieldDescription => {
  const { default: _, ...field } = inputs.find((input) => input.name === name)!;
  return { ...field, required: false };
};

/**
 * Every input of a scenario's calculations by name, and those of the layout: one field for a quantity, whichever
 * calculation uses it.
 */
export function allFields(engine: Engine): Fields {
  const tables = engine.describe();
  const own = [
    ...layoutFields(tables["plan"]!.inputs, tables["training_step"]!.inputs),
    ...pinFields(tables["plan"]!.inputs),
    ofAnswer(tables["serving_load"]!.inputs, "step_tokens"),
    ...servingFields(tables["plan_serving"]!.inputs, tables["serving_step"]!.inputs),
  ];
  const fields: Fields = new Map(own.map((field) => [field.name, field]));
  for (const { inputs, of_scenario } of Object.values(tables)) {
    if (!of_scenario) continue;
    const named = namesFor(inputs);
    for (const field of inputs) {
      if (named(field.name) === undefined) continue;
      // The page's own presets fill what it shows; the engine then receives every field.
      if (!fields.has(field.name) && !isPreset(field.name)) fields.set(field.name, field);
    }
  }
  // One field for both: a group may be larger than a layout's.
  const { least, greatest, allowed } = fields.get(group)!;
  const degree = fields.get("tensor_parallel")!;
  fields.set("tensor_parallel", { ...degree, least, greatest, allowed } as FieldDescription);
  return fields;
}
