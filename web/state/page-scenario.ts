import type { Engine } from "#engine";
import { allFields } from "./fields.js";
import { Session } from "./session.js";

/** What holds where a link says nothing else: the exercise's own example, which is Llama 2 7B, and eight replicas of it on the exercise's links. */
export const pageDefaults: Readonly<Record<string, string>> = {
  model: "llama-2-7b",
  system: "dgx-a100",
  sequence_length: "2048",
  batch_size: "8",
  global_batch_size: "512",
  cluster_gpus: "64",
  tensor_parallel: "8",
  token_budget: "1T",
  collective: "all_reduce",
  algorithm: "ring",
  latency_us: "5",
  delays_us: "",
  scheme: "tensor_parallel",
  // ExaComm'24: communication takes 7.35 times as long, 59.25 % of the throughput is lost.
  compute_share: "0.771025",
  communication_share: "0.228975",
  efficiency: "0.1360544",
};

/**
 * The article's scenario if an address gives none: a model that does not fit on one GPU, one long sequence at a time.
 */
export const protagonist: Readonly<Record<string, string>> = {
  model: "llama-3.1-70b",
  system: "dgx-h100",
  sequence_length: "8192",
  batch_size: "1",
};

/** A scenario with the page's defaults. */
export function pageScenario(engine: Engine): Session {
  return new Session(engine, allFields(engine), pageDefaults);
}
