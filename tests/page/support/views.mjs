// Views rendered without a page: everything that they would draw, including below their answers.
import { scenarioOf } from "./drawn.mjs";
import { elementOf } from "./pageless.mjs";
import { drawnMark } from "./text.mjs";

/** Views by whose scenarios are drawn for them. */
const views = {
  cost: "views/cost/cost-view.ts",
  network: "views/network/network-view.ts",
  ring: "views/ring/ring-view.ts",
  overlap: "views/overlap/overlap-view.ts",
  step: "views/step/step-view.ts",
  serve: "views/serve/serve-view.ts",
  learn: "views/learn/learn-view.ts",
  exercise: "views/exercise/exercise-view.ts",
  projection: "views/projection/projection-view.ts",
};
const names = Object.keys(views);

/** Parts below a view's answer whose content comes from elsewhere. */
const parts = {
  families: "views/plan/families.ts",
  roofline: "views/step/roofline.ts",
  growth: "views/step/growth.ts",
};

export const viewModules = { scenario: "state/page-scenario.ts", running: "state/run.ts", ...views, ...parts };

/** Scenarios of each view. */
const scenariosOfEach = 8;
export const viewCount = names.length * scenariosOfEach;

/** A view's scenario for a number: what is drawn of it, in a mark. */
export function viewLines(page, engine, number) {
  const name = names[(number - 1) % names.length];
  const seed = Math.ceil(number / names.length);
  const scenario = page.scenario.pageScenario(engine);
  scenario.reset(seed === 1 ? {} : scenarioOf(engine, name, seed));
  const lines = [`${name} ${seed} draws: ${drawnMark(elementOf(page[name], { scenario }).render())}`];
  if (name !== "step") return lines;
  for (const part of ["roofline", "growth"])
    lines.push(`${part} ${seed} draws: ${drawnMark(elementOf(page[part], { scenario }).render())}`);
  const { results: found, inputs: sought } = page.running.run(scenario, "plan");
  if (found?.layouts.length > 0) {
    const given = { scenario, found, sought, isUsed: (row) => row === found.layouts[0], use() {}, choose() {} };
    lines.push(`families ${seed} draws: ${drawnMark(elementOf(page.families, given).render())}`);
  }
  return lines;
}
