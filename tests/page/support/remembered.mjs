// An engine that answers a question once while one scenario is checked: page and oracle ask for the same searches.

/** Inputs in a fixed order, however they are listed. */
const keyOf = (name, inputs) =>
  `${name} ${JSON.stringify(inputs, (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )}`;

const made = new WeakMap();

/** The same engine with a memory; `forget` empties it. Refusals are not kept. */
export function remembered(engine) {
  const known = made.get(engine);
  if (known) return known;
  const answers = new Map();
  const remembering = (own, name) =>
    // A prepared calculation is closed by the code that prepared it.
    typeof own !== "function" || name === "prepare"
      ? own
      : (...given) => {
          // Tables take no inputs, and the engine keeps them itself.
          if (given.length === 0) return own();
          const key = keyOf(name, given);
          if (!answers.has(key)) answers.set(key, own(...given));
          return answers.get(key);
        };
  const all = Object.entries(engine).map(([name, own]) => [name, remembering(own, name)]);
  const one = { engine: Object.fromEntries(all), forget: () => answers.clear() };
  made.set(engine, one);
  return one;
}
