import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { launchFold } from "../../elements/launch.js";
import { launchOf } from "../../state/launch.js";
import type { Scenario } from "../../state/scenario.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";

/** The layout in use, or the best, as each stack that trains is started with it. */
export function exports(scenario: Scenario, row: PlanRow): TemplateResult {
  const { choices } = scenario.engine.describe()["export_layout"]!.inputs.find(({ name }) => name === "format")!;
  return html`<div class="exports no-print">${choices!.map((format) => {
    const results = launchOf(scenario, "export_layout", { ...layoutOf(row, scenario, "export_layout"), format });
    return results ? launchFold(results) : nothing;
  })}</div>`;
}
