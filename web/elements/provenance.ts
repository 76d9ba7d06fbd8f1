import type { Provenance } from "../charts/provenance.js";
import { exact } from "../state/format.js";
import { writeLink } from "../state/link.js";
import { presetsOf } from "../state/presets.js";
import type { Scenario } from "../state/scenario.js";

/** The scenario in a line: model, machine, degrees, work. */
export function scenarioLine(scenario: Scenario): string {
  const named = (kind: "model" | "system") =>
    presetsOf[kind](scenario).find(({ id }) => id === scenario.text(kind))?.name;
  const degree = (name: string, sign: string) => {
    const value = scenario.number(name);
    return value > 1 ? `${sign} ${exact(value)}` : undefined;
  };
  return [
    named("model") ?? `hidden size ${scenario.text("hidden_size")}, ${scenario.text("num_layers")} layers`,
    named("system") ?? scenario.text("accelerator"),
    degree("tensor_parallel", "TP"),
    degree("pipeline_parallel", "PP"),
    degree("context_parallel", "CP"),
    degree("data_parallel", "DP"),
    `${scenario.text("batch_size")} × ${scenario.text("sequence_length")} tokens`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Where the page with this scenario is; of an element in somebody's own page nobody can say. */
function addressOf(scenario: Scenario): string | undefined {
  const app = document.querySelector("commcost-app");
  if (!app) return undefined;
  return app.hasAttribute("embed") ? new URL(`./${writeLink(scenario, {})}`, location.href).href : location.href;
}

/** What charts of a scenario say of themselves once they have left the page. */
export function provenanceOf(scenario: Scenario): Provenance {
  const link = addressOf(scenario);
  return {
    scenario: scenarioLine(scenario),
    source: "Computed with commcost",
    ...(link && { link }),
  };
}
