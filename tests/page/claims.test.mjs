// Every sentence of Cost, Collectives, Train and Serve that depends on the scenario is true of it: a thousand scenarios are drawn,
// and what each view says of them is compared with the engine's tables by support/claims/. Learn's is learn-claims.test.mjs.
// Then lies are put into the sentences, one at a time, and each has to be found. No browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { check, oracles } from "./support/claims/check.mjs";
import { scenarioOf } from "./support/drawn.mjs";
import { lies } from "./support/lies.mjs";
import { loadAll } from "./support/source.mjs";
import { modules } from "./support/told.mjs";

const engine = await loadEngine();
const thousand = 1000;
/** A search takes longer than a step by a thousand: what every change must pass draws the first few of its thousand. */
const few = 60;
const searching = ["plan", "scaling", "layout", "learn", "serve", "goodput", "compared"];
/** Few layouts that were asked for do not fit: until a lie is found, more are drawn. */
const triesOf = (view) => (searching.includes(view) ? 8 * few : thousand);

const page = await loadAll(modules);

/** Checks a view's scenarios of these numbers; most of them have an answer. */
function checkAll(view, from, to) {
  let said = 0;
  for (let seed = from; seed <= to; seed++) if (check(engine, page, view, scenarioOf(engine, view, seed))) said += 1;
  assert.ok(said >= (to - from + 1) / 3, `${view} answered ${said}`);
}

for (const view of Object.keys(oracles)) {
  const first = searching.includes(view) ? few : thousand;
  test(`${view}: every sentence is true of ${first} scenarios`, () => checkAll(view, 1, first));
  // In parts: none takes so long that a busy machine looks like a stall.
  const part = (thousand - few) / 4;
  for (let from = first + 1; from <= thousand; from += part)
    test(`${view}: every sentence is true of the thousand’s ${from} to ${from + part - 1}`, { tag: "@long" }, () =>
      checkAll(view, from, from + part - 1),
    );
}

test("there are thirty lies and more, each of a view", () => {
  assert.ok(lies.length >= 30);
  assert.deepEqual(
    lies.filter(({ view }) => !(view in oracles)),
    [],
  );
});

for (const view of Object.keys(oracles)) {
  const told = lies.filter((lie) => lie.view === view);
  if (told.length > 0)
    test(`${view}: each of ${told.length} lies is found`, async () => {
      const missed = [];
      for (const lie of told) {
        const liar = await loadAll(modules, lie);
        let found = false;
        for (let seed = 1; seed <= triesOf(view) && !found; seed++) {
          try {
            check(engine, liar, view, scenarioOf(engine, view, seed));
          } catch {
            found = true;
          }
        }
        if (!found) missed.push(lie.what);
      }
      assert.deepEqual(missed, []);
    });
}
