import type { SweepResults, TensorParallelAllreduceCostResults } from "#engine";
import type { Drag } from "../../charts/drag.js";
import type { LineChartSpec, Point } from "../../charts/line-chart.js";
import { millisecondUnits } from "../../charts/units.js";
import { bytes, exact, milliseconds, volumeUnits } from "../../state/format.js";
import { problemsOf } from "../../state/run.js";
import { ownCurve, ownTimeUs } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";
import { callsOf, predictionInputs } from "./expected.js";

const powers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 2 ** (from + index));

/** Every group up to 64, then powers of two, four doublings beyond the reader's own. */
function groups(present: number, most: number): number[] {
  const last = Math.min(most, Math.max(64, 2 ** Math.ceil(Math.log2(present) + 2)));
  const all = new Set([...Array.from({ length: 64 }, (_, index) => index + 1), ...powers(7, 20), present]);
  return [...all].filter((gpus) => gpus <= last).sort((a, b) => a - b);
}

/** The expected times of the same exercise on the scenario's machine, with their bands; none where it has no machine. */
function expectedTimes(scenario: Scenario, inputs: Record<string, number>, message: number, gpus: number[]) {
  const { values, problems } = scenario.inputs("predict_collective");
  const given = predictionInputs(inputs, message);
  if (problems.some(({ field }) => !(field in given))) return undefined;
  let swept: SweepResults;
  try {
    swept = scenario.engine.sweep({
      calculation: "predict_collective",
      inputs: { ...values, ...given },
      axes: [{ field: "num_gpus", values: gpus }],
    });
  } catch (error) {
    // The machine cannot be what it is said to be: the line above says so.
    problemsOf(error);
    return undefined;
  }
  const { results, refused } = swept;
  return refused === 0
    ? { total: results["total_ms"]!, low: results["total_low_ms"]!, high: results["total_high_ms"]! }
    : undefined;
}

/** The marked point is the tensor group: moved, it stands at a power of two. */
const groupDrag = (gpus: readonly number[]): Drag => ({
  label: "GPUs in the group",
  values: gpus.filter((count) => Number.isInteger(Math.log2(count))),
  format: (count) => `${exact(count)} GPUs`,
});

/** What the reader's own all-reduce took on its own number of GPUs, all layers together; none where it has not this size. */
export function ownPoint(scenario: Scenario, inputs: Record<string, number>, message: number): Point | undefined {
  const curve = ownCurve(scenario);
  const time = curve?.collective === "all_reduce" ? ownTimeUs(curve, message) : undefined;
  return curve && time !== undefined
    ? { x: curve.num_gpus, y: (time * callsOf(inputs)) / 1e3, note: curve.name }
    : undefined;
}

