import type { PlanResults } from "#engine";
import type { ScatterSpec } from "../../charts/scatter-chart.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { frontChart } from "../../figures/front-chart.js";
import { stepParts } from "../../figures/step-parts.js";
import { millisecondUnits, ms } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { inShort } from "../../figures/layout-words.js";
import { timeSummary } from "./sentences.js";

/** Time against memory, with each family's best layout. */
export function familyChart(found: PlanResults, scenario: Scenario): ScatterSpec {
  const spec = frontChart(found, scenario);
  return {
    ...spec,
    summary: `${spec.summary} Numbers mark the families listed below.`,
    marks: found.layouts.map((row) => ({ x: row.memory_gib, y: row.step_time_ms })),
  };
}

/** Where the time of the best families goes. */
export function timeChart(found: PlanResults): StackedBarsSpec {
  const rows = found.layouts.slice(0, 5);
  const bars = rows.map((row) => ({ label: inShort(row), parts: stepParts(row.parts) }));
  const names = [...new Set(bars.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  return {
    id: "commcost-plan-time",
    title: "Where the time goes.",
    summary: timeSummary(found),
    axis: "A step",
    units: millisecondUnits,
    format: ms,
    bars,
    table: {
      header: ["layout", ...names.map((name) => `${name.replaceAll(/\W+/g, "_")}_ms`)],
      rows: bars.map(({ label, parts }) => [
        label,
        ...names.map((name) => parts.find((part) => part.name === name)?.value ?? 0),
      ]),
    },
  };
}
