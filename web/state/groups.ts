import type { FillingKind } from "./presets.js";

/** The scenario's parts in the order in which they are described, each with its fields: the one list of all forms. */

export interface FieldGroup {
  id: "model" | "work" | "machine" | "layout" | "recipe";
  title: string;
  /** What fills its fields, if anything does. */
  preset?: FillingKind;
  /** Always in sight. */
  main: readonly string[];
  /** Folded away, under this title. */
  further: { title: string; fields: readonly string[] };
}

export const fieldGroups: readonly FieldGroup[] = [
  {
    id: "model",
    title: "Model",
    preset: "model",
    main: ["hidden_size", "num_layers"],
    further: {
      title: "Shape",
      fields: [
        "num_heads",
        "num_kv_heads",
        "head_size",
        "ffn_hidden_size",
        "gated_mlp",
        "vocab_size",
        "tied_embeddings",
        "num_experts",
        "experts_per_token",
        "num_shared_experts",
        "expert_groups",
        "routed_groups",
        "num_dense_layers",
        "dense_ffn_hidden_size",
        "query_rank",
        "kv_rank",
        "rope_head_size",
        "num_positions",
        "biases",
        "parallel_sublayers",
        "allreduces_per_layer",
      ],
    },
  },
  {
    id: "work",
    title: "Work",
    main: ["global_batch_size", "sequence_length", "batch_size", "mode"],
    further: {
      title: "Numbers and recomputation",
      fields: [
        "bytes_per_element",
        "matmul_precision",
        "activation_bytes_per_element",
        "recompute",
        "causal_attention",
        "expert_imbalance_percent",
        "optimizer_bytes_per_parameter",
        "token_budget",
      ],
    },
  },
  {
    id: "machine",
    title: "Machine",
    preset: "system",
    main: ["bandwidth_gb_per_sec", "nic_gb_per_sec"],
    further: {
      title: "GPU, node and network",
      fields: [
        "accelerator",
        "gpus_per_node",
        "network",
        "launch",
        "peak_tflops",
        "hbm_gb_per_sec",
        "in_network_reduction",
        "latency_scale",
        "bandwidth_scale",
      ],
    },
  },
  {
    id: "layout",
    title: "GPUs",
    main: [
      "cluster_gpus",
      "gives_way",
      "tensor_parallel",
      "pipeline_parallel",
      "context_parallel",
      "data_parallel",
      "expert_parallel",
    ],
    further: {
      title: "Schedule, ZeRO, sequence",
      fields: [
        "sequence_parallel",
        "expert_tensor_parallel",
        "pipeline_schedule",
        "virtual_stages",
        "first_stage_layers",
        "last_stage_layers",
        "zero_stage",
        "shard_group_size",
        "zero_gradients",
        "context_scheme",
        "bucket_size_bytes",
        "accumulate_whole_gradients",
      ],
    },
  },
  {
    id: "recipe",
    title: "Software",
    preset: "recipe",
    main: [],
    further: {
      title: "What it does",
      fields: [
        "flash_attention",
        "dropout",
        "recompute_attention_core",
        "recompute_elementwise",
        "recompute_latent_projections",
        "recompute_products",
        "gradient_bytes_per_element",
        "scatter_gather",
        "regather_input",
        "overlap_tensor",
        "overlap_tensor_forward",
        "overlap_data",
        "overlap_param_gather",
        "balanced_stages",
        "overlap_expert",
        "expert_exchange",
        "dispatch_wire_bytes_per_element",
        "combine_wire_bytes_per_element",
        "activation_wire_bytes_per_element",
        "gradient_wire_bytes_per_element",
        "parameter_wire_bytes_per_element",
        "fused_quantization",
        "held_bytes_per_logit",
        "compute_efficiency_percent",
        "attention_efficiency_percent",
        "expert_efficiency_percent",
        "host_us_per_kernel",
        "cuda_graphs",
        "collective_start_us",
        "pipeline_sync_us",
        "staged_layer_host_us",
        "straggler_percent",
        "overlap_percent",
        "time_scale",
      ],
    },
  },
];

/** Every field of the scenario's own; what only one view asks for is that view's. */
export const scenarioFields: readonly string[] = fieldGroups.flatMap(({ main, further }) => [
  ...main,
  ...further.fields,
]);
