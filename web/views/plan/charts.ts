import type { PlanResults } from "#engine";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { stepParts } from "../../figures/step-parts.js";
import { milliseconds, millisecondUnits, percent } from "../../state/format.js";
import { inShort } from "../../figures/layout-words.js";

/** Where the time of the best layouts goes: one for each way of dividing the GPUs. */
export function timeChart(found: PlanResults): StackedBarsSpec {
  const seen = new Set<string>();
  const rows = found.layouts.filter((row) => !seen.has(inShort(row)) && seen.add(inShort(row))).slice(0, 5);
  const bars = rows.map((row) => ({ label: inShort(row), parts: stepParts(row.parts) }));
  const names = [...new Set(bars.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const best = rows[0]!;
  const share = (100 * (best.parts.compute_ms + best.parts.recompute_ms)) / best.step_time_ms;
  return {
    id: "commcost-plan-time",
    title: "Where the time goes.",
    summary: `The best layout computes for ${percent(share, 2)} of its step${rows.length > 1 ? "; below, the best of each other division of the GPUs" : ""}.`,
    axis: "A step",
    units: millisecondUnits,
    format: (value) => milliseconds(value, 3),
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
