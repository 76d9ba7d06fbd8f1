import type { PlanResults } from "#engine";
import type { ScatterSpec } from "../charts/scatter-chart.js";
import { millisecondUnits, ms, significant } from "../state/format.js";
import { layoutOf } from "../state/planned-layout.js";
import type { Scenario } from "../state/scenario.js";
import { dataOf, pipelineOf, tensorOf } from "./layout-words.js";

/** Layouts that take up to this many times the first's time are worth considering for the memory they save. */
const worthIt = 1.1;

/** How many times slower than the best a layout may be to be drawn. */
const leftOut = 12;

/** The front without layouts that are too slow to be useful, by time ascending. */
export function nearFront({ layouts, pareto_front }: PlanResults): PlanResults["pareto_front"] {
  const slowest = layouts[0]!.step_time_ms * leftOut;
  return pareto_front.filter((row) => row.step_time_ms <= slowest);
}

/** How much memory a tenth more time would save at most. */
export function frontSummary({ layouts, pareto_front }: PlanResults, { sizes }: Scenario): string {
  if (pareto_front.length < 2) return "One layout is both the fastest and the smallest.";
  const best = layouts[0]!;
  const frugal = pareto_front
    .filter((row) => row.step_time_ms <= best.step_time_ms * worthIt && row.memory_gib < best.memory_gib)
    .at(-1);
  const lead = "Each dot is a layout; none is faster and smaller than those on the line.";
  if (!frugal)
    return `${lead} Less memory than the first layout’s ${sizes.memory(best.memory_gib)} costs at least ${significant(100 * worthIt - 100, 2)} % of time.`;
  const slower = (100 * frugal.step_time_ms) / best.step_time_ms - 100;
  const time = slower < 0.05 ? "takes no longer" : `takes ${significant(slower, 2)} % longer`;
  return `${lead} One needs ${sizes.memory(frugal.memory_gib)} instead of the first’s ${sizes.memory(best.memory_gib)} and ${time}.`;
}

/** Time against memory: the front, with all that was computed behind it. */
export function frontChart(found: PlanResults, scenario: Scenario): ScatterSpec {
  const best = found.layouts[0]!;
  const slowest = best.step_time_ms * leftOut;
  const cloud: number[] = [];
  for (let at = 0; at < found.space.length; at += 2) {
    if (found.space[at]! <= slowest) cloud.push(found.space[at + 1]!, found.space[at]!);
  }
  return {
    id: "commcost-plan-front",
    title: "Time against memory.",
    summary: frontSummary(found, scenario),
    x: { label: "Memory of the fullest GPU", format: scenario.sizes.memory, units: scenario.sizes.memoryUnits },
    y: { label: "A step", units: millisecondUnits, format: ms },
    cloud: Float64Array.from(cloud),
    front: nearFront(found).map((row) => ({
      x: row.memory_gib,
      y: row.step_time_ms,
      name: `TP ${tensorOf(row)}, PP ${pipelineOf(scenario, row)}, DP ${dataOf(row)}, micro-batch ${row.batch_size}`,
    })),
    limit: { at: found.memory_limit_gib, label: `available: ${scenario.sizes.memory(found.memory_limit_gib)}` },
    best: { x: best.memory_gib, y: best.step_time_ms, label: ms(best.step_time_ms) },
    table: {
      header: ["step_time_ms", "memory_gib", ...Object.keys(layoutOf(best, scenario))],
      rows: found.pareto_front.map((row) => [
        row.step_time_ms,
        row.memory_gib,
        ...Object.values(layoutOf(row, scenario)).map((value) => (typeof value === "boolean" ? String(value) : value)),
      ]),
    },
  };
}
