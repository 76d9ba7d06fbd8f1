import type { CommunicationLedgerResults } from "#engine";
import type { Subject } from "./colors.js";

export type LedgerRow = CommunicationLedgerResults["rows"][number];

/** Dimensions in words, each with the colour it has in every chart. */
export const dimensions: Record<LedgerRow["dimension"], { name: string; color: Subject }> = {
  tensor: { name: "tensor", color: "tensor" },
  sequence: { name: "sequence", color: "sequence" },
  vocabulary: { name: "vocabulary", color: "vocabulary" },
  data: { name: "data", color: "data" },
  pipeline: { name: "pipeline", color: "pipeline" },
  context: { name: "context", color: "context" },
  expert: { name: "expert", color: "expert" },
};

/** Collectives in words; in charts they have names, and no colours. */
export const collectives: Record<LedgerRow["collective"], { name: string; color: Subject }> = {
  all_reduce: { name: "all-reduce", color: "plain" },
  all_gather: { name: "all-gather", color: "plain" },
  reduce_scatter: { name: "reduce-scatter", color: "plain" },
  all_to_all: { name: "all-to-all", color: "plain" },
  send_receive: { name: "send and receive", color: "plain" },
  broadcast: { name: "broadcast", color: "plain" },
  reduce: { name: "reduce", color: "plain" },
  gather: { name: "gather", color: "plain" },
  scatter: { name: "scatter", color: "plain" },
  barrier: { name: "barrier", color: "plain" },
};

export const parts: Record<LedgerRow["part"], string> = {
  attention: "attention",
  mlp: "MLP",
  shared_experts: "shared experts",
  layer: "attention and MLP",
  norm: "norms, routers, latents",
  embedding: "embedding",
  lm_head: "LM head",
  loss: "loss",
  layers: "layers",
  experts: "experts",
  model: "whole model",
  boundary: "stage boundary",
};

export const payloads: Record<LedgerRow["payload"], string> = {
  activations: "activations",
  activation_gradients: "activation gradients",
  keys_and_values: "keys and values",
  weights: "weights",
  weight_gradients: "weight gradients",
  loss_terms: "loss terms",
  logits: "logits",
  dispatched: "tokens to experts",
  combined: "results of experts",
};

export const hiddenBy: Record<LedgerRow["hidden_by"], string> = {
  nothing: "critical path",
  forward: "forward pass",
  backward: "backward pass",
  weight_gradient: "weight gradients",
  input_gradient: "input gradients",
  product: "matrix products, piece by piece",
  attention: "attention",
  other_micro_batch: "another micro-batch",
};

export const stages: Record<LedgerRow["stages"], string> = {
  all: "all",
  first: "first",
  last: "last",
  first_and_last: "first and last",
  all_but_first: "all but first",
  all_but_last: "all but last",
};

/** Where a stage stands. */
export const stageNames: Record<CommunicationLedgerResults["stage"], string> = {
  only: "only stage",
  first: "first stage",
  inner: "inner stages",
  last: "last stage",
};
