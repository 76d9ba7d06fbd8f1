// Scenarios of every kind of machine, model and layout that the design names, drawn by number.
import { randomNumbers } from "../../support/random-numbers.mjs";

const machines = [
  ...["dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200", "gb200-nvl72", "aws-p5", "mi300x-node", "tpu-v5p-pod"].map(
    (system) => ({ system }),
  ),
  { system: "", accelerator: "h20", gpus_per_node: "8", nic_gb_per_sec: "50" },
  { system: "", accelerator: "l40s", gpus_per_node: "2", nic_gb_per_sec: "12.5" },
];
const dense = ["llama-2-7b", "llama-3.1-70b", "llama-3.1-405b", "gpt3-175b", "qwen3-8b", "gpt-neox-20b", "gemma-2-9b"];
const experts = ["mixtral-8x7b", "deepseek-v3", "qwen3-30b-a3b", "gpt-oss-120b"];

/** Draws a scenario of each kind that the design names. */
function drawn(seed) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const flip = (share) => random() < share;
  const withExperts = flip(0.35);
  const [tensor, pipeline, context, data] = [
    pick([1, 2, 4, 8, 16]),
    pick([1, 1, 2, 4, 8]),
    pick([1, 1, 1, 2]),
    pick([1, 2, 4, 8, 16]),
  ];
  const micro = pick([1, 1, 2, 4]);
  const batch = micro * data * pick([1, 2, 4, 8, 16]);
  return {
    ...pick(machines),
    model: pick(withExperts ? experts : dense),
    sequence_length: String(pick([1024, 2048, 4096, 8192])),
    batch_size: String(micro),
    global_batch_size: String(batch),
    tensor_parallel: String(tensor),
    pipeline_parallel: String(pipeline),
    context_parallel: String(context),
    data_parallel: String(data),
    expert_parallel: withExperts ? String(pick([1, data])) : "1",
    cluster_gpus: String(tensor * pipeline * context * data),
    zero_stage: String(pick([0, 1, 1, 3])),
    recompute: pick(["none", "selective", "full"]),
    sequence_parallel: String(tensor > 1 && flip(0.7)),
    pipeline_schedule: pick(["1f1b", "1f1b", "gpipe", "zero_bubble"]),
    recipe: pick(["megatron-core", "megatron-core", "torchtitan", "fsdp", "deepspeed", "nanotron"]),
    collective: pick([
      "all_reduce",
      "all_reduce",
      "all_gather",
      "reduce_scatter",
      "all_to_all",
      "broadcast",
      "barrier",
    ]),
    algorithm: "ring",
    ranks: String(pick([1, 2, 3, 4, 8, 12, 16])),
    message_size_bytes: String(2 ** Math.floor(8 + random() * 24)),
    scheme: pick(["data_parallel", "zero_3", "tensor_parallel", "tensor_parallel_mlp", "pipeline_parallel"]),
    ...(flip(0.3) ? { price_per_gpu_hour: String(pick([1, 2.5, 4])) } : {}),
    ...(flip(0.5) ? { allreduce_kernel: "best" } : {}),
    ...(flip(0.2) ? { bandwidth_gb_per_sec: String(pick([30, 100, 900])) } : {}),
    ...(flip(0.2) ? { causal_attention: "true" } : {}),
    ...(flip(0.2) ? { gradient_bytes_per_element: String(pick([2, 4])) } : {}),
    ...(flip(0.2) ? { delays_us: pick(["0,100", "0,0,3", "5000"]) } : {}),
    ...(flip(0.2) ? { token_budget: pick(["15.6e12", "3e11", "2e6"]) } : {}),
    serving_gpus: pick(["1", "4", "8", "16"]),
    most_token_ms: pick(["0", "10", "50", "50", "200"]),
    ...(flip(0.4) ? { requests_per_sec: pick(["0.5", "4", "500"]) } : {}),
    ...(flip(0.3) ? { serving_recipe: pick(["sglang", "tensorrt-llm", "gpt-fast", "faster-transformer"]) } : {}),
    ...(flip(0.4) ? { weight_bytes_per_element: "1" } : {}),
    ...(flip(0.2) ? { recomputed_layers: String(pick([1, 4, 1000])) } : {}),
    ...(flip(0.3)
      ? {
          pod_gpus: String(pick([0, 16, 64])),
          rails: String(pick([1, 4])),
          oversubscription: String(pick([1, 2, 7])),
          superpod_gpus: String(pick([0, 128, 512])),
          core_oversubscription: String(pick([1, 3])),
        }
      : {}),
    ...(flip(0.1) ? { file_gb_per_sec: String(pick([1, 6])) } : {}),
    ...(flip(0.1) ? { offloaded_layers: String(pick([2, 8])), host_gb_per_sec: String(pick([6, 50])) } : {}),
    ...(flip(0.1) ? { offloaded_optimizer_percent: String(pick([50, 100])), host_gb_per_sec: "25" } : {}),
    // A server's step, the answer's or another.
    ...(flip(0.6)
      ? {
          serving_tensor_parallel: String(tensor),
          serving_pipeline_parallel: String(pipeline),
          ...(flip(0.7) ? { serving_batch_size: String(micro) } : {}),
          ...(withExperts
            ? { serving_data_parallel: String(data), serving_expert_parallel: String(pick([1, data])) }
            : {}),
        }
      : {}),
    ...(flip(0.15) ? { in_network_reduction: "off" } : {}),
  };
}

