// What the views' sentences were when they were last read: of each shape that one takes the first, with the drawn scenario that
// it is of. A word or a figure that moves is seen, and is either wanted (COMMCOST_RECORD=1 npx playwright test -c tests/page
// recorded-words writes the files anew; read what changed) or a mistake. Whether a sentence is true, claims.test.mjs says.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { scenarioOf } from "./support/drawn.mjs";
import { loadAll } from "./support/source.mjs";
import { modules, told } from "./support/told.mjs";

const engine = await loadEngine();
const page = await loadAll(modules);
/** A search takes longer than a step by a thousand. */
const searching = ["plan", "scaling", "layout", "learn", "serve", "goodput"];
const countOf = (view) => (searching.includes(view) ? 60 : 300);

function linesOf(view, seed) {
  const scenario = page.scenario.pageScenario(engine);
  scenario.reset(scenarioOf(engine, view, seed));
  return told[view](page, scenario)?.split("\n") ?? [];
}

/** A sentence without its names and numbers. */
const shapeOf = (line) =>
  line
    .split(/\s+/)
    .filter((word) => !/[A-Z\d]/.test(word))
    .join(" ");

function recorded(view) {
  const shapes = new Map();
  for (let seed = 1; seed <= countOf(view); ++seed)
    for (const line of linesOf(view, seed)) {
      const shape = shapeOf(line);
      if (!shapes.has(shape)) shapes.set(shape, `${seed}\t${line}\n`);
    }
  return [...shapes.values()].join("");
}

for (const view of Object.keys(told))
  test(`${view}: its sentences are what they were`, () => {
    const file = new URL(`../data/words/${view}.tsv`, import.meta.url);
    if (process.env.COMMCOST_RECORD) writeFileSync(file, recorded(view));
    const lines = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    assert.ok(lines.length >= 5, view);
    const now = new Map();
    for (const [seed, line] of lines) {
      if (!now.has(seed)) now.set(seed, linesOf(view, Number(seed)));
      assert.ok(now.get(seed).includes(line), `${view} of scenario ${seed} no longer says: ${line}`);
    }
  });
