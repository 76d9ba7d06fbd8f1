import type { TensorParallelAllreduceCostResults } from "#engine";
import type { LineChartSpec } from "../charts/line-chart.js";
import { groupAxis, groupDrag, overGroups, nodeRule } from "./group-axis.js";
import { exact, milliseconds, millisecondUnits, ms, significant } from "../state/format.js";
import { over } from "../state/over.js";
import { problemsOf } from "../state/run.js";
import { ownCurve, ownTimeUs } from "../state/own-log.js";
import type { Scenario } from "../state/scenario.js";
import { callsOf, predictionInputs, rangeName } from "../state/expectation.js";
import type { Point, Series } from "../charts/series.js";

/** The predicted times of the same exercise on the scenario's machine, with their bands; none without a machine. */
function expectedTimes(scenario: Scenario, inputs: Record<string, number>, message: number, gpus: number[]) {
  const { values, problems } = scenario.inputs("predict_collective");
  const given = predictionInputs(inputs, message);
  if (problems.some(({ field }) => !(field in given))) return undefined;
  try {
    // One by one, as the exercise is.
    const groups = gpus.map((num_gpus) => ({ num_gpus }));
    const rows = over(scenario.engine, "predict_collective", { ...values, ...given }, groups, (results) => results);
    return {
      total: rows.map((row) => row.total_ms),
      low: rows.map((row) => row.total_low_ms),
      high: rows.map((row) => row.total_high_ms),
      basis: rows[gpus.indexOf(given["num_gpus"] as number)]!.basis,
    };
  } catch (error) {
    // The machine is impossible as described: the line above says so.
    problemsOf(error);
    return undefined;
  }
}

/** The time of the reader's own all-reduce on its own number of GPUs, all layers together; none without this size. */
function ownPoint(scenario: Scenario, inputs: Record<string, number>, message: number): Point | undefined {
  const curve = ownCurve(scenario);
  const time = curve?.collective === "all_reduce" ? ownTimeUs(curve, message) : undefined;
  return curve && time !== undefined
    ? { x: curve.num_gpus, y: (time * callsOf(inputs)) / 1e3, note: curve.name }
    : undefined;
}

/** Communication time against the number of GPUs: by the formula, as predicted, and the reader's own. */
export function costChart(
  scenario: Scenario,
  inputs: Record<string, number>,
  results: TensorParallelAllreduceCostResults,
): LineChartSpec {
  const present = inputs["num_gpus"] as number;
  const { gpus, rows } = overGroups(scenario, inputs);
  const times = rows.map((row) => row.total_comm_time_ms);
  const volumes = rows.map((row) => row.comm_volume_per_allreduce_bytes);
  const node = scenario.number("gpus_per_node");
  // Partly filled nodes would turn the predicted line into a saw.
  const even = gpus
    .map((_, index) => index)
    .filter((index) => gpus[index]! <= node || gpus[index]! % node === 0 || gpus[index] === present);
  const expected = expectedTimes(scenario, inputs, results.message_size_bytes, gpus);
  const mine = ownPoint(scenario, inputs, results.message_size_bytes);
  const at = (column: readonly number[]): number => column[gpus.indexOf(present)]!;
  const share = at(volumes) / volumes[gpus.length]!;
  const here = expected ? at(expected.total) : results.total_comm_time_ms;
  return {
    id: "commcost-time-by-gpus",
    title: "Time against GPUs.",
    summary:
      present === 1
        ? "One GPU sends nothing. With two, each already sends half of the most that it ever will."
        : `With ${exact(present)} GPUs each sends ${significant(share * 100, 3)} % of the most that it ever will, so more GPUs add at most ${significant(100 / share - 100, 2)} % to the formula’s time.`,
    x: groupAxis(present),
    y: {
      label: "Communication in a forward pass",
      scale: "linear",
      units: millisecondUnits,
      format: ms,
    },
    series: [
      {
        name: "textbook formula",
        color: "textbook",
        points: gpus.map((count, index) => ({ x: count, y: times[index]! })),
      },
      ...(expected ? expectedSeries(gpus, even, expected) : []),
      ...(mine ? [{ name: "your log", kind: "dots" as const, color: "own" as const, points: [mine] }] : []),
    ],
    rules: nodeRule(scenario),
    here: {
      x: present,
      y: here,
      label: expected ? milliseconds(here, 2) : milliseconds(here),
      drag: groupDrag(gpus),
    },
    table: timeTable(gpus, rows, expected),
  };
}

type Expected = NonNullable<ReturnType<typeof expectedTimes>>;

/** The predicted line with its band. */
function expectedSeries(
  gpus: readonly number[],
  even: readonly number[],
  { total, low, high, basis }: Expected,
): Series[] {
  return [
    {
      name: "predicted",
      color: "expected",
      dash: "6 3",
      points: even.map((index) => ({ x: gpus[index]!, y: total[index]! })),
    },
    {
      name: rangeName(basis),
      kind: "band",
      color: "expected",
      points: even.map((index) => ({ x: gpus[index]!, y: NaN, low: low[index]!, high: high[index]! })),
    },
  ];
}

function timeTable(
  gpus: readonly number[],
  costs: readonly TensorParallelAllreduceCostResults[],
  expected: Expected | undefined,
): LineChartSpec["table"] {
  const names = ["comm_volume_per_allreduce_bytes", "total_comm_volume_bytes", "total_comm_time_ms"] as const;
  const guessed = expected ? [expected.total, expected.low, expected.high] : [];
  return {
    header: ["num_gpus", ...names, ...["expected_ms", "expected_low_ms", "expected_high_ms"].slice(0, guessed.length)],
    rows: gpus.map((count, index) => [
      count,
      ...names.map((name) => costs[index]![name]),
      ...guessed.map((column) => Number(column[index]!.toPrecision(5))),
    ]),
  };
}
