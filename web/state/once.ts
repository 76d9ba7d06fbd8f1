import type { Scenario } from "./scenario.js";

/** What depends on the engine's tables alone, made once for each engine. */
export function once<Made>(make: (scenario: Scenario) => Made): (scenario: Scenario) => Made {
  const held = new WeakMap<Scenario["engine"], Made>();
  return (scenario) => {
    const made = held.get(scenario.engine) ?? make(scenario);
    held.set(scenario.engine, made);
    return made;
  };
}
