import type { ServingStepResults } from "#engine";
import { kernels } from "virtual:kernels";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { sizeAxis } from "../../elements/size-axis.js";
import { unpacked } from "../../scoreboard/runs.js";
import { exact, microsecondUnits, us } from "../../state/format.js";
import { chosenPreset } from "../../state/presets.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { kernelNames } from "./serve-charts.js";
import type { Point, Series } from "../../charts/series.js";

/** A published time of one all-reduce by a serving stack's kernel. */
interface MeasuredKernel {
  accelerator: string;
  kernel: ServingStepResults["allreduce_kernel"];
  ranks: number;
  bytes: number;
  time_us: number;
  implementation: string;
  source: string;
}

const measured = unpacked<MeasuredKernel>(kernels);
/** From a token of a small model to a prompt's sums. */
const sizes = Array.from({ length: 17 }, (_, index) => 2 ** (10 + index));
const dashes: Partial<Record<MeasuredKernel["kernel"], string>> = {
  nccl: "6 3",
  two_shot: "2 3",
  nvls: "8 3 2 3",
};

function points(rows: readonly MeasuredKernel[]): Point[] {
  return rows.map(({ bytes, time_us, kernel, ranks, implementation, source }) => ({
    x: bytes,
    y: time_us,
    note: `${kernel === "best" ? "its stack’s choice" : kernelNames[kernel]} (${implementation}), ${exact(ranks)} GPUs; ${source}`,
  }));
}

/** Time over the message's size by each kernel that the machine runs, and what was measured on its GPU. */
export function kernelCurves(scenario: Scenario, results: ServingStepResults, ranks: number): LineChartSpec {
  const curve = (kernel: MeasuredKernel["kernel"]): Point[] =>
    sizes.flatMap((bytes) => {
      const answer = run(scenario, "predict_collective", {
        collective: "all_reduce",
        num_gpus: ranks,
        message_size_bytes: bytes,
        allreduce_kernel: kernel,
      });
      return answer.results ? [{ x: bytes, y: answer.results.time_us }] : [];
    });
  const lines = results.allreduce_kernels.map(({ kernel }) => ({
    kernel,
    name: kernelNames[kernel],
    points: curve(kernel),
  }));
  const accelerator = scenario.text("accelerator");
  const gpu = chosenPreset(scenario, "accelerator")?.name ?? accelerator;
  const here = measured.filter((row) => row.accelerator === accelerator);
  const same = here.filter((row) => row.ranks === ranks);
  const others = here.filter((row) => row.ranks !== ranks);
  const series: Series[] = [
    ...lines.map(
      ({ kernel, name, points }): Series => ({
        name,
        color: kernel === "nccl" ? "nccl" : "expected",
        points,
        ...(dashes[kernel] && { dash: dashes[kernel] }),
      }),
    ),
    ...(others.length > 0
      ? [
          {
            name: "measured on other numbers of ranks",
            kind: "dots" as const,
            hollow: true,
            color: "measured" as const,
            points: points(others),
          },
        ]
      : []),
    ...(same.length > 0
      ? [{ name: "measured", kind: "dots" as const, color: "measured" as const, points: points(same) }]
      : []),
  ];
  const told =
    here.length > 0
      ? `Dots are published times on ${gpu}${same.length > 0 ? "" : ", on other numbers of GPUs"}.`
      : `Nothing was published on ${gpu}: the curves are those of its links.`;
  return {
    id: "commcost-serve-kernel-curves",
    title: "Each kernel by size.",
    summary: `An all-reduce over ${exact(ranks)} GPUs; yours is ${scenario.sizes.binaryBytes(results.allreduce_bytes, 3)}. ${told}`,
    x: sizeAxis(scenario.sizes),
    y: { label: "Time of one all-reduce", scale: "log", units: microsecondUnits, format: (value) => us(value) },
    series,
    here: { x: results.allreduce_bytes, y: results.allreduce_us, label: us(results.allreduce_us) },
    table: {
      header: ["kernel", "ranks", "bytes", "time_us"],
      rows: [
        ...lines.flatMap(({ kernel, points }) => points.map(({ x, y }) => [kernel, ranks, x, y])),
        ...here.map((row) => [`measured: ${row.implementation}`, row.ranks, row.bytes, row.time_us]),
      ],
    },
  };
}
