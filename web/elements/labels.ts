/** Field names in words: "num_gpus" → "GPUs", "bandwidth_gb_per_sec" → "Bandwidth". */

const special: Record<string, string> = {
  num_gpus: "GPUs",
  num_layers: "Layers",
  num_heads: "Attention heads",
  num_kv_heads: "Key and value heads",
  num_experts: "Experts",
  ffn_hidden_size: "MLP hidden size",
  gated_mlp: "Gated MLP",
  vocab_size: "Vocabulary size",
  bandwidth_gb_per_sec: "Bandwidth",
  nic_gb_per_sec: "Network bandwidth per GPU",
  gpus_per_node: "GPUs per node",
  reduce_gb_per_sec: "Reduction rate",
  allreduces_per_layer: "All-reduces per layer",
  latency_us: "Latency",
  delays_us: "Delays, rank by rank",
  inside_latency_us: "Latency within groups",
  inside_bandwidth_gb_per_sec: "Bandwidth within groups",
  message_size_bytes: "Message size",
  comm_volume_per_allreduce_bytes: "Volume per all-reduce",
  total_comm_volume_bytes: "Total volume",
  total_comm_time_ms: "Total time",
  zero_stage: "ZeRO stage",
};

export function labelOf(name: string): string {
  const words = special[name] ?? name.replace(/_(bytes|us|ms|gib|percent|tflops)$/, "").replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}
