import type { SweepResults, TrainingStepResults } from "#engine";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { memoryBars, stepMemoryParts } from "../../figures/memory-bars.js";

import { stepParts } from "../../figures/step-parts.js";
import { bandwidth, millisecondUnits, ms, significant } from "../../state/format.js";
import { filledText } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import type { Sizes } from "../../state/sizes.js";
import { elasticitySummary, halfBandwidthSummary, leastElasticity, timeSummary } from "./sentences.js";

/** The step by part, between its two bounds. */
export function stepBars(results: TrainingStepResults): StackedBarsSpec {
  const parts = stepParts(results.parts);
  const { step_time_ms: step, all_hidden_ms: hidden, none_hidden_ms: bare } = results;
  return {
    id: "commcost-step-time",
    title: "Time of a step.",
    summary: timeSummary(results),
    bars: [
      { label: "as predicted", parts },
      { label: "all communication hidden", parts: [{ name: "step", value: hidden, color: "plain" }] },
      { label: "none hidden", parts: [{ name: "step", value: bare, color: "plain" }] },
    ],
    axis: "Time",
    units: millisecondUnits,
    format: ms,
    table: {
      header: ["part", "time_ms"],
      rows: [
        ...parts.map(({ name, value }): [string, number] => [name, value]),
        ["step_time_ms", step],
        ["all_hidden_ms", hidden],
        ["none_hidden_ms", bare],
      ],
    },
  };
}

/** The fullest GPU's memory by part, against what is available. */
export function stepMemoryBars(sizes: Sizes, results: TrainingStepResults): StackedBarsSpec {
  const parts = stepMemoryParts(results);
  const most = [...parts].sort((a, b) => b.value - a.value)[0];
  const host = results.host_memory_gib;
  const more = [
    ...(most ? [`The largest part: ${most.name}.`] : []),
    ...(host > 0 ? [`Host memory holds ${sizes.memory(host)} more for it.`] : []),
  ];
  return memoryBars(sizes, "commcost-step-memory", results, parts, more.join(" "));
}

const levers: readonly [keyof TrainingStepResults["elasticities"], string][] = [
  ["matmul", "GEMM speed"],
  ["hbm", "memory bandwidth"],
  ["link", "link bandwidth in the node"],
  ["network", "network bandwidth"],
  ["overlap", "overlap"],
  ["latency", "collective latency"],
  ["launch", "kernel launch rate"],
];

/** The change for one percent more of each thing. */
export function elasticityBars(results: TrainingStepResults): BarChartSpec {
  const all = levers.map(([key, name]) => ({ name, value: -results.elasticities[key] }));
  const bars = all
    .filter(({ value }) => Math.abs(value) >= leastElasticity)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return {
    id: "commcost-elasticities",
    title: "Sensitivity.",
    summary: elasticitySummary(all),
    bars,
    format: (value) => `${significant(Math.abs(value), 2)} % ${value > 0 ? "shorter" : "longer"}`,
    sides: { left: "longer step", right: "shorter step" },
    table: { header: ["lever", "elasticity"], rows: all.map(({ name, value }) => [name, -value]) },
  };
}

const factors = Array.from({ length: 25 }, (_, index) => 2 ** ((index - 16) / 4));

/** The two rates of a machine that a step responds to. */
const rates = [
  { field: "bandwidth_gb_per_sec", name: "links in the node", color: "scale_up" },
  { field: "nic_gb_per_sec", name: "network", color: "network", dash: "6 3" },
] as const;
type Rate = (typeof rates)[number];

/** The machine's own rate, before anything is typed over it, GB/s. */
export const ownRate = (scenario: Scenario, { field }: Rate): number =>
  Number(filledText(scenario, field)) || rateNow(scenario, field);

/** A rate of the scenario; if it is 0, the accelerator's usual one. */
function rateNow(scenario: Scenario, field: string): number {
  const { values: inputs } = scenario.inputs("training_step");
  return (
    scenario.number(field) ||
    Number(scenario.engine.resolve_inputs({ calculation: "training_step", inputs })[field]?.value)
  );
}

/**
 * The rate whose marked point can be moved: one that was typed over, otherwise the one that the step responds to most.
 */
export function movingRate(scenario: Scenario, { elasticities }: TrainingStepResults): Rate {
  const typed = rates.filter((rate) => rateNow(scenario, rate.field) !== ownRate(scenario, rate));
  if (typed.length === 1) return typed[0]!;
  return Math.abs(elasticities.network) > Math.abs(elasticities.link) ? rates[1] : rates[0];
}

/** The step against the bandwidth in the node, and between nodes. */
export function bandwidthCurves(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  results: TrainingStepResults,
): LineChartSpec {
  const curves = rates.map((rate) => {
    const own = ownRate(scenario, rate);
    const sweep: SweepResults = scenario.engine.sweep({
      calculation: "training_step",
      inputs: { ...inputs, elasticities: false },
      axes: [
        { field: rate.field, values: [...factors.map((factor) => factor * own), rateNow(scenario, rate.field) / 2] },
      ],
    });
    const times = [...sweep.results["step_time_ms"]!];
    // Half of a rate refers to the rate typed over the machine's own, if there is one.
    return { rate, more: (100 * times.pop()!) / results.step_time_ms - 100, times };
  });
  const moving = movingRate(scenario, results);
  const now = rateNow(scenario, moving.field);
  const share = now / ownRate(scenario, moving);
  // A rate set by moving the point has been rounded.
  const at = factors.find((factor) => Math.abs(share / factor - 1) < 1e-3) ?? share;
  return {
    id: "commcost-step-bandwidth",
    title: "Step time against bandwidth.",
    summary: halfBandwidthSummary({ link: curves[0]!.more, network: curves[1]!.more }),
    x: {
      label: "Bandwidth as a multiple of the machine’s own",
      scale: "log",
      ticks: [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4],
      format: (value) => (value < 1 ? `1/${significant(1 / value, 3)}` : significant(value, 3)),
    },
    y: { label: "Step time", scale: "linear", units: millisecondUnits, format: ms },
    series: curves.map(({ rate, times }) => ({
      name: rate.name,
      color: rate.color,
      ...("dash" in rate && { dash: rate.dash }),
      points: factors.map((x, index) => ({ x, y: times[index]! })),
    })),
    ...(at > 0
      ? {
          here: {
            x: at,
            y: results.step_time_ms,
            label: `${bandwidth(now, 3)}: ${ms(results.step_time_ms)}`,
            drag: {
              label: `Bandwidth of the ${moving.name}`,
              values: factors,
              format: (factor) => bandwidth(factor * ownRate(scenario, moving), 3),
            },
          },
        }
      : {}),
    table: {
      header: ["bandwidth_factor", "link_step_time_ms", "network_step_time_ms"],
      rows: factors.map((factor, index) => [factor, ...curves.map(({ times }) => times[index]!)]),
    },
  };
}
