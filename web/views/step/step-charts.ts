import type { SweepResults, TrainingStepResults } from "#engine";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import type { Subject } from "../../elements/colors.js";
import { memoryBars } from "../../figures/memory-bars.js";
import { exposedMs, stepFigures } from "../../state/step.js";
import { stepParts } from "../../figures/step-parts.js";
import { bandwidth, milliseconds, millisecondUnits, significant } from "../../state/format.js";
import { filledText } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import type { Sizes } from "../../state/sizes.js";

const ms = (value: number) => milliseconds(value, 3);

/** The step by part, between its two bounds. */
export function stepBars(results: TrainingStepResults): StackedBarsSpec {
  const parts = stepParts(results.parts);
  const { step_time_ms: step, all_hidden_ms: hidden, none_hidden_ms: bare } = results;
  const exposed = exposedMs(results);
  return {
    id: "commcost-step-time",
    title: "Time of a step.",
    summary:
      exposed < step * 5e-4
        ? "All communication is hidden."
        : `Communication that nothing hides takes ${stepFigures.exposed(results)}, ${stepFigures.exposedShare(results)} of it; if nothing overlapped, the step would take ${ms(bare)}.`,
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

const memoryParts: readonly [keyof TrainingStepResults["memory"], string, Subject][] = [
  ["weights_gib", "weights", "weights"],
  ["gradients_gib", "gradients", "gradients"],
  ["optimizer_gib", "optimizer", "optimizer"],
  ["activations_gib", "activations", "activations"],
  ["logits_gib", "logits", "logits"],
  ["working_gib", "one layer at work", "working"],
];

/** The fullest GPU's memory by part, against what it can give. */
export function stepMemoryBars(sizes: Sizes, results: TrainingStepResults): StackedBarsSpec {
  const parts = memoryParts
    .map(([key, name, color]) => ({ name, color, value: results.memory[key] }))
    .filter(({ value }) => value > 0);
  const most = [...parts].sort((a, b) => b.value - a.value)[0];
  return memoryBars(sizes, "commcost-step-memory", results, parts, most ? `Most of it: ${most.name}.` : "");
}

const levers: readonly [keyof TrainingStepResults["elasticities"], string][] = [
  ["matmul", "achievable FLOP rate"],
  ["hbm", "memory bandwidth"],
  ["link", "link bandwidth in the node"],
  ["network", "network bandwidth"],
  ["overlap", "share that can be hidden"],
  ["latency", "collective latency"],
  ["launch", "launches a second"],
];

/** Less of a change than this for one percent is none. */
const least = 0.005;

/** What one percent more of each thing changes. */
export function elasticityBars(results: TrainingStepResults): BarChartSpec {
  const all = levers.map(([key, name]) => ({ name, value: -results.elasticities[key] }));
  const bars = all
    .filter(({ value }) => Math.abs(value) >= least)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const idle = all.filter(({ value }) => Math.abs(value) < least).map(({ name }) => name);
  const most = [...all].sort((a, b) => b.value - a.value)[0]!;
  return {
    id: "commcost-elasticities",
    title: "What one percent more of each brings.",
    summary:
      (most.value >= least
        ? `Most is gained by ${most.name}: one percent more takes ${significant(most.value, 2)} % off the step.`
        : "Nothing here shortens the step.") + (idle.length > 0 ? ` Without effect: ${idle.join(", ")}.` : ""),
    bars,
    format: (value) => `${significant(Math.abs(value), 2)} % ${value > 0 ? "shorter" : "longer"}`,
    sides: { left: "longer step", right: "shorter step" },
    table: { header: ["lever", "elasticity"], rows: all.map(({ name, value }) => [name, -value]) },
  };
}

const factors = Array.from({ length: 25 }, (_, index) => 2 ** ((index - 16) / 4));

/** The two rates of a machine that a step answers to. */
export const rates = [
  { field: "bandwidth_gb_per_sec", name: "links in the node", color: "scale_up" },
  { field: "nic_gb_per_sec", name: "network", color: "network", dash: "6 3" },
] as const;
type Rate = (typeof rates)[number];

/** What the machine has of a rate by itself, before anything is typed over it, GB/s. */
export const ownRate = (scenario: Scenario, { field }: Rate): number =>
  Number(filledText(scenario, field) ?? scenario.number(field));

/** The rate whose marked point can be moved: one that was typed over, else the one that the step answers to most. */
export function movingRate(scenario: Scenario, { elasticities }: TrainingStepResults): Rate {
  const typed = rates.filter((rate) => scenario.number(rate.field) !== ownRate(scenario, rate));
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
    const sweep: SweepResults = scenario.engine.sweep({
      calculation: "training_step",
      inputs: { ...inputs, elasticities: false },
      axes: [{ field: rate.field, values: factors.map((factor) => factor * ownRate(scenario, rate)) }],
    });
    return { rate, times: [...sweep.results["step_time_ms"]!] };
  });
  const half = factors.indexOf(0.5);
  const whole = factors.indexOf(1);
  const more = (times: readonly number[]) => (100 * times[half]!) / times[whole]! - 100;
  const worst = curves.reduce((one, other) => (more(other.times) > more(one.times) ? other : one));
  const moving = movingRate(scenario, results);
  const now = scenario.number(moving.field);
  const share = now / ownRate(scenario, moving);
  // What was moved there has been rounded.
  const at = factors.find((factor) => Math.abs(share / factor - 1) < 1e-3) ?? share;
  return {
    id: "commcost-step-bandwidth",
    title: "The step against the bandwidth.",
    summary:
      more(worst.times) < 0.05
        ? "Half of either bandwidth would not be felt."
        : `With half of the bandwidth of ${worst.rate === rates[0] ? "the node’s links" : "the network"}, the step takes ${significant(more(worst.times), 2)} % longer.`,
    x: {
      label: "Bandwidth, of what the machine has",
      scale: "log",
      ticks: [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4],
      format: (value) => (value < 1 ? `1/${significant(1 / value, 3)}` : significant(value, 3)),
    },
    y: { label: "A step", scale: "linear", units: millisecondUnits, format: ms },
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
