import type { ServingStepResults } from "#engine";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { StackedBarsSpec, StackedPart } from "../../charts/stacked-bars.js";
import type { Subject } from "../../elements/colors.js";
import { memoryBars } from "../../figures/memory-bars.js";
import { exact, milliseconds, millisecondUnits, significant, us } from "../../state/format.js";
import { ownTimeUs, type OwnCurve } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";
import type { Sizes } from "../../state/sizes.js";
import { firstThatFits, lastThatPays, overDegrees, stepWith, type OnRanks } from "./degrees.js";
import type { Series } from "../../charts/series.js";

const ms = (value: number) => milliseconds(value, 3);

type Parts = ServingStepResults["parts"];

const parts: readonly [keyof Parts, string, Subject][] = [
  ["weights_ms", "reading weights", "weights"],
  ["cache_ms", "reading the cache", "cache"],
  ["compute_ms", "compute", "compute"],
  ["kernels_ms", "kernel starts", "waiting"],
  ["exposed_tensor_ms", "all-reduces", "tensor"],
  ["exposed_expert_ms", "tokens to experts", "expert"],
  ["exposed_pipeline_ms", "between stages", "pipeline"],
  ["launch_ms", "host", "launch"],
];

/** Where a step of a server goes, in the order and the colours of every chart of it. */
const servingParts = (of: Parts): StackedPart[] =>
  parts.map(([key, name, color]) => ({ name, color, value: of[key] })).filter(({ value }) => value > 0);

/** "TP 4 (yours)", "TP 1, does not fit". */
const degreeLabel = ({ ranks, results, here }: OnRanks): string =>
  `TP ${ranks}${here ? " (yours)" : ""}${results.fits ? "" : ", does not fit"}`;

/** Which part grows most in share from the least degree to the greatest. */
function grower(steps: readonly OnRanks[]): string | undefined {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || first === last) return undefined;
  const share = (step: OnRanks, key: keyof Parts) => step.results.parts[key] / step.results.step_time_ms;
  const grown = parts
    .map(([key, name]) => ({ name, by: share(last, key) - share(first, key), to: share(last, key) }))
    .sort((a, b) => b.by - a.by)[0]!;
  return grown.by > 0.01 ? `${grown.name} grow to ${Math.round(100 * grown.to)} % of it` : undefined;
}

/** A token over tensor degrees, each by part. */
export function degreeBars(steps: readonly OnRanks[]): StackedBarsSpec {
  const said = grower(steps);
  return {
    id: "commcost-serve-degrees",
    title: "A token over tensor degrees.",
    summary: `More ranks read less each; what does not shrink stays${said ? `: ${said}` : ""}.`,
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

/** What more ranks bring, against as much as there are. */
export function speedup(steps: readonly OnRanks[]): LineChartSpec {
  const from = firstThatFits(steps)!;
  const shown = steps.filter(({ ranks }) => ranks >= from.ranks);
  const brings = ({ results }: OnRanks) => from.results.step_time_ms / results.step_time_ms;
  const pays = lastThatPays(steps)!;
  const best = shown.reduce((one, other) => (brings(other) > brings(one) ? other : one));
  const here = shown.find((step) => step.here);
  return {
    id: "commcost-serve-speedup",
    title: "What more tensor ranks bring.",
    summary:
      shown.length < 2
        ? "The shape allows no other degree."
        : `On ${best.ranks} rank${best.ranks === 1 ? "" : "s"} a token comes quickest${best === from ? "" : `, ${significant(brings(best), 2)} times as fast as on ${from.ranks}`}${
            pays.ranks < best.ranks ? `; beyond ${pays.ranks}, twice the ranks bring less than a third` : ""
          }.`,
    x: {
      label: "tensor degree",
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
        below: true,
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

const batches = Array.from({ length: 11 }, (_, power) => 2 ** power);

/** What a user receives against what a GPU gives, over batches, for each degree: as far as memory goes. */
export function frontier(scenario: Scenario, inputs: Record<string, unknown>, own: ServingStepResults): LineChartSpec {
  const mine = inputs["tensor_parallel"] as number;
  const curves = overDegrees(scenario, inputs).flatMap(({ ranks }) => {
    const steps = batches.flatMap((batch) => {
      const results = stepWith(scenario, inputs, { tensor_parallel: ranks, batch_size: batch });
      return results?.fits ? [{ batch, results }] : [];
    });
    return steps.length > 1 ? [{ ranks, steps }] : [];
  });
  const series = curves.map(
    ({ ranks, steps }, index): Series => ({
      name: `TP ${ranks}`,
      color: ranks === mine ? "expected" : "plain",
      ...(ranks === mine ? {} : { dash: ["1 3", "4 3", "8 3", "12 3 2 3", "2 6", "6 6"][index % 6]! }),
      points: steps.map(({ batch, results }) => ({
        x: results.tokens_per_sec_per_gpu,
        y: results.tokens_per_sec_per_user,
        note: `batch ${batch}`,
      })),
    }),
  );
  return {
    id: "commcost-serve-frontier",
    title: "Tokens for a user against tokens of a GPU.",
    summary:
      curves.length === 0
        ? "At none of these degrees does it fit."
        : "Each line is a degree, from one sequence at its upper end to as many as fit, 1,024 at most: small batches for the user, large ones for the GPU.",
    ...(curves.length === 0 && { nothing: "It fits at none of these degrees." }),
    x: { label: "tokens/s of a GPU", scale: "log", format: (value) => significant(value, 3) },
    y: { label: "tokens/s for a user", scale: "log", format: (value) => significant(value, 3) },
    series,
    ...(own.fits && {
      here: {
        x: own.tokens_per_sec_per_gpu,
        y: own.tokens_per_sec_per_user,
        label: `batch ${exact(inputs["batch_size"] as number)}`,
      },
    }),
    table: {
      header: ["tensor_parallel", "batch_size", "tokens_per_sec_per_gpu", "tokens_per_sec_per_user"],
      rows: curves.flatMap(({ ranks, steps }) =>
        steps.map(({ batch, results }) => [
          ranks,
          batch,
          results.tokens_per_sec_per_gpu,
          results.tokens_per_sec_per_user,
        ]),
      ),
    },
  };
}

export const kernelNames: Readonly<Record<ServingStepResults["allreduce_kernel"], string>> = {
  nccl: "NCCL",
  one_shot: "one-shot",
  two_shot: "two-shot",
  nvls: "NVLS",
  best: "the quickest",
};

/** One sum of a layer by each kernel that the machine runs, and as the reader's own log has it. */
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

/** The fullest GPU's memory by part, against what it can give. */
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
      ? `${exact(most)} sequences of this length fit beside the weights.`
      : "Not one sequence fits beside the weights.",
  );
}
