// What the views' sentences of drawn scenarios were when they were last read. Whether a sentence is true, claims.test.mjs says.
import { scenarioOf } from "./support/drawn.mjs";
import { recorder } from "./support/recorded.mjs";
import { drawnMark } from "./support/text.mjs";
import { charts, modules, told } from "./support/told.mjs";

const recorded = await recorder(modules);
/** A search takes longer than a step by a thousand. */
const searching = ["plan", "scaling", "layout", "learn", "serve", "goodput"];
const countOf = (view) => (searching.includes(view) ? 60 : 300);

for (const view of Object.keys(told))
  recorded(view, countOf(view), (page, engine, seed) => {
    const scenario = page.scenario.pageScenario(engine);
    scenario.reset(scenarioOf(engine, view, seed));
    charts.length = 0;
    const said = told[view](page, scenario)?.split("\n") ?? [];
    return [...said, ...charts.map((chart) => `${chart.id} draws: ${drawnMark(chart)}`)];
  });
