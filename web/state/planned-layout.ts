import type { PlanResults } from "#engine";
import { readEntry } from "./entry.js";
import type { CalculationName } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A layout as a search has found it. */
export type PlanRow = PlanResults["layouts"][number];

type Value = Exclude<PlanRow[keyof PlanRow], object>;

/** The search's choices for the settings it could decide, by name. */
export const decidedOf = ({ settings }: PlanRow): Record<string, string> =>
  Object.fromEntries(settings.map(({ name, value }) => [name, value]));

/** The inputs of a calculation for a layout: its members and decided settings, in the calculation's order. */
export function layoutOf(
  row: PlanRow,
  { engine }: Pick<Scenario, "engine">,
  calculation: CalculationName = "training_step",
): Record<string, Value> {
  const { inputs } = engine.describe()[calculation]!;
  const decided = decidedOf(row);
  return Object.fromEntries(
    inputs.flatMap((field): [string, Value][] => {
      const { name } = field;
      if (name in decided) return [[name, readEntry(field, decided[name]!).value as Value]];
      return name in row ? [[name, row[name as keyof PlanRow] as Value]] : [];
    }),
  );
}

/** The same as the scenario's texts. */
export const textsOf = (row: PlanRow, scenario: Scenario): Record<string, string> =>
  Object.fromEntries(Object.entries(layoutOf(row, scenario)).map(([name, value]) => [name, String(value)]));

/** Whether the scenario has this layout already. */
export const isInUse = (row: PlanRow, scenario: Scenario): boolean =>
  Object.entries(textsOf(row, scenario)).every(([name, text]) => scenario.text(name) === text);

/** The degrees that a family of layouts shares, as inputs. */
export const divisionOf = (row: PlanRow) => ({
  tensor_parallel: row.tensor_parallel,
  context_parallel: row.context_parallel,
  expert_parallel: row.expert_parallel,
  expert_tensor_parallel: row.expert_tensor_parallel,
  pipeline_parallel: row.pipeline_parallel,
  data_parallel: row.data_parallel,
});
