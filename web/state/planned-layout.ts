import type { PlanResults } from "#engine";
import type { CalculationName } from "./run.js";
import type { Scenario } from "./scenario.js";

/** A layout as a search has found it. */
export type PlanRow = PlanResults["layouts"][number];

type Value = Exclude<PlanRow[keyof PlanRow], object>;

/** The inputs of a calculation that a layout stands for: those that are members of it, in the calculation's order. */
export function layoutOf(
  row: PlanRow,
  scenario: Scenario,
  calculation: CalculationName = "training_step",
): Record<string, Value> {
  const chosen = scenario.engine.describe()[calculation]!.inputs.filter(({ name }) => name in row);
  return Object.fromEntries(chosen.map(({ name }) => [name, row[name as keyof PlanRow] as Value]));
}

/** The same as the scenario's texts. */
export const textsOf = (row: PlanRow, scenario: Scenario): Record<string, string> =>
  Object.fromEntries(Object.entries(layoutOf(row, scenario)).map(([name, value]) => [name, String(value)]));

/** Whether the scenario holds this layout already. */
export const isInUse = (row: PlanRow, scenario: Scenario): boolean =>
  Object.entries(textsOf(row, scenario)).every(([name, text]) => scenario.text(name) === text);
