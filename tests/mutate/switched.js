// What a page with switches runs where a change was drawn: as it is, or changed where that change is the one that is on.

const reckon = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "===": (left, right) => left === right,
  "!==": (left, right) => left !== right,
};

/** Each kind of change, by a function that says whether one is on. */
export const switchedBy = (changed) => ({
  binary: (id, left, right, from, to) => reckon[changed(id) ? to : from](left, right),
  logical: (id, left, right, operator) => ((operator === "&&") === changed(id) ? left || right() : left && right()),
  condition: (id, value) => (changed(id) ? !value : value),
  constant: (id, from, to) => (changed(id) ? to : from),
});

/**
 * A worker learns only by its name what tests/page/support/switches.mjs sets for its page, and answers on a channel.
 */
function toldByName() {
  if (!("WorkerGlobalScope" in globalThis) || !globalThis.name) return undefined;
  const { commcostMutant, channel } = JSON.parse(globalThis.name);
  const port = channel && new BroadcastChannel(channel);
  const seen = new Set();
  const commcostReached = (id) => {
    if (!seen.has(id)) port?.postMessage(id);
    seen.add(id);
  };
  return { commcostMutant, commcostReached };
}

const { commcostMutant, commcostReached } = toldByName() ?? globalThis;

export const { binary, logical, condition, constant } = switchedBy((id) => {
  commcostReached?.(id);
  return id === commcostMutant;
});
