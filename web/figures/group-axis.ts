import type { TensorParallelAllreduceCostResults } from "#engine";
import type { Drag } from "../charts/drag.js";
import type { LineChartSpec, Rule } from "../charts/line-chart.js";
import { exact } from "../state/format.js";
import { over } from "../state/over.js";
import type { Scenario } from "../state/scenario.js";

/** Charts over the GPUs of a tensor group: which sizes, how they are written, where a node ends. */

const powers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 2 ** (from + index));

/** Every group up to 64, then powers of two, four doublings beyond the reader's own. */
function groupSizes(present: number, most: number): number[] {
  const last = Math.min(most, Math.max(64, 2 ** Math.ceil(Math.log2(present) + 2)));
  const all = new Set([...Array.from({ length: 64 }, (_, index) => index + 1), ...powers(7, 20), present]);
  return [...all].filter((gpus) => gpus <= last).sort((a, b) => a - b);
}

/**
 * The exercise over every group, with one more row than there are groups: for the largest group of all. Each is a
 * separate call: the first part of the engine can do that but has no sweeps.
 */
export function overGroups(
  scenario: Scenario,
  inputs: Record<string, number>,
): { gpus: number[]; rows: TensorParallelAllreduceCostResults[] } {
  const most = scenario.fields.get("num_gpus")!.greatest!;
  const gpus = groupSizes(inputs["num_gpus"]!, most);
  // The last shows the limit of the volume.
  const groups = [...gpus, most].map((num_gpus) => ({ num_gpus }));
  const rows = over(scenario.engine, "tensor_parallel_allreduce_cost", inputs, groups, (results) => results);
  return { gpus, rows };
}

export const groupAxis = (present: number): LineChartSpec["x"] => ({
  label: present === 1 ? "GPUs" : "GPUs in the group",
  scale: "log",
  ticks: powers(0, 20),
  format: (value) => exact(value),
});

/** Where a group leaves its node. */
export function nodeRule(scenario: Scenario): Rule[] {
  const node = scenario.number("gpus_per_node");
  return Number.isFinite(node) && node > 1 ? [{ axis: "x", at: node, label: `a node: ${node} GPUs` }] : [];
}

/** The marked point is the tensor group: it moves in powers of two. */
export const groupDrag = (gpus: readonly number[]): Drag => ({
  label: "GPUs in the group",
  values: gpus.filter((count) => Number.isInteger(Math.log2(count))),
  format: (count) => `${exact(count)} GPUs`,
});
