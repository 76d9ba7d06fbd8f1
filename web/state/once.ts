import type { Engine } from "#engine";

/** Anything with an engine. */
export interface OfEngine {
  readonly engine: Engine;
}

/** Whatever depends only on the engine's tables, made once for each engine. */
export function once<Made, Of extends OfEngine = OfEngine>(make: (of: Of) => Made): (of: Of) => Made {
  const held = new WeakMap<Engine, Made>();
  return (of) => {
    const made = held.get(of.engine) ?? make(of);
    held.set(of.engine, made);
    return made;
  };
}
