import type { PlanResults } from "#engine";
import type { ScatterSpec } from "../../charts/scatter-chart.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { millisecondUnits } from "../../charts/units.js";
import { stepParts } from "../../elements/step-parts.js";
import { memoryUnits, milliseconds } from "../../state/format.js";
import { inShort } from "../../figures/layout-words.js";
import { dataOf, gib, percent, pipelineOf, tensorOf } from "./words.js";

/** How many times slower than the best a layout may be to be drawn. */
const leftOut = 12;

/** Time against memory: the front, with all that was computed behind it. */
export function frontChart(found: PlanResults): ScatterSpec {
  const best = found.layouts[0]!;
  const slowest = best.step_time_ms * leftOut;
  const near = found.pareto_front.filter((row) => row.step_time_ms <= slowest);
  const frugal = found.pareto_front.filter((row) => row.step_time_ms <= best.step_time_ms * 1.1).at(-1) ?? best;
  const cloud: number[] = [];
  for (let at = 0; at < found.space.length; at += 2) {
    if (found.space[at]! <= slowest) cloud.push(found.space[at + 1]!, found.space[at]!);
  }
  const slower = (100 * frugal.step_time_ms) / best.step_time_ms - 100;
  return {
    id: "commcost-plan-front",
    title: "Time against memory.",
    summary:
      found.pareto_front.length < 2
        ? "One layout is both the quickest and the smallest."
        : `Each dot is a layout; none beats those on the line. ${
            frugal === best
              ? "Whatever needs less memory takes a tenth longer at least."
              : `One needs ${gib(frugal.memory_gib)}, not ${gib(best.memory_gib)}, and takes ${percent(slower, 2)} longer.`
          }`,
    x: { label: "Memory of the fullest GPU", format: gib, units: memoryUnits() },
    y: { label: "A step", units: millisecondUnits, format: (value) => milliseconds(value, 3) },
    cloud: Float64Array.from(cloud),
    front: near.map((row) => ({
      x: row.memory_gib,
      y: row.step_time_ms,
      name: `tensor ${tensorOf(row)}, pipeline ${pipelineOf(row)}, data ${dataOf(row)}, micro-batch ${row.batch_size}`,
    })),
    limit: { at: found.memory_limit_gib, label: `room: ${gib(found.memory_limit_gib)}` },
    best: { x: best.memory_gib, y: best.step_time_ms, label: milliseconds(best.step_time_ms, 3) },
    table: {
      header: [
        "step_time_ms",
        "memory_gib",
        "tensor_parallel",
        "sequence_parallel",
        "pipeline_parallel",
        "pipeline_schedule",
        "virtual_stages",
        "data_parallel",
        "zero_stage",
        "context_parallel",
        "expert_parallel",
        "batch_size",
        "recompute",
      ],
      rows: found.pareto_front.map((row) => [
        row.step_time_ms,
        row.memory_gib,
        row.tensor_parallel,
        String(row.sequence_parallel),
        row.pipeline_parallel,
        row.pipeline_schedule,
        row.virtual_stages,
        row.data_parallel,
        row.zero_stage,
        row.context_parallel,
        row.expert_parallel,
        row.batch_size,
        row.recompute,
      ]),
    },
  };
}

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
