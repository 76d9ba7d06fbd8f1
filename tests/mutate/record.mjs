// Draws inputs that notice changes of one operator which no recorded line of any calculation notices, and records them: all
// changes that core's formulas allow are switches in one build. A line that notices nothing which those before it don't goes,
// as long as enough are left and all calculations are asked. Needs the engine (.ci/build). A fit of noise
// may end elsewhere as WebAssembly (.ci/test-core wasm): such a line goes.
//   npm run mutate:record -- [--seconds 60] [--seed 1] [--calculations training_step,plan] [--only core/]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadEngine } from "../../build/engine/commcost.js";
import { drawnRequest } from "../page/support/claims/measured.mjs";
import { scenarioOf } from "../page/support/drawn.mjs";
import { loadAll } from "../page/support/source.mjs";
import { drawn, numbered } from "./drawn.mjs";
import { place, prepared, root, side, toldBy } from "./scratch.mjs";

const { values: asked } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    calculations: { type: "string", default: "" },
    only: { type: "string", default: "core/" },
  },
});
/** Runs that are slow for reasons, as the page's sentences are tested with them. */
async function slowRuns() {
  const engine = await loadEngine();
  const { scenario } = await loadAll({ scenario: "state/page-scenario.ts" });
  return Array.from({ length: 400 }, (_, seed) => {
    const one = scenario.pageScenario(engine);
    one.reset(scenarioOf(engine, "diagnose", seed + 1));
    return drawnRequest(engine, one);
  }).filter(Boolean);
}
const pools = { diagnose: await slowRuns() };
const recorded = join(root, "tests/data/recorded");
/** This many lines stay in any case: one operator's change isn't all that can go wrong. */
const fewest = 20;

const changes = numbered(drawn("1", asked.only));
prepared(changes);
// Of some calculations alone: what the others' lines noticed the last time counts.
const openFile = join(place, "open.json");
const unnoticed = asked.calculations === "" ? undefined : new Set(JSON.parse(readFileSync(openFile, "utf8")));
const open = new Set(changes.filter(({ name }) => unnoticed?.has(name) ?? true).map(({ id }) => id));
const calculations = readdirSync(recorded)
  .map((file) => file.replace(/\.jsonl$/, ""))
  .filter((name) => asked.calculations === "" || asked.calculations.split(",").includes(name));
await side(calculations, async (calculation) => {
  const path = join(recorded, `${calculation}.jsonl`);
  const before = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const told = await toldBy(calculation, open, pools[calculation] ?? [], Number(asked.seconds), asked.seed);
  for (const { ids } of told) for (const id of ids) open.delete(id);
  const telling = new Set(told.filter(({ place }) => place !== "drawn").map(({ place }) => Number(place)));
  const drawnLines = told.filter(({ place }) => place === "drawn");
  // Refusals go first: they say nothing about figures.
  const refused = (at) => Number(before[at].includes('"refused":['));
  const spare = before
    .map((_, at) => at)
    .filter((at) => !telling.has(at))
    .sort((one, other) => refused(one) - refused(other));
  // What others' lines notice as well, only a search of all can tell.
  const goes = new Set(unnoticed ? [] : spare.slice(Math.max(0, fewest - telling.size - drawnLines.length)));
  const lines = new Set([...before.filter((_, at) => !goes.has(at)), ...drawnLines.map(({ line }) => line)]);
  writeFileSync(path, [...lines].map((line) => `${line}\n`).join(""));
  const sum = (rows) => rows.reduce((count, { ids }) => count + ids.length, 0);
  console.log(
    `${calculation}: ${before.length} lines, of which ${telling.size} notice ${sum(told) - sum(drawnLines)} changes; ` +
      `${drawnLines.length} drawn notice ${sum(drawnLines)} more; ${goes.size} go`,
  );
});
console.log(`${open.size} of ${changes.length} changes are noticed by no line: ${openFile}`);
writeFileSync(openFile, JSON.stringify(changes.filter(({ id }) => open.has(id)).map(({ name }) => name)));
