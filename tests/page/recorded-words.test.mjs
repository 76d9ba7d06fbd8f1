// What the views' sentences of drawn scenarios were when they were last read. Whether a sentence is true, claims.test.mjs says.
import { loadEngine } from "../../build/engine/commcost.js";
import { scenarioOf } from "./support/drawn.mjs";
import { recordedTest } from "./support/recorded.mjs";
import { loadAll } from "./support/source.mjs";
import { modules, told } from "./support/told.mjs";

const engine = await loadEngine();
const page = await loadAll(modules);
/** A search takes longer than a step by a thousand. */
const searching = ["plan", "scaling", "layout", "learn", "serve", "goodput"];
const countOf = (view) => (searching.includes(view) ? 60 : 300);

for (const view of Object.keys(told))
  recordedTest(view, countOf(view), (seed) => {
    const scenario = page.scenario.pageScenario(engine);
    scenario.reset(scenarioOf(engine, view, seed));
    return told[view](page, scenario)?.split("\n") ?? [];
  });
