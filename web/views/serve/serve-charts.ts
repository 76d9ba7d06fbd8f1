import type { ServingStepResults } from "#engine";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { StackedBarsSpec, StackedPart } from "../../charts/stacked-bars.js";
import type { Subject } from "../../elements/tokens.js";
import { memoryBars } from "../../figures/memory-bars.js";
import { exact, millisecondUnits, ms, significant, us } from "../../state/format.js";
import { ownTimeUs, type OwnCurve } from "../../state/own-log.js";
import type { Sizes } from "../../state/sizes.js";
import { firstThatFits, lastThatPays, type OnRanks } from "./degrees.js";

type Parts = ServingStepResults["parts"];

/** Parts of a step: their place in its results, and their name in every chart and sentence. */
export const parts: readonly [keyof Parts, string, Subject][] = [
  ["weights_ms", "reading weights", "weights"],
  ["cache_ms", "reading the cache", "cache"],
  ["compute_ms", "compute", "compute"],
  ["kernels_ms", "kernel starts", "waiting"],
  ["exposed_tensor_ms", "all-reduces", "tensor"],
  ["exposed_expert_ms", "tokens to experts", "expert"],
  ["exposed_pipeline_ms", "PP send/recv", "pipeline"],
  ["launch_ms", "host", "launch"],
];

/** Where a server's step goes, in the order and the colours of every chart of it. */
const servingParts = (of: Parts): StackedPart[] =>
  parts.map(([key, name, color]) => ({ name, color, value: of[key] })).filter(({ value }) => value > 0);

/** "TP 4 (yours)", "TP 1, does not fit". */
const degreeLabel = ({ ranks, results, here }: OnRanks): string =>
  `TP ${ranks}${here ? " (yours)" : ""}${results.fits ? "" : ", does not fit"}`;

/** Which part grows most in share from the least degree to the greatest: "the share of all-reduces grows from 3 % to 17 %". */
function grower(first: OnRanks, last: OnRanks): string | undefined {
  const share = (step: OnRanks, key: keyof Parts) => step.results.parts[key] / step.results.step_time_ms;
  const grown = parts
    .map(([key, name]) => ({ name, from: share(first, key), to: share(last, key) }))
    .sort((a, b) => b.to - b.from - (a.to - a.from))[0]!;
  const percents = (value: number) => `${Math.round(100 * value)} %`;
  return grown.to - grown.from > 0.01
    ? `the share of ${grown.name} grows from ${percents(grown.from)} to ${percents(grown.to)}`
    : undefined;
}

/** The effect of a higher TP on a token: how much less each GPU reads, and what that leaves. */
function degreesInWords(steps: readonly OnRanks[]): string {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || first === last) return "The model’s shape allows no other TP.";
  const less = first.results.weight_bytes_read / last.results.weight_bytes_read;
  const reads = less > 1.05 ? `each GPU reads ${significant(less, 2)} times fewer bytes of weights` : "";
  const said = [reads, grower(first, last)].filter(Boolean).join(", and ");
  return said === "" ? "" : `From TP ${first.ranks} to TP ${last.ranks} ${said}.`;
}

/** The time per output token at each TP, by part. */
export function degreeBars(steps: readonly OnRanks[]): StackedBarsSpec {
  return {
    id: "commcost-serve-degrees",
    title: "Time per output token, by TP.",
    summary: degreesInWords(steps),
    bars: steps.map((step) => ({
      label: degreeLabel(step),
      total: ms(step.results.step_time_ms),
      parts: servingParts(step.results.parts),
    })),
    axis: "A step",
    units: millisecondUnits,
    format: ms,
    table: {
      header: ["tensor_parallel", "step_time_ms", "fits", ...parts.map(([key]) => key)],
      rows: steps.map(({ ranks, results }) => [
        ranks,
        results.step_time_ms,
        String(results.fits),
        ...parts.map(([key]) => results.parts[key]),
      ]),
    },
  };
}

/** "2.1 times as fast as", "4 % sooner than". */
const gained = (times: number): string =>
  times < 1.1 ? `${significant(100 * (1 - 1 / times), 2)} % sooner than` : `${significant(times, 2)} times as fast as`;

/** A higher TP is named only from this speed-up on: doubling a server for 1 % makes no sense. */
const worthNaming = 1.01;

