import type { PlanResults } from "#engine";
import { exact, milliseconds, percent, significant } from "../../state/format.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { notInStack } from "../../elements/stack-words.js";
import { partName } from "../../figures/step-parts.js";
import type { PlanRow } from "../../state/planned-layout.js";
import type { Scenario } from "../../state/scenario.js";
import { between } from "../../state/step.js";

type Alternative = PlanResults["alternatives"][number];

/** What a layout decides beside its degrees: "1F1B in 2 chunks, ZeRO-1, SP, micro-batch 1". */
export const inDetail = (scenario: Scenario, row: PlanRow): string =>
  [
    row.pipeline_parallel > 1 &&
      `${choiceWord(scenario, "pipeline_schedule", row.pipeline_schedule)}${row.virtual_stages > 1 ? ` in ${row.virtual_stages} chunks` : ""}`,
    row.zero_stage > 0 && `ZeRO-${row.zero_stage}`,
    row.sequence_parallel && "SP",
    `micro-batch ${row.batch_size}`,
    row.recompute !== "none" && `${choiceWord(scenario, "recompute", row.recompute)} recomputed`,
  ]
    .filter(Boolean)
    .join(", ");

/** The degrees that a family of layouts shares, as inputs. */
export const divisionOf = (row: PlanRow) => ({
  tensor_parallel: row.tensor_parallel,
  context_parallel: row.context_parallel,
  expert_parallel: row.expert_parallel,
  expert_tensor_parallel: row.expert_tensor_parallel,
  pipeline_parallel: row.pipeline_parallel,
  data_parallel: row.data_parallel,
});

/** How much slower a layout is than the first: "+4.2 %"; ties are not told apart. */
export function againstFirst(row: PlanRow, first: PlanRow): string {
  if (row === first) return "";
  const change = (100 * row.step_time_ms) / first.step_time_ms - 100;
  return row.tie && first.tie ? "within noise" : `${change < 0 ? "−" : "+"}${significant(Math.abs(change), 2)} %`;
}

/** "25.4–77.7 GiB". */
function reach(low: string, high: string): string {
  const unit = high.slice(high.lastIndexOf(" "));
  return low === high ? high : `${low.endsWith(unit) ? low.slice(0, -unit.length) : low}–${high}`;
}

/** How many more layouts a family has, and what all of them take: "56: 119–175 s, 25.4–77.7 GiB". */
export function othersOf(range: PlanResults["families"][number], memory: (gib: number) => string): string {
  if (range.layouts < 2) return "none";
  return `${exact(range.layouts - 1)}: ${between(range.fastest_ms, range.slowest_ms)}, ${reach(memory(range.least_gib), memory(range.most_gib))}`;
}

/** How the first families are to be read: as a tie, or as one that is faster than the rest. */
export function tieWords({ layouts, noise_floor_percent }: PlanResults): string {
  const floor = percent(noise_floor_percent, 2);
  const tied = layouts.filter(({ tie }) => tie).length;
  if (layouts.length < 2) return "Only one family of layouts was found.";
  if (tied < 2)
    return `No other family comes within ${floor} of the first, the difference between two measurements of one configuration.`;
  return `${tied === layouts.length ? `All ${tied}` : `The first ${tied}`} are within noise: they differ by less than ${floor}, the difference between two measurements of one configuration. The simplest to run comes first: fewer dimensions, fewer chunks, then more headroom.`;
}

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
  data_before_tensor: "Prefer DP to TP while gradients are fewer bytes than activations.",
};
