// The engine of the package, of the parts that its elements have as well.
import type { Engine } from "#engine";
import { loadEngine as loadParts } from "./parts";

export { InvalidInputError } from "./invalid-input-error";

/** The engine, ready to calculate; loaded once, the same object for every caller. Where calculations are named, with what these need alone. */
export async function loadEngine(...calculations: string[]): Promise<Engine> {
  const engine = (await loadParts(calculations[0])) as Engine & InParts;
  if (calculations.length === 0) return engine.whole();
  await Promise.all(calculations.map((name) => engine.ready(name)));
  return engine;
}

interface InParts {
  ready: (calculation: string) => Promise<void>;
  whole: () => Promise<Engine>;
}
