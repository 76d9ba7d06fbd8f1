// The engine of the package, made of the parts that its elements use as well.
import type { Engine } from "#engine";
import { loadEngine as loadParts } from "./parts";

export { InvalidInputError } from "./invalid-input-error";

/**
 * The engine, ready to calculate; loaded once, the same object for every caller. If calculations are named, with only
 * what these need.
 */
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
