import { layoutNames } from "../state/layout.js";
import { hardware } from "../state/presets.js";
import { once } from "../state/once.js";
import type { Scenario } from "../state/scenario.js";

/** What the engine calls an input or a result: "GPUs per node". */
export function labelOf(scenario: Scenario, name: string): string {
  const field =
    scenario.fields.get(name) ??
    Object.values(scenario.engine.describe())
      .flatMap(({ inputs, results }) => [...inputs, ...results])
      .find((described) => described.name === name);
  return field?.label ?? name.replaceAll("_", " ");
}

/** A name within a sentence: "the hidden size", "TP". */
export const labelWithin = (scenario: Scenario, name: string): string =>
  labelOf(scenario, name).replace(/^[A-Z](?=[a-z]+( |$))/, (first) => first.toLowerCase());

/** Pipeline schedules as their authors write them. */
export const scheduleNames: Readonly<Record<string, string>> = {
  "1f1b": "1F1B",
  interleaved: "interleaved",
  zero_bubble: "zero bubble",
  zero_bubble_2p: "zero bubble (2p)",
  gpipe: "GPipe",
  dualpipe: "DualPipe",
  dualpipe_v: "DualPipe-V",
};

/** What is recomputed, in words. */
export const recomputeNames: Readonly<Record<string, string>> = {
  none: "nothing",
  selective: "attention core",
  full: "whole layers",
};

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mode: { training: "training step", prefill: "serving: prompt", decode: "serving: next token" },
  recompute: recomputeNames,
  pipeline_schedule: scheduleNames,
  context_scheme: { all_gather: "all-gather", ulysses: "Ulysses" },
  zero_gradients: { reduce_scatter: "reduce-scatter", all_reduce: "all-reduce" },
  launch: {
    "": "not stated",
    process_per_gpu: "a process per GPU",
    thread_per_gpu: "a thread per GPU",
    one_thread: "one thread for all",
  },
  network: {
    "": "not stated",
    infiniband: "InfiniBand",
    roce: "RoCE",
    slingshot: "Slingshot 11",
    omnipath: "Omni-Path",
    efa: "AWS EFA",
    efa_v1: "AWS EFA, first generation",
    gpudirect_tcp: "GPUDirect-TCPX",
    ici: "ICI (TPU)",
    ethernet: "Ethernet",
  },
  expert_exchange: {
    nccl: "NCCL’s all-to-all",
    low_latency: "a kernel, one copy per expert",
    by_rank: "a kernel, one copy per GPU",
    normal: "a kernel, one copy per node",
  },
  allreduce_kernel: {
    nccl: "NCCL",
    one_shot: "a one-shot kernel",
    two_shot: "a two-shot kernel",
    nvls: "a kernel over NVLS",
    best: "the quickest of all",
  },
  serving_recipe: {
    vllm: "vLLM",
    sglang: "SGLang",
    "tensorrt-llm": "TensorRT-LLM",
    "faster-transformer": "FasterTransformer",
  },
  in_network_reduction: { usual: "where they can", on: "yes (NVLink SHARP)", off: "no" },
};

const accelerators = once((scenario) =>
  Object.fromEntries(hardware(scenario).accelerators.map(({ id, name }) => [id, name])),
);

const layout = once((scenario) => Object.fromEntries(layoutNames.map((name) => [name, labelOf(scenario, name)])));

/** Words for the choices of a field, where their names are not enough. */
export function choiceWords(scenario: Scenario, name: string): Readonly<Record<string, string>> {
  if (name === "accelerator") return accelerators(scenario);
  return name === "gives_way" ? layout(scenario) : (choices[name] ?? {});
}

/** A choice in words; what is no choice, as it was written. */
export function choiceWord(scenario: Scenario, name: string, choice: string): string {
  const words = choiceWords(scenario, name);
  return Object.hasOwn(words, choice) ? words[choice]! : choice.replaceAll("_", " ");
}
