import type { Calculations, Engine } from "#engine";
import type { CalculationName, ResultsOf } from "./run.js";

/** A calculation's results under each of these changes of its inputs; what is not changed is read once. */
export function over<Name extends CalculationName, Taken>(
  engine: Engine,
  name: Name,
  inputs: Record<string, unknown>,
  changes: readonly Partial<Calculations[Name]["inputs"]>[],
  take: (results: Readonly<ResultsOf<Name>>) => Taken,
): Taken[] {
  const prepared = engine.prepare(name, inputs as Partial<Calculations[Name]["inputs"]>);
  try {
    return changes.map((change) => {
      for (const field of Object.keys(change) as (keyof typeof change)[]) prepared.set(field, change[field]);
      return take(prepared.run());
    });
  } finally {
    prepared.close();
  }
}
