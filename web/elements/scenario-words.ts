import { exact } from "../state/format.js";
import { degreeNames, gpusInUse } from "../state/layout.js";
import { machineName } from "../state/machine.js";
import { typedOver } from "../state/chosen.js";
import { chosenPreset } from "../state/presets.js";
import type { Scenario } from "../state/scenario.js";
import { servingGpus, servingRecipe } from "../state/serving.js";
import { choiceWord, labelOf } from "./labels.js";

/** The scenario in words, each part as short as possible. */

const clean = (name: string): string => name.replace(/ \(.*/, "");

/** "Llama 3.1 70B"; with "like" if its shape was typed over. */
export function modelWords(scenario: Scenario): string {
  const name = clean(chosenPreset(scenario, "model")?.name ?? "a transformer");
  return typedOver(scenario, "model").length > 0 ? `like ${name}` : name;
}

/**
 * "Qwen3-Next 80B-A3B: linear attention counted as full": what is counted as something else in a model of the catalog.
 */
export function countedAs(scenario: Scenario): string | undefined {
  const name = chosenPreset(scenario, "model")?.name ?? "";
  const [, counted] = / \((.* counted as .*)\)$/.exec(name) ?? [];
  return counted === undefined ? undefined : `${clean(name)}: ${counted}`;
}

/** "64 × A100 SXM 80 GB (8 × DGX A100)". */
function machineWords(scenario: Scenario, gpus: number): string {
  const perNode = scenario.number("gpus_per_node");
  const gpu = clean(chosenPreset(scenario, "accelerator")?.name ?? "GPU").replace(/ (SXM|PCIe).*/, "");
  const nodes = Math.ceil(gpus / perNode);
  const system =
    scenario.text("system") === "" || !(nodes >= 1)
      ? ""
      : ` (${nodes === 1 ? "" : `${exact(nodes)} × `}${machineName(scenario)})`;
  return `${exact(gpus)} × ${gpu}${system}`;
}

/** "TP 4 · PP 2 · DP 8": the degrees above 1. */
export function layoutWords(scenario: Scenario): string {
  const ofExperts = ["expert_parallel", "expert_tensor_parallel"];
  const split = [...degreeNames, ...ofExperts].filter(
    (name) => scenario.text(name) !== (name === "expert_tensor_parallel" ? "0" : "1"),
  );
  return split.length === 0
    ? "one GPU a replica"
    : split.map((name) => `${labelOf(scenario, name)} ${scenario.text(name)}`).join(" · ");
}

/** "512 × 2048 tokens". */
export const workWords = (scenario: Scenario): string =>
  `${scenario.text("mode") === "training" ? scenario.text("global_batch_size") : scenario.text("batch_size")} × ${scenario.text("sequence_length")}`;

const stackWords = (scenario: Scenario): string => clean(chosenPreset(scenario, "recipe")?.name ?? "");

const clusterWords = (scenario: Scenario): string => machineWords(scenario, scenario.number("cluster_gpus"));

/** The same of one group that splits a layer, as in the exercise: "Llama 3.1 70B · 4 × H100 (DGX H100) · 1 × 2048 tokens". */
export const groupWords = (scenario: Scenario): string[] => [
  modelWords(scenario),
  machineWords(scenario, scenario.number("tensor_parallel")),
  `${scenario.text("batch_size")} × ${scenario.text("sequence_length")} tokens`,
];

/** Whether the division of the GPUs was chosen: by the reader, by the search, or by the author of an embedding page. */
const isDivided = (scenario: Scenario): boolean => scenario.alone || degreeNames.some((name) => scenario.given(name));

/** The parts, in the order of the form; a layout that was not chosen is left out. */
export const scenarioWords = (scenario: Scenario): string[] => [
  modelWords(scenario),
  clusterWords(scenario),
  ...(isDivided(scenario) ? [layoutWords(scenario)] : []),
  workWords(scenario),
  stackWords(scenario),
];

/** The same for a job whose layout is an answer. */
export const jobWords = (scenario: Scenario): string[] => [
  modelWords(scenario),
  clusterWords(scenario),
  workWords(scenario),
  stackWords(scenario),
];

/**
 * The same for servers, whose deployment is an answer: "Llama 3.1 70B · 8 × H200 (DGX H200) · 1,024 tokens in, 256 out
 * · vLLM".
 */
export function servingWords(scenario: Scenario): string[] {
  const tokens = (name: string) => exact(scenario.number(name));
  return [
    modelWords(scenario),
    machineWords(scenario, scenario.number(servingGpus)),
    `${tokens("prompt_tokens")} tokens in, ${tokens("output_tokens")} out`,
    choiceWord(scenario, servingRecipe, scenario.text(servingRecipe)),
  ];
}

/** The note on a layout that does not use the whole cluster. */
export function idleWords(scenario: Scenario): string {
  const there = scenario.number("cluster_gpus");
  const used = gpusInUse(scenario);
  if (!Number.isInteger(there) || used === there) return "";
  return used > there
    ? `These degrees need ${exact(used)} GPUs.`
    : `These degrees use ${exact(used)} of them; ${exact(there - used)} stay idle.`;
}
