import type { Engine, FieldDescription } from "#engine";
import { layoutFields } from "./layout.js";
import { pinFields, pinName, searchedInputs } from "./pins.js";
import { serves, servingFields, servingName } from "./serving.js";

export type Fields = Map<string, FieldDescription>;

/** What was chosen to fill fields, and what of the model they leave out: it belongs to a scenario as they do. */
export const presetNames = ["model", "left_out", "system", "calibration"] as const;
export const isPreset = (name: string): boolean => (presetNames as readonly string[]).includes(name);

/** More than these are typed. */
const fewLevels = 4;
/** What a field can be, where that is few enough to choose from: names, or a few whole numbers. */
export function fieldChoices({ kind, choices, least, greatest }: FieldDescription): readonly string[] | undefined {
  if (kind === "choice") return choices;
  const levels = kind === "whole" ? greatest! - least! + 1 : Infinity;
  return levels <= fewLevels ? Array.from({ length: levels }, (_, at) => String(least! + at)) : undefined;
}

/** The tensor group as the exercise calls it: the same thing as the tensor degree. */
const group = "num_gpus";
/** What the scenario calls an input that has another name elsewhere. */
export const scenarioName = (name: string): string => (name === group ? "tensor_parallel" : name);

/** What the scenario calls an input of a calculation with these inputs; nothing where other inputs say it. */
export const namesFor = (inputs: readonly FieldDescription[]): ((input: string) => string | undefined) => {
  // A cluster that may be 0 is what the degrees need.
  const fromDegrees = inputs.some(({ name, least }) => name === "cluster_gpus" && least === 0);
  const searched = new Set(searchedInputs(inputs).map(({ name }) => name));
  const own = serves(inputs) ? servingName : scenarioName;
  return (input) =>
    fromDegrees && input === "cluster_gpus" ? undefined : searched.has(input) ? pinName(input) : own(input);
};

/** A field that is the answer's until somebody types it. */
const ofAnswer = (inputs: readonly FieldDescription[], name: string): FieldDescription => {
  const { default: _, ...field } = inputs.find((input) => input.name === name)!;
  return { ...field, required: false };
};

/** Every input of a scenario's calculations by name, and those of the layout: one field for a quantity, whichever calculation asks for it. */
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
      // The page's own presets fill what it shows; the engine is then given every field.
      if (!fields.has(field.name) && !isPreset(field.name)) fields.set(field.name, field);
    }
  }
  // One field for both: a group may be larger than a layout's.
  const { least, greatest, allowed } = fields.get(group)!;
  const degree = fields.get("tensor_parallel")!;
  fields.set("tensor_parallel", { ...degree, least, greatest, allowed } as FieldDescription);
  return fields;
}
