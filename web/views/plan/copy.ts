import { html } from "../../elements/html.js";
import { choiceWord } from "../../elements/labels.js";
import { launchFold } from "../../elements/launch.js";
import { launchOf } from "../../state/launch.js";
import type { Scenario } from "../../state/scenario.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";

/** The launch of a layout in each stack that trains on the accelerator. */
export function launchesOf(scenario: Scenario, row: PlanRow) {
  const { choices } = scenario.engine.describe()["export_layout"]!.inputs.find(({ name }) => name === "format")!;
  return choices!.flatMap((format) => {
    const launch = launchOf(scenario, "export_layout", { ...layoutOf(row, scenario, "export_layout"), format });
    return launch && !launch.not_exported.some(({ field }) => field === "accelerator") ? [{ format, launch }] : [];
  });
}

/** Launches, one fold each; if there are none, why. */
export const launchFolds = (scenario: Scenario, launches: ReturnType<typeof launchesOf>) =>
  html`<div class="exports no-print">${
    launches.length > 0
      ? launches.map(({ launch }) => launchFold(launch))
      : html`<p class="small">None of the stacks whose launches are written here runs on ${choiceWord(scenario, "accelerator", scenario.text("accelerator"))}.</p>`
  }</div>`;