/** The ring's algorithm has to be one of its collective's. */
function withAlgorithm(engine, texts, seed) {
  const able = engine.collective_catalog().methods.filter(({ collective }) => collective === texts.collective);
  return { ...texts, algorithm: able[seed % able.length].algorithm };
}

/** Settings that a search is let decide, in every third of its scenarios. */
const searched = [
  "matmul_precision",
  "cuda_graphs,gradient_bytes_per_element",
  "expert_exchange,overlap_expert,matmul_precision",
  "overlap_tensor,overlap_tensor_forward,context_scheme",
  "recompute_attention_core,recompute_elementwise,overlap_data",
];

/** Jobs of models that others trained: model, system, GPUs, sequences, tokens of each, GEMM precision. */
const published = [
  ["deepseek-v3", "gb200-nvl72", "256", "4096", "4096", "mxfp8"],
  ["llama-3-70b", "dgx-h100", "512", "1024", "8192", "stored"],
  ["llama-3.1-405b", "dgx-h100", "128", "128", "8192", "stored"],
  ["gemma-3-12b", "tpu-v6e-pod", "256", "256", "32768", "stored"],
  ["llama-3-70b", "dgx-h100", "64", "128", "8192", "stored"],
].map(([model, system, cluster_gpus, global_batch_size, sequence_length, matmul_precision]) => ({
  ...{ model, system, cluster_gpus, global_batch_size, sequence_length, matmul_precision },
  recipe: system.startsWith("tpu") ? "maxtext" : "megatron-core",
}));

/** A measured step that is projected elsewhere: the network's efficiency typed, or of two bandwidths. */
function projected(seed) {
  const random = randomNumbers(seed + 7919);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const compute = pick([0.2, 0.5, 0.771025, 0.95]);
  const typed = random() < 0.5;
  return {
    compute_share: String(compute),
    communication_share: String(Number((1 - compute).toFixed(6))),
    efficiency: typed ? pick(["0.05", "0.1360544", "0.5", "1", "2"]) : "0",
    from_gpus: typed && random() < 0.5 ? "0" : pick(["4", "8", "16"]),
    to_gpus: pick(["32", "512", "8"]),
    from_bus_bandwidth_gb_per_sec: pick(["50", "230", "12.5"]),
    to_bus_bandwidth_gb_per_sec: pick(["5", "40", "300"]),
  };
}

/** Limits at a percentile, for every third server ones that long prompts may break however few come. */
function underLoad(seed) {
  const spread = { length_spread: "log_normal", length_spread_percent: "200" };
  return {
    latency_percentile: ["p99", "p50", "p95", "p90"][seed % 4],
    requests: "200",
    ...(seed % 3 === 0 ? { ...spread, most_first_token_ms: ["60", "120", "250", "500"][(seed % 7) % 4] } : {}),
  };
}

/** Parts of a layout that are held on every number of GPUs; of every third scenario none. */
const pinnedFor = ({ tensor_parallel, pipeline_parallel }, seed) => ({
  ...(seed % 3 > 0 ? { plan_tensor_parallel: tensor_parallel, plan_recompute: "none" } : {}),
  ...(seed % 3 > 1 ? { plan_pipeline_parallel: pipeline_parallel, plan_zero_stage: "0" } : {}),
});

/** The texts of a view's scenario, by number. */
export function scenarioOf(engine, view, seed) {
  const texts = drawn(seed);
  if (view === "plan" && seed % 6 === 1) return published[Math.floor(seed / 6) % published.length];
  if (view === "plan" && seed % 3 === 0)
    return { ...texts, searched_settings: searched[Math.floor(seed / 3) % searched.length] };
  // The other schemes' scenarios are told apart by the name that this scheme used to have.
  if (view === "overlap" && texts.scheme === "tensor_parallel_mlp")
    return { ...texts, scheme: "tensor_parallel_region" };
  if (view === "scaling") return { ...texts, ...pinnedFor(texts, seed) };
  if (view === "goodput") return { ...texts, ...underLoad(seed) };
  if (view === "projection") return { ...texts, ...projected(seed) };
  return view === "ring" ? withAlgorithm(engine, texts, seed) : texts;
}
