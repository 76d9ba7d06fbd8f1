// Verdicts on two builds: what neither build may hide.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compared, passes } from "../../bench/compared.mjs";
import { Lacking } from "../../bench/measure/lacking.mjs";

/** What takes so long, and counts how often it was opened and closed. */
function taking(ms) {
  const counts = { opened: 0, closed: 0, measured: 0 };
  const open = async () => {
    counts.opened++;
    const once = async () => {
      counts.measured++;
      return ms;
    };
    return { once, close: async () => void counts.closed++ };
  };
  return { counts, open };
}
const throwing = (error) => async () => {
  throw error;
};
const about = { name: "a row", unit: "ms", rounds: 3 };
const verdictOf = async (before, now) => {
  const row = await compared({ ...about, before, now });
  assert.equal(row.name, about.name);
  assert.equal(row.unit, about.unit);
  return row;
};

test("both are opened once, measured in turn and closed", async () => {
  const [before, now] = [taking(10), taking(10)];
  const row = await verdictOf(before.open, now.open);
  assert.deepEqual(row, { name: "a row", unit: "ms", ratio: 1, before: 10, now: 10, verdict: "same" });
  for (const { counts } of [before, now])
    assert.deepEqual(counts, { opened: 1, closed: 1, measured: 1 + about.rounds });
});

test("slower by more than the limit fails, quicker does not", async () => {
  for (const [ms, verdict, passed] of [
    [11.6, "SLOWER", false],
    [11.4, "same", true],
    [8.6, "quicker", true],
  ]) {
    const row = await verdictOf(taking(10).open, taking(ms).open);
    assert.equal(row.verdict, verdict);
    assert.equal(passes(row), passed);
  }
});

test("what the former build lacks is new, and says what that is", async () => {
  const now = taking(1);
  const row = await verdictOf(throwing(new Lacking("no view learn")), now.open);
  assert.deepEqual([row.verdict, row.why, passes(row)], ["new", "no view learn", true]);
  assert.equal(now.counts.closed, 1);
});

test("what cannot be opened, in either build, or measured has failed", async () => {
  const broken = new Error("no answer in commcost-step\nat …");
  const unmeasured = async () => ({ once: throwing(broken) });
  for (const [before, now, why] of [
    [throwing(broken), taking(1).open, "before: no answer in commcost-step"],
    [taking(1).open, throwing(broken), "now: no answer in commcost-step"],
    [taking(1).open, throwing(new Lacking("no view step")), "now: no view step"],
    [throwing(new Lacking("no view step")), throwing(new Lacking("no view step")), "now: no view step"],
    [taking(1).open, unmeasured, "no answer in commcost-step"],
    [unmeasured, taking(1).open, "no answer in commcost-step"],
  ]) {
    const row = await verdictOf(before, now);
    assert.deepEqual([row.verdict, row.why, passes(row)], ["FAILED", why, false]);
  }
});
