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

const reached = new Set();

export const { binary, logical, condition, constant } = switchedBy((id) => {
  if (!reached.has(id)) {
    reached.add(id);
    globalThis.commcostReached?.(id);
  }
  return id === globalThis.commcostMutant;
});
