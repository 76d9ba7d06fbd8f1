import type { PlanResults } from "#engine";
import { milliseconds } from "../../state/format.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { notInStack } from "../../elements/stack-words.js";
import { partName } from "../../figures/step-parts.js";
import type { PlanRow } from "../../state/planned-layout.js";
import type { Scenario } from "../../state/scenario.js";

type Alternative = PlanResults["alternatives"][number];

/** What a layout decides beside its degrees: "1F1B in 2 chunks, ZeRO-1, tokens shared, micro-batch 1". */
export const inDetail = (scenario: Scenario, row: PlanRow): string =>
  [
    row.pipeline_parallel > 1 &&
      `${choiceWord(scenario, "pipeline_schedule", row.pipeline_schedule)}${row.virtual_stages > 1 ? ` in ${row.virtual_stages} chunks` : ""}`,
    row.zero_stage > 0 && `ZeRO-${row.zero_stage}`,
    row.sequence_parallel && `sequence parallel${row.regather_input ? " (inputs gathered again)" : ""}`,
    `micro-batch ${row.batch_size}`,
    row.recompute !== "none" && `${choiceWord(scenario, "recompute", row.recompute)} recomputed`,
  ]
    .filter(Boolean)
    .join(", ");

/** What was decided otherwise: "TP 4". */
export function decisionOf(
  scenario: Scenario,
  alternative: Alternative,
  choices: Readonly<Record<string, readonly string[]>>,
): { what: string; value: string } {
  const { decision, value } = alternative;
  const named = choices[decision]?.[value];
  return {
    what: labelOf(scenario, decision),
    value:
      decision === "sequence_parallel"
        ? value
          ? "on"
          : "off"
        : named === undefined
          ? String(value)
          : choiceWord(scenario, decision, named),
  };
}

/** Parts that differ by less than this share of the greatest are named together. */
const worthNaming = 0.05;

/** Less than this share of all that differs is not said. */
const negligible = 1e-3;

/** Of which parts of a step there is more and of which less, the greatest first; they add up to the difference. */
export function differences({ more }: Alternative): { name: string; ms: number }[] {
  const all = Object.entries(more).flatMap(([key, ms]) => (ms === 0 ? [] : [{ name: partName(key), ms }]));
  all.sort((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  const named = all.filter(({ ms }) => Math.abs(ms) >= worthNaming * Math.abs(all[0]!.ms));
  const rest = all.slice(named.length).reduce((sum, { ms }) => sum + ms, 0);
  const sum = all.reduce((whole, { ms }) => whole + Math.abs(ms), 0);
  return Math.abs(rest) < negligible * sum ? named : [...named, { name: "the rest", ms: rest }];
}

/** Why a layout lost: "bubble +310 ms, tensor traffic −20 ms". */
export function lossOf(scenario: Scenario, alternative: Alternative): string {
  const { reason, deficit_gib, tie, stack_rule } = alternative;
  const { sizes } = scenario;
  if (stack_rule !== "") return notInStack(scenario, stack_rule);
  if (reason === "does_not_fit") return `does not fit: ${sizes.memory(deficit_gib)} short`;
  const parts = differences(alternative)
    .map(({ name, ms }) => `${name} ${ms < 0 ? "−" : "+"}${milliseconds(Math.abs(ms), 3)}`)
    .join(", ");
  const lead = tie ? "a tie" : reason === "too_tight" ? "leaves too little memory" : "";
  return [lead, parts].filter(Boolean).join(": ");
}

/** The rules of thumb, as they are repeated. */
export const rules: Readonly<Record<string, string>> = {
  tensor_within_node: "Keep tensor ranks within a node.",
  pipeline_across_nodes: "Across nodes, use pipeline stages.",
  largest_micro_batch: "Take the largest micro-batch that fits.",
  recompute_last: "Recompute only what would not fit otherwise.",
  shard_optimizer: "Where there are replicas, let them share the optimizer state (ZeRO-1 at least).",
  sequence_with_tensor: "With tensor parallelism, switch sequence parallelism on.",
};
