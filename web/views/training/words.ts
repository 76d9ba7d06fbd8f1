import type { CommunicationLedgerResults } from "#engine";

export type LedgerRow = CommunicationLedgerResults["rows"][number];

/** Dimensions in words, each with the colour it has in every chart. */
export const dimensions: Record<LedgerRow["dimension"], { name: string; color: number }> = {
  tensor: { name: "tensor", color: 1 },
  sequence: { name: "sequence", color: 7 },
  vocabulary: { name: "vocabulary", color: 6 },
  data: { name: "data", color: 2 },
  pipeline: { name: "pipeline", color: 3 },
  context: { name: "context", color: 4 },
  expert: { name: "expert", color: 5 },
};

/** Collectives in words, each with its colour. */
export const collectives: Record<LedgerRow["collective"], { name: string; color: number }> = {
  all_reduce: { name: "all-reduce", color: 1 },
  all_gather: { name: "all-gather", color: 2 },
  reduce_scatter: { name: "reduce-scatter", color: 3 },
  all_to_all: { name: "all-to-all", color: 4 },
  send_receive: { name: "send and receive", color: 5 },
  broadcast: { name: "broadcast", color: 6 },
  reduce: { name: "reduce", color: 7 },
  gather: { name: "gather", color: 8 },
  scatter: { name: "scatter", color: 8 },
  barrier: { name: "barrier", color: 8 },
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
};

export const hiddenBy: Record<LedgerRow["hidden_by"], string> = {
  nothing: "critical path",
  forward: "forward pass",
  backward: "backward pass",
  weight_gradient: "weight gradients",
  input_gradient: "input gradients",
  product: "matrix products, piece by piece",
  attention: "attention",
};

export const stages: Record<LedgerRow["stages"], string> = {
  all: "all",
  first: "first",
  last: "last",
  first_and_last: "first and last",
  all_but_first: "all but first",
  all_but_last: "all but last",
};
