import type { TensorParallelAllreduceCostResults } from "#engine";
import type { LineChartSpec } from "../charts/line-chart.js";
import type { Scenario } from "../state/scenario.js";
import { groupAxis, groupDrag, overGroups, nodeRule } from "./group-axis.js";

/** What each GPU sends for one all-reduce against the size of the group: it flattens at twice the message. */
export function volumeChart(
  scenario: Scenario,
  inputs: Record<string, number>,
  results: TensorParallelAllreduceCostResults,
): LineChartSpec {
  const present = inputs["num_gpus"] as number;
  const { gpus, rows } = overGroups(scenario, inputs);
  const volumes = rows.map((row) => row.comm_volume_per_allreduce_bytes);
  const limit = volumes[gpus.length]!;
  return {
    id: "commcost-volume-by-gpus",
    title: "Volume of one all-reduce against GPUs.",
    summary: `It grows towards twice the message, ${scenario.sizes.bytes(limit, 3)}, and stays below it.`,
    x: groupAxis(present),
    y: {
      label: "Sent by each GPU",
      scale: "linear",
      units: scenario.sizes.volumeUnits,
      format: (value) => (value === 0 ? "0" : scenario.sizes.bytes(value, 3)),
    },
    series: [
      { name: "ring", color: "textbook", points: gpus.map((count, index) => ({ x: count, y: volumes[index]! })) },
    ],
    rules: [{ axis: "y", at: limit, label: `2 · message = ${scenario.sizes.bytes(limit, 3)}` }, ...nodeRule(scenario)],
    here: {
      x: present,
      y: results.comm_volume_per_allreduce_bytes,
      label: scenario.sizes.bytes(results.comm_volume_per_allreduce_bytes),
      drag: groupDrag(gpus),
    },
    table: {
      header: ["num_gpus", "comm_volume_per_allreduce_bytes"],
      rows: gpus.map((count, index) => [count, volumes[index]!]),
    },
  };
}
