import type { Calculations, Engine } from "#engine";
import { type CalculationName, isRefusal, type ResultsOf } from "./run.js";

type Inputs<Name extends CalculationName> = Calculations[Name]["inputs"];
/** Values of inputs; the engine validates them. */
export type Change<Name extends CalculationName> = { readonly [Field in keyof Inputs<Name>]?: unknown };

/**
 * The result of `take` for each run of a calculation with one of these changes to its inputs; what does not change is
 * read once.
 */
function runs<Name extends CalculationName, Taken>(
  engine: Engine,
  name: Name,
  inputs: Record<string, unknown>,
  changes: readonly Change<Name>[],
  take: (run: () => Readonly<ResultsOf<Name>>) => Taken,
): Taken[] {
  const given = inputs as Partial<Inputs<Name>>;
  const prepared = engine.prepare(name, given);
  let before: Partial<Inputs<Name>> = {};
  try {
    return changes.map((change) => {
      const now = change as Partial<Inputs<Name>>;
      // What another change set is restored.
      for (const field in before) if (!(field in now)) prepared.set(field, given[field]);
      for (const field in now) prepared.set(field, now[field]);
      before = now;
      return take(() => prepared.run());
    });
  } finally {
    prepared.close();
  }
}

/** What is taken from a calculation's results under each of these changes of its inputs. */
export function over<Name extends CalculationName, Taken>(
  engine: Engine,
  name: Name,
  inputs: Record<string, unknown>,
  changes: readonly Change<Name>[],
  take: (results: Readonly<ResultsOf<Name>>) => Taken,
): Taken[] {
  return runs(engine, name, inputs, changes, (run) => take(run()));
}

/** The results under each of these changes; undefined where the engine refuses one. */
export function overPossible<Name extends CalculationName>(
  engine: Engine,
  name: Name,
  inputs: Record<string, unknown>,
  changes: readonly Change<Name>[],
): (Readonly<ResultsOf<Name>> | undefined)[] {
  return runs(engine, name, inputs, changes, (run) => {
    try {
      return run();
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  });
}
