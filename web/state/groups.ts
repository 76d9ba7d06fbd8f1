import { once } from "./once.js";
import type { FillingKind } from "./presets.js";
import type { Scenario } from "./scenario.js";

/** The scenario's parts in the order in which they are described, each with its fields, as the engine's tables say. */

export interface FieldGroup {
  id: "model" | "work" | "machine" | "layout" | "recipe";
  title: string;
  /** The kind of preset that fills its fields, if any does. */
  preset?: FillingKind;
  /** Always in sight. */
  main: readonly string[];
  /** Folded away, under this title. */
  further: { title: string; fields: readonly string[] };
}

const parts: readonly (Pick<FieldGroup, "id" | "title" | "preset"> & { folded: string })[] = [
  { id: "model", title: "Model", preset: "model", folded: "Shape" },
  { id: "work", title: "Work", folded: "Precision and recomputation" },
  { id: "machine", title: "Machine", preset: "system", folded: "GPU, node and network" },
  { id: "layout", title: "GPUs", folded: "Schedule, ZeRO, sequence" },
  { id: "recipe", title: "Software", preset: "recipe", folded: "What it does" },
];

/** The one list for all forms; inputs of a single view are left to that view. */
export const fieldGroups = once(({ engine, fields }: Scenario): readonly FieldGroup[] => {
  // In the order of a step's table, preceded by the page's own inputs, followed by those of other calculations.
  const table = engine.describe()["training_step"]!.inputs.map(({ name }) => name);
  const placeOf = (name: string) => {
    const place = table.indexOf(name);
    return place >= 0 ? place : name === "cluster_gpus" || name === "gives_way" ? -1 : table.length;
  };
  const sorted = [...fields.values()].sort((one, other) => placeOf(one.name) - placeOf(other.name));
  return parts.map(({ folded, ...part }) => {
    const own = sorted.filter(({ group }) => group === part.id);
    const names = (shown: boolean) => own.filter((field) => (field.shown ?? false) === shown).map(({ name }) => name);
    return { ...part, main: names(true), further: { title: folded, fields: names(false) } };
  });
});
