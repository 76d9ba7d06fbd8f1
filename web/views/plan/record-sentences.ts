import type { PlanResults } from "#engine";
import { choiceWord } from "../../elements/labels.js";
import { modelWords } from "../../elements/scenario-words.js";
import { stackName } from "../../elements/stack-words.js";
import { partName } from "../../figures/step-parts.js";
import { bandwidth, capital, exact, milliseconds, percent, significant } from "../../state/format.js";
import { machineName } from "../../state/machine.js";
import { decidedOf, layoutOf, type PlanRow } from "../../state/planned-layout.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { between, gradientWords } from "../../state/step.js";

/** The sentences of a decision record: tests/page/support/claims/train.mjs knows which claims in them must be true. */

/** The question. */
export function question(scenario: Scenario): string {
  const some = (name: string, what: string) => {
    const count = scenario.number(name);
    return `${exact(count)} ${what}${count === 1 ? "" : "s"}`;
  };
  return `Which layout trains ${modelWords(scenario)} fastest on ${some("cluster_gpus", "GPU")} (${machineName(scenario)}), with ${some("global_batch_size", "sequence")} of ${some("sequence_length", "token")} a step?`;
}

const dimensions = (row: PlanRow): number =>
  [row.tensor_parallel, row.context_parallel, row.expert_parallel, row.pipeline_parallel, row.data_parallel].filter(
    (degree) => degree > 1,
  ).length;

const changes = ({ settings }: PlanRow): number => settings.filter(({ changed }) => changed).length;

/** Parts that differ by less than this share of the greatest are not named. */
const worthNaming = 0.2;

/** Why a family of layouts is not the first. */
export function whyNot(row: PlanRow, first: PlanRow): string {
  if (row.tie && first.tie) {
    const [more, fewer] = [dimensions(row), dimensions(first)];
    const why =
      more > fewer
        ? `it splits the job in ${exact(more)} ways, the first in ${exact(fewer)}`
        : row.virtual_stages > first.virtual_stages
          ? `it runs ${exact(row.virtual_stages)} chunks per stage, the first ${exact(first.virtual_stages)}`
          : changes(row) > changes(first)
            ? `it changes ${exact(changes(row))} settings, the first ${exact(changes(first))}`
            : row.headroom_percent < first.headroom_percent
              ? `it leaves ${percent(row.headroom_percent, 2)} of memory free, the first ${percent(first.headroom_percent, 2)}`
              : "as simple to run as the first, and no faster beyond noise";
    return `Within noise; ${why}.`;
  }
  const change = (100 * row.step_time_ms) / first.step_time_ms - 100;
  const all = Object.entries(row.parts)
    .map(([key, ms]) => ({ name: partName(key), ms: ms - first.parts[key as keyof PlanRow["parts"]] }))
    .sort((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  const named = all
    .filter(({ ms }) => Math.abs(ms) >= worthNaming * Math.abs(all[0]!.ms) && ms !== 0)
    .slice(0, 3)
    .map(({ name, ms }) => `${name} ${ms < 0 ? "−" : "+"}${milliseconds(Math.abs(ms), 3)}`);
  return `${change < 0 ? "−" : "+"}${significant(Math.abs(change), 2)} %: ${named.join(", ")}.`;
}

/** The step if its prediction missed as those of the nearest measured runs did. */
export function asNearest(runs: readonly { measured_ms: number; predicted_ms: number }[], best: PlanRow): string {
  const steps = runs.map(({ measured_ms, predicted_ms }) => (best.step_time_ms * measured_ms) / predicted_ms);
  const [least, most] = [Math.min(...steps), Math.max(...steps)];
  const inside = least >= best.step_time_low_ms && most <= best.step_time_high_ms;
  return `If this prediction misses as those of the nearest measured runs did, a step takes ${between(least, most)}${inside ? "" : ", which is not all within the range"}.`;
}

/** The assumptions of the answer, a sentence each. */
export function assumptions(scenario: Scenario, found: PlanResults): string[] {
  const network = scenario.number("nic_gb_per_sec");
  const name = stackName(scenario);
  const decided = found.layouts[0] ? decidedOf(found.layouts[0]) : {};
  const precision = decided["matmul_precision"] ?? scenario.text("matmul_precision");
  return [
    `${capital(gradientWords(scenario, decided))}; GEMMs in ${precision === "stored" ? "the weights’ precision" : choiceWord(scenario, "matmul_precision", precision)}.`,
    found.stack_checked
      ? `${name}, whose rules every layout keeps (${found.stack_source}, ${found.stack_date}).`
      : `${name}, whose rules were not checked.`,
    `At least ${percent(scenario.number("memory_headroom_percent"), 2)} of memory stays free.`,
    network > 0 ? `Each GPU has ${bandwidth(network, 3)} of network to itself, with nothing else on it.` : "",
    "No failures, restarts, checkpoints or evaluations are counted.",
    scenario.entry("causal_attention").value === true
      ? "MFU and TFLOP/s count the causal half of the attention scores, as Megatron-LM’s log does today."
      : `MFU and TFLOP/s count all attention scores, as Megatron’s papers do.${causalWords(scenario, found)}`,
  ].filter(Boolean);
}

/** The same layout's rate with only the causal half; nothing if no layout was found. */
function causalWords(scenario: Scenario, { layouts: [best] }: PlanResults): string {
  if (!best) return "";
  const causal = run(scenario, "training_step", { ...layoutOf(best, scenario), causal_attention: true });
  return causal.results
    ? ` Megatron-LM’s log counts the causal half today, and would print ${significant(causal.results.model_tflops_per_gpu, 3)} TFLOP/s per GPU, ${percent(causal.results.mfu_percent)} MFU.`
    : "";
}
