import { hardware } from "../state/presets.js";
import { once } from "../state/once.js";
import type { Scenario } from "../state/scenario.js";
import { withoutSign } from "../state/serving.js";

/** Names of inputs, results and choices in words: "num_gpus" → "GPUs", "process_per_gpu" → "a process per GPU". */

const special: Readonly<Record<string, string>> = {
  accelerator: "GPU",
  activation_wire_bytes_per_element: "Bytes per activation, sent",
  activation_bytes_per_element: "Bytes per activation, kept",
  allreduces_per_layer: "All-reduces per layer",
  allreduce_kernel: "All-reduce by",
  accumulate_whole_gradients: "Accumulate gradients unsharded",
  balanced_stages: "Fewer layers beside the LM head",
  bandwidth_gb_per_sec: "Link bandwidth",
  bandwidth_scale: "Calibration: bandwidth ×",
  batch_size: "Micro-batch",
  biases: "Biases",
  bucket_size_bytes: "Gradient bucket",
  bytes_per_element: "Bytes per activation",
  causal_attention: "Count masked attention once",
  chunks: "Overlapping pieces",
  attention_efficiency_percent: "Attention efficiency",
  cluster_gpus: "GPUs",
  collective_start_us: "Collective start-up",
  compute_efficiency_percent: "Compute efficiency",
  cuda_graphs: "CUDA graphs",
  shard_group_size: "Shard group (HSDP)",
  first_stage_layers: "Layers of the first stage",
  last_stage_layers: "Layers of the last stage",
  expert_efficiency_percent: "Expert efficiency",
  expert_exchange: "Tokens sent by",
  expert_groups: "Groups of experts",
  expert_imbalance_percent: "Busiest experts, beyond the mean",
  routed_groups: "Groups a token may visit",
  dispatch_wire_bytes_per_element: "Bytes per element to experts",
  combine_wire_bytes_per_element: "Bytes per element back",
  overlap_expert: "Overlap tokens to experts",
  held_bytes_per_logit: "Bytes held per logit",
  host_us_per_kernel: "Host time per kernel",
  matmul_precision: "Matrix precision",
  overlap_tensor_forward: "Overlap forward all-reduces",
  pipeline_sync_us: "Pipeline sync",
  staged_layer_host_us: "Host time per layer on a stage",
  overlap_percent: "Hidden communication",
  straggler_percent: "Slowest replica",
  time_scale: "Scale of all times",
  comm_volume_per_allreduce_bytes: "Volume per all-reduce",
  context_parallel: "Context degree",
  context_scheme: "Context exchange",
  data_parallel: "Data degree",
  delays_us: "Delays, rank by rank",
  dense_ffn_hidden_size: "MLP width of dense layers",
  depth: "Depth of 2.5D",
  expert_parallel: "Expert degree",
  expert_tensor_parallel: "Expert-tensor degree",
  experts_per_token: "Experts per token",
  ffn_hidden_size: "MLP width",
  gated_mlp: "Gated MLP",
  gives_way: "Gives way",
  global_batch_size: "Global batch",
  gpus_per_node: "GPUs per node",
  gradient_bytes_per_element: "Bytes per gradient, kept",
  gradient_wire_bytes_per_element: "Bytes per gradient, sent",
  hbm_gb_per_sec: "Memory bandwidth",
  head_size: "Head size",
  in_network_reduction: "Switches reduce",
  inside_bandwidth_gb_per_sec: "Bandwidth within groups",
  inside_latency_us: "Latency within groups",
  kv_bytes_per_element: "Bytes per cached element",
  kv_rank: "Rank of keys and values",
  latency_scale: "Calibration: latency ×",
  latency_us: "Latency",
  launch: "Processes",
  memory_limit_gib: "Memory limit",
  message_size_bytes: "Message size",
  mode: "Pass",
  nccl_us: "NCCL’s own model",
  network: "Network kind",
  next_linear_size: "Width of the next matrix",
  nic_gb_per_sec: "Network rate",
  num_dense_layers: "Dense first layers",
  num_experts: "Experts",
  num_gpus: "GPUs",
  num_heads: "Attention heads",
  num_kv_heads: "Key and value heads",
  num_layers: "Layers",
  num_positions: "Learned positions",
  num_shared_experts: "Shared experts",
  optimizer_bytes_per_parameter: "Optimizer bytes per parameter",
  overlap_data: "Overlap gradients and weights",
  overlap_param_gather: "Overlap the gather after the update",
  overlap_tensor: "Overlap backward all-reduces",
  parallel_sublayers: "Attention and MLP in parallel",
  parameter_wire_bytes_per_element: "Bytes per weight, sent",
  peak_tflops: "Peak matrix rate",
  pipeline_parallel: "Pipeline degree",
  pipeline_schedule: "Pipeline schedule",
  price_per_gpu_hour: "Price per GPU-hour",
  query_rank: "Rank of queries",
  rate_gb_per_sec: "Bandwidth to convert",
  recipe: "Software",
  recompute: "Recomputation",
  recompute_attention_core: "Selective: the attention core",
  recompute_elementwise: "Selective: norms and activations",
  recompute_latent_projections: "Selective: latents’ projections",
  recompute_products: "Selective: every other product",
  reduce_gb_per_sec: "Reduction rate",
  regather_input: "Gather inputs again in backward",
  rope_head_size: "Rotary head size",
  scatter_gather: "Scatter between stages",
  most_first_token_ms: "Most to the first token",
  most_token_ms: "Most to a token",
  output_tokens: "Tokens out",
  prompt_tokens: "Tokens in",
  serving_gpus: "GPUs that serve",
  serving_recipe: "Served by",
  sequence_length: "Sequence",
  sequence_parallel: "Sequence parallelism",
  system: "Machine",
  tensor_parallel: "Tensor degree",
  tied_embeddings: "Tied embeddings",
  time_us: "Expected time",
  token_budget: "Tokens to train on",
  total_comm_time_ms: "Total time",
  total_comm_volume_bytes: "Total volume",
  virtual_stages: "Chunks per stage",
  vocab_size: "Vocabulary size",
  weight_bytes_per_element: "Bytes per weight, kept",
  zero_bubble_2p: "Schedules for twice the activations",
  zero_gradients: "ZeRO’s gradients",
  zero_stage: "ZeRO stage",
};

export function labelOf(given: string): string {
  const name = withoutSign(given);
  const words =
    (Object.hasOwn(special, name) ? special[name] : undefined) ??
    name.replace(/_(bytes|us|ms|gib|percent|tflops)$/, "").replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

/** A name within a sentence: "the tensor degree", "GPUs per node". */
export const labelWithin = (name: string): string =>
  labelOf(name).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

/** Degrees as the field abbreviates them. */
export const degreeSigns: Readonly<Record<string, string>> = {
  tensor_parallel: "TP",
  pipeline_parallel: "PP",
  context_parallel: "CP",
  data_parallel: "DP",
  expert_parallel: "EP",
  expert_tensor_parallel: "ETP",
};

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
  gives_way: { ...degreeSigns, cluster_gpus: "GPUs" },
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

/** Words for the choices of a field, where their names are not enough. */
export const choiceWords = (scenario: Scenario, name: string): Readonly<Record<string, string>> =>
  name === "accelerator" ? accelerators(scenario) : (choices[name] ?? {});

/** A choice in words; what is no choice, as it was written. */
export function choiceWord(scenario: Scenario, name: string, choice: string): string {
  const words = choiceWords(scenario, name);
  return Object.hasOwn(words, choice) ? words[choice]! : choice.replaceAll("_", " ");
}
