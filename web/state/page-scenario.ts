import type { Engine } from "#engine";
import { allFields, Scenario } from "./scenario.js";

/** What a first visit shows: the exercise's own example, on a node of eight GPUs; five ranks in a ring. */
export const pageDefaults: Readonly<Record<string, string>> = {
  hidden_size: "4096",
  sequence_length: "2048",
  batch_size: "8",
  num_gpus: "8",
  num_layers: "32",
  bytes_per_element: "2",
  allreduces_per_layer: "2",
  gpus_per_node: "8",
  accelerator: "a100-sxm-80gb",
  nic_gb_per_sec: "25",
  collective: "all_reduce",
  algorithm: "ring",
  ranks: "5",
  message_size_bytes: "64 MiB",
  latency_us: "5",
  delays_us: "0, 12, 3, 25, 7",
  // The rest of that model (Llama 2 7B) and eight replicas of it on the nodes of the exercise's links (A100).
  num_heads: "32",
  ffn_hidden_size: "11008",
  gated_mlp: "true",
  vocab_size: "32000",
  global_batch_size: "512",
  tensor_parallel: "8",
  data_parallel: "8",
  scheme: "tensor_parallel",
  token_budget: "1T",
  // ExaComm'24: communication takes 7.35 times as long, 59.25 % of the throughput is lost.
  compute_share: "0.771025",
  communication_share: "0.228975",
  efficiency: "0.1360544",
};

/** A scenario with the page's defaults. */
export function pageScenario(engine: Engine): Scenario {
  return new Scenario(engine, allFields(engine), pageDefaults);
}
