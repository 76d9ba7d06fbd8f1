import type { Calculations, Problem } from "#engine";
import type { Scenario } from "./scenario.js";

/** A calculation's answer for a scenario: the results, or every problem of the inputs. */
export type Answer<Results> =
  | { results: Results; inputs: Record<string, unknown>; problems?: never }
  | { problems: Problem[]; results?: never };

/** Names of the calculations that take inputs and give results. */
export type CalculationName = keyof Calculations;
export type ResultsOf<Name extends CalculationName> = Calculations[Name]["results"];

/** Whether the engine refused its inputs, rather than failed. */
export const isRefusal = (error: unknown): error is Error & { problems: Problem[] } =>
  error instanceof Error && error.name === "InvalidInputError";

/** Whatever the engine throws that is a list of problems; anything else is a defect and goes on its way. */
export function problemsOf(error: unknown): Problem[] {
  if (isRefusal(error)) return error.problems;
  throw error;
}

/** How many answers are kept, and the longest inputs whose are: about two edits of the view that asks most; no logs. */
const most = { answers: 64, letters: 4096 };
const answered = new WeakMap<object, Map<string, unknown>>();

/** What a calculation answers; what it was asked before with the same inputs is not calculated again. */
function calculated<Results>(engine: Scenario["engine"], name: CalculationName, inputs: object): Results {
  const calculate = engine[name] as unknown as (inputs: unknown) => Results;
  const key = `${name} ${JSON.stringify(inputs)}`;
  if (key.length > most.letters) return calculate(inputs);
  const kept = answered.get(engine) ?? new Map<string, unknown>();
  answered.set(engine, kept);
  const results = kept.has(key) ? (kept.get(key) as Results) : calculate(inputs);
  kept.delete(key);
  kept.set(key, results);
  if (kept.size > most.answers) kept.delete(kept.keys().next().value!);
  return results;
}

/** Runs a calculation on a scenario's inputs, `overrides` put over them. */
export function run<Name extends CalculationName>(
  scenario: Scenario,
  name: Name,
  overrides: Record<string, unknown> = {},
): Answer<ResultsOf<Name>> {
  const { values, problems } = scenario.inputs(name);
  const unread = problems.filter((problem) => !(problem.field in overrides));
  const inputs = { ...values, ...overrides };
  try {
    const results = calculated<ResultsOf<Name>>(scenario.engine, name, inputs);
    return unread.length > 0 ? { problems: unread } : { results, inputs };
  } catch (error) {
    // A field that could not be read is missing for the engine as well: one problem for it is enough.
    const unreadFields = new Set(unread.map((problem) => problem.field));
    return { problems: [...unread, ...problemsOf(error).filter((problem) => !unreadFields.has(problem.field))] };
  }
}

/** A scenario's inputs of a calculation with its defaults put in, as the engine calculates. */
export function completeInputs(scenario: Scenario, name: CalculationName): Record<string, unknown> {
  const { values } = scenario.inputs(name);
  const described = scenario.engine.describe()[name]!.inputs;
  return Object.fromEntries(described.map((field) => [field.name, values[field.name] ?? field.default]));
}