/** Time and volume against the number of GPUs. */
export function costCharts(
  scenario: Scenario,
  inputs: Record<string, number>,
  results: TensorParallelAllreduceCostResults,
): { time: LineChartSpec; volume: LineChartSpec } {
  const present = inputs["num_gpus"] as number;
  const most = scenario.fields.get("num_gpus")!.greatest!;
  const sweep: SweepResults = scenario.engine.sweep({
    calculation: "tensor_parallel_allreduce_cost",
    inputs,
    // The largest group of all shows what the volume grows towards.
    axes: [{ field: "num_gpus", values: [...groups(present, most), most] }],
  });
  const gpus = [...(sweep.axes[0]!.values as Float64Array)].slice(0, -1);
  const times = sweep.results["total_comm_time_ms"]!;
  const volumes = sweep.results["comm_volume_per_allreduce_bytes"]!;
  const limit = volumes[gpus.length]!;
  const node = scenario.number("gpus_per_node");
  const boundary =
    Number.isFinite(node) && node > 1 ? [{ axis: "x" as const, at: node, label: `a node: ${node} GPUs` }] : [];
  // Nodes that are only partly taken would make a saw of the expected line.
  const even = gpus
    .map((_, index) => index)
    .filter((index) => gpus[index]! <= node || gpus[index]! % node === 0 || gpus[index] === present);
  const expected = expectedTimes(scenario, inputs, results.message_size_bytes, gpus);
  const mine = ownPoint(scenario, inputs, results.message_size_bytes);
  const table = {
    header: ["num_gpus", "comm_volume_per_allreduce_bytes", "total_comm_volume_bytes", "total_comm_time_ms"],
    rows: gpus.map((count, index) => [
      count,
      volumes[index]!,
      sweep.results["total_comm_volume_bytes"]![index]!,
      times[index]!,
    ]),
  };
  const x = {
    label: present === 1 ? "GPUs" : "GPUs in the group",
    scale: "log" as const,
    ticks: powers(0, 20),
    format: (value: number) => exact(value),
  };
  const at = (column: ArrayLike<number>): number => column[gpus.indexOf(present)]!;
  const share = volumes[gpus.indexOf(present)]! / limit;
  const expectedColumns = expected
    ? {
        header: [...table.header, "expected_ms", "expected_low_ms", "expected_high_ms"],
        rows: table.rows.map((row, index) => [
          ...row,
          ...[expected.total, expected.low, expected.high].map((column) => Number(column[index]!.toPrecision(5))),
        ]),
      }
    : table;
  return {
    time: {
      id: "commcost-time-by-gpus",
      title: "Time against GPUs.",
      summary:
        present === 1
          ? "One GPU sends nothing; the second brings half of all there is to pay."
          : `At ${exact(present)} GPUs ${Math.round(share * 100)} % of the limit is reached: more GPUs send hardly more, and save nothing.`,
      x,
      table: expectedColumns,
      y: {
        label: "Communication in a forward pass",
        scale: "linear",
        units: millisecondUnits,
        format: (value) => milliseconds(value, 3),
      },
      series: [
        {
          name: "at line rate",
          color: "textbook",
          points: gpus.map((count, index) => ({ x: count, y: times[index]! })),
        },
        ...(expected
          ? [
              {
                name: "expected",
                color: "expected" as const,
                dash: "6 3",
                points: even.map((index) => ({ x: gpus[index]!, y: expected.total[index]! })),
              },
              {
                name: "four of five",
                kind: "band" as const,
                color: "expected" as const,
                points: even.map((index) => ({
                  x: gpus[index]!,
                  y: NaN,
                  low: expected.low[index]!,
                  high: expected.high[index]!,
                })),
              },
            ]
          : []),
        ...(mine ? [{ name: "your log", kind: "dots" as const, color: "own" as const, points: [mine] }] : []),
      ],
      rules: boundary,
      here: {
        x: present,
        ...(expected
          ? { y: at(expected.total), label: milliseconds(at(expected.total), 2) }
          : { y: results.total_comm_time_ms, label: milliseconds(results.total_comm_time_ms) }),
        // Not over what the reader's own log has there.
        below: mine?.x === present && mine.y > (expected ? at(expected.total) : results.total_comm_time_ms),
        drag: groupDrag(gpus),
      },
    },
    volume: {
      id: "commcost-volume-by-gpus",
      title: "Volume of one all-reduce against GPUs.",
      summary: `It grows towards twice the message, ${bytes(limit, 3)}, and never reaches it.`,
      x,
      table,
      y: {
        label: "Sent by each GPU",
        scale: "linear",
        units: volumeUnits(),
        format: (value) => (value === 0 ? "0" : bytes(value, 3)),
      },
      series: [
        { name: "ring", color: "textbook", points: gpus.map((count, index) => ({ x: count, y: volumes[index]! })) },
      ],
      rules: [
        { axis: "y", at: limit, label: `2 · message = ${bytes(limit, 3)}` },
        ...boundary.map((rule) => ({ ...rule, row: 1 })),
      ],
      here: {
        x: present,
        y: results.comm_volume_per_allreduce_bytes,
        label: bytes(results.comm_volume_per_allreduce_bytes),
        below: true,
      },
    },
  };
}
