import type { TrainingStepResults } from "#engine";
import type { BarChartSpec } from "../charts/bar-chart.js";
import { choiceWord, labelOf } from "../elements/labels.js";
import { stackName } from "../elements/stack-words.js";
import { bandwidth, exact, ms, percent } from "../state/format.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";

/** One changed decision: its text, and the inputs of a step that express it. */
interface Otherwise {
  name: string;
  change: Record<string, unknown>;
}

/** A decision with the resulting step. */
export interface Decision extends Otherwise {
  /** Milliseconds saved per step. */
  saved_ms: number;
  memory_gib: number;
  fits: boolean;
  /** Whether the stack can't run such a step, although it can run the layout's. */
  lacked: boolean;
}

/** A smaller share of the step is no change. */
const noticed = 5e-4;

const toggled = [
  ["overlap_tensor", "tensor_parallel"],
  ["overlap_data", "data_parallel"],
  ["overlap_param_gather", "data_parallel"],
  ["overlap_expert", "expert_parallel"],
] as const;

/**
 * Decisions that may change while the layout stays: precision, dispatcher, overlap, gradients, recomputation, what the
 * host keeps, TP, node, network.
 */
function otherwise(scenario: Scenario, layout: Record<string, unknown>): Otherwise[] {
  const { values } = scenario.inputs("training_step");
  const now = (name: string) => layout[name] ?? values[name] ?? scenario.entry(name).value;
  const degree = (name: string) => Number(now(name));
  const choices = (name: string, of: readonly string[]) =>
    of
      .filter((choice) => choice !== now(name))
      .map((choice) => ({
        name: `${labelOf(scenario, name)}: ${choiceWord(scenario, name, choice)}`,
        change: { [name]: choice },
      }));
  const precision = now("matmul_precision");
  const narrow = precision !== "stored" && precision !== "bf16";
  const gradients = Number(now("gradient_bytes_per_element"));
  const perNode = degree("gpus_per_node");
  const network = degree("nic_gb_per_sec");
  const cluster =
    degree("tensor_parallel") * degree("context_parallel") * degree("pipeline_parallel") * degree("data_parallel");
  const layers = Math.ceil(degree("num_layers") / degree("pipeline_parallel"));
  const other = (name: string, value: number) =>
    value > 0 && value !== degree(name)
      ? [{ name: `${labelOf(scenario, name)}: ${exact(value)}`, change: { [name]: value } }]
      : [];
  const tensor = degree("tensor_parallel");
  const data = degree("data_parallel");
  return [
    ...choices("matmul_precision", [...(narrow ? ["bf16"] : []), "fp8", "mxfp8", "nvfp4"]),
    ...(degree("expert_parallel") > 1 ? choices("expert_exchange", ["nccl", "normal"]) : []),
    ...toggled
      .filter(([, dimension]) => degree(dimension) > 1)
      .map(([name]) => ({
        name: `${labelOf(scenario, name)}: ${now(name) === true ? "off" : "on"}`,
        change: { [name]: now(name) !== true },
      })),
    {
      name: gradients === 4 ? "Gradients in BF16" : "Gradients in FP32",
      change: { gradient_bytes_per_element: gradients === 4 ? 2 : 4 },
    },
    ...choices("recompute", ["none", "selective", "full"]),
    ...(now("recompute") === "full" ? other("recomputed_layers", Math.floor(layers / 2)) : []),
    ...other("offloaded_layers", Math.floor(layers / 2)),
    ...other("offloaded_optimizer_percent", 100),
    // The replicas compensate.
    ...[tensor / 2, tensor * 2]
      .filter((degrees) => Number.isInteger(degrees) && Number.isInteger((data * tensor) / degrees))
      .map((degrees) => ({
        name: `TP ${exact(degrees)}, DP ${exact((data * tensor) / degrees)}`,
        change: {
          tensor_parallel: degrees,
          data_parallel: (data * tensor) / degrees,
          // With one rank nothing decided it.
          ...(degrees === 1 || tensor === 1 ? { sequence_parallel: degrees > 1 } : {}),
        },
      })),
    ...(cluster > perNode
      ? [{ name: `${exact(2 * perNode)} GPUs per node`, change: { gpus_per_node: 2 * perNode } }]
      : []),
    ...(network > 0 && cluster > perNode
      ? [2, 0.5].map((factor) => ({
          name: `Network: ${bandwidth(network * factor, 3)} per GPU`,
          change: { nic_gb_per_sec: network * factor },
        }))
      : []),
  ];
}