/** "At TP 8 a token comes fastest, 2.5 times as fast as at TP 1": the least TP that comes within 1 % of the fastest. */
function quickestDegree(shown: readonly OnRanks[], brings: (step: OnRanks) => number, pays: OnRanks): string {
  const from = shown[0]!;
  const quickest = shown.reduce((one, other) => (brings(other) > brings(one) ? other : one));
  const best = shown.find((step) => brings(step) * worthNaming >= brings(quickest))!;
  const comes = best === from ? "" : `${gained(brings(best))} at TP ${from.ranks}`;
  if (best === quickest)
    return `At TP ${best.ranks} a token comes fastest${comes && `, ${comes}`}${
      pays.ranks < best.ranks ? `; beyond TP ${pays.ranks}, doubling the GPUs brings less than a third` : ""
    }.`;
  if (best === from) return `TP ${quickest.ranks} brings less than 1 % over TP ${from.ranks}.`;
  return `At TP ${best.ranks} a token comes ${comes}; TP ${quickest.ranks} brings less than 1 % more.`;
}

/** The speed-up of a higher TP, against the factor in GPUs. */
export function speedup(steps: readonly OnRanks[]): LineChartSpec {
  const from = firstThatFits(steps)!;
  const shown = steps.filter(({ ranks }) => ranks >= from.ranks);
  const brings = ({ results }: OnRanks) => from.results.step_time_ms / results.step_time_ms;
  const here = shown.find((step) => step.here);
  return {
    id: "commcost-serve-speedup",
    title: "Speed-up from TP.",
    summary:
      shown.length < 2
        ? steps.length < 2
          ? "The shape allows no other TP."
          : "At a smaller TP it doesn’t fit."
        : quickestDegree(shown, brings, lastThatPays(steps)!),
    x: {
      label: "TP",
      scale: "log",
      ticks: shown.map(({ ranks }) => ranks),
      format: (ranks) => significant(ranks, 3),
    },
    y: { label: "times as fast", scale: "linear", format: (value) => significant(value, 3) },
    series: [
      {
        name: "expected",
        color: "expected",
        points: shown.map((step) => ({ x: step.ranks, y: brings(step) })),
      },
      {
        name: "as many times",
        color: "textbook",
        dash: "2 3",
        points: shown.map(({ ranks }) => ({ x: ranks, y: ranks / from.ranks })),
      },
    ],
    ...(here && {
      here: {
        x: here.ranks,
        y: brings(here),
        label: `${significant(brings(here), 3)}×`,
        drag: {
          label: "TP",
          values: shown.map(({ ranks }) => ranks),
          format: (ranks: number) => `TP ${ranks}`,
        },
      },
    }),
    table: {
      header: ["tensor_parallel", "speedup", "step_time_ms"],
      rows: shown.map((step) => [step.ranks, brings(step), step.results.step_time_ms]),
    },
  };
}

export const kernelNames: Readonly<Record<ServingStepResults["allreduce_kernel"], string>> = {
  nccl: "NCCL",
  one_shot: "one-shot",
  two_shot: "two-shot",
  nvls: "NVLS",
  best: "the fastest",
};

/** One sum of a layer by each kernel that the machine runs, and from the reader's own log. */
export function kernelBars(results: ServingStepResults, curve?: OwnCurve): BarChartSpec {
  const own = curve && ownTimeUs(curve, results.allreduce_bytes);
  const bars: BarChartSpec["bars"] = results.allreduce_kernels.map(({ kernel, start_us, transfer_us }) => ({
    name: kernelNames[kernel],
    value: start_us + transfer_us,
    note: `${us(start_us)} of barriers, ${us(transfer_us)} on the links`,
  }));
  if (own !== undefined) bars.push({ name: "your log", value: own });
  const chosen = kernelNames[results.allreduce_kernel];
  return {
    id: "commcost-serve-kernels",
    title: "One all-reduce by each kernel.",
    summary: `The stack takes ${chosen}: ${us(results.allreduce_us)}.`,
    bars,
    format: (value) => us(value),
    table: {
      header: ["kernel", "start_us", "transfer_us"],
      rows: results.allreduce_kernels.map(({ kernel, start_us, transfer_us }) => [kernel, start_us, transfer_us]),
    },
  };
}

/** The fullest GPU's memory by part, against what is available. */
export function servingMemoryBars(sizes: Sizes, results: ServingStepResults): StackedBarsSpec {
  const parts: StackedPart[] = [
    { name: "weights", color: "weights", value: results.memory.weights_gib },
    { name: "keys and values", color: "cache", value: results.memory.cache_gib },
    { name: "one layer at work", color: "working", value: results.memory.working_gib },
  ];
  const { most_sequences: most } = results;
  return memoryBars(
    sizes,
    "commcost-serve-memory",
    results,
    parts,
    most > 0
      ? `${exact(most)} sequences of this length fit next to the weights.`
      : "Not one sequence fits next to the weights.",
  );
}
