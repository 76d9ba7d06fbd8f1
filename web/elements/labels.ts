import type { FieldDescription } from "#engine";
import { once, type OfEngine } from "../state/once.js";
import { hardware } from "../state/presets.js";
import type { Scenario } from "../state/scenario.js";
import { withoutSign } from "../state/serving.js";

/** What the engine calls an input or a result: "GPUs per node". */
export function labelOf(scenario: Scenario, name: string): string {
  const field =
    scenario.fields.get(name) ??
    Object.values(scenario.engine.describe())
      .flatMap(({ inputs, results }) => [...inputs, ...results])
      .find((described) => described.name === name);
  return field?.label ?? name.replaceAll("_", " ");
}

/** A name within a sentence: "the hidden size", "TP". */
export const labelWithin = (scenario: Scenario, name: string): string =>
  labelOf(scenario, name).replace(/^[A-Z](?=[a-z]+( |$))/, (first) => first.toLowerCase());

/** What the engine's tables call choices: of inputs and results by name, of each choice by its id. */
const described = new WeakMap<object, ReadonlyMap<string, ReadonlyMap<string, string>>>();

function choiceLabels({ engine }: OfEngine): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const tables = engine.describe();
  const known = described.get(tables);
  if (known) return known;
  const labels = new Map<string, ReadonlyMap<string, string>>();
  const take = ({ name, choices, choice_labels, columns }: FieldDescription) => {
    if (choice_labels) labels.set(name, new Map(choices!.map((choice, index) => [choice, choice_labels[index]!])));
    columns?.forEach(take);
  };
  for (const { inputs, results } of Object.values(tables)) [...inputs, ...results].forEach(take);
  described.set(tables, labels);
  return labels;
}

const catalogs = once((of): Readonly<Record<string, ReadonlyMap<string, string>>> => {
  const byId = (rows: readonly { id: string; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]));
  return {
    accelerator: byId(hardware(of).accelerators),
    recipe: byId(of.engine.recipe_catalog().recipes),
    serving_recipe: byId(of.engine.recipe_catalog().recipes),
  };
});

/** A choice in words; anything else as it was written. */
export function choiceWord(scenario: Scenario, name: string, choice: string): string {
  if (choice === "") return "not stated";
  if (name === "gives_way") return labelOf(scenario, choice);
  return (
    (catalogs(scenario)[name] ?? choiceLabels(scenario).get(withoutSign(name)))?.get(choice) ??
    choice.replaceAll("_", " ")
  );
}