/** The gain of each decision, the greatest first; those that the machine can't have are left out. */
export function decisions(scenario: Scenario, layout: Record<string, unknown>, now: TrainingStepResults): Decision[] {
  return otherwise(scenario, layout)
    .flatMap(({ name, change }): Decision[] => {
      const { results } = run(scenario, "training_step", { ...layout, ...change });
      if (!results) return [];
      const { step_time_ms, memory_gib, fits } = results;
      const lacked = results.stack_rule !== "" && now.stack_rule === "";
      return [{ name, change, saved_ms: now.step_time_ms - step_time_ms, memory_gib, fits, lacked }];
    })
    .sort((one, other) => Math.abs(other.saved_ms) - Math.abs(one.saved_ms));
}

/** Decisions as one tornado, in seconds. */
export function decisionsChart(
  scenario: Scenario,
  layout: Record<string, unknown>,
  now: TrainingStepResults,
): BarChartSpec {
  const all = decisions(scenario, layout, now);
  const felt = all.filter(({ saved_ms }) => Math.abs(saved_ms) >= noticed * now.step_time_ms);
  const idle = all.filter((one) => !felt.includes(one) && !one.lacked).map(({ name }) => name);
  return {
    id: "commcost-decisions",
    title: "What you could decide differently.",
    summary: decisionsSummary(felt, idle, now, stackName(scenario)),
    bars: felt.map(({ name, saved_ms, memory_gib, fits, lacked }) => ({
      name: lacked ? `${name} (not in ${stackName(scenario)})` : fits ? name : `${name} (doesn’t fit)`,
      value: saved_ms,
      note: `${scenario.sizes.memory(memory_gib)} on the fullest GPU`,
    })),
    format: (value) => `${ms(Math.abs(value))} ${value > 0 ? "less" : "more"}`,
    sides: { left: "longer step", right: "shorter step" },
    table: {
      header: ["decision", "saved_ms", "memory_gib", "fits", "in_stack"],
      rows: all.map(({ name, saved_ms, memory_gib, fits, lacked }) => [
        name,
        saved_ms,
        memory_gib,
        String(fits),
        String(!lacked),
      ]),
    },
  };
}

/**
 * Which decision saves most, of those that fit; what the best one that the stack lacks would save; and which make no
 * difference.
 */
function decisionsSummary(
  felt: readonly { name: string; saved_ms: number; fits: boolean; lacked: boolean }[],
  idle: readonly string[],
  { step_time_ms }: TrainingStepResults,
  stack: string,
): string {
  const shorter = felt.filter(({ saved_ms, fits }) => saved_ms > 0 && fits);
  const best = shorter.find(({ lacked }) => !lacked);
  const missed = shorter.find(({ lacked }) => lacked);
  const time = (saved_ms: number) => `${ms(saved_ms)}, ${percent((100 * saved_ms) / step_time_ms, 2)}`;
  return [
    "One at a time, with everything else as it is.",
    best
      ? `The largest saving is ${best.name}: ${time(best.saved_ms)} of the step.`
      : `None of them that fits${missed ? ` and that ${stack} has` : ""} makes the step shorter.`,
    missed && `${missed.name}, which ${stack} lacks, would save ${time(missed.saved_ms)}.`,
    idle.length > 0 && `No difference: ${idle.join("; ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
