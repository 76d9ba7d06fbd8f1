import type { LayerTimelineResults } from "#engine";

/** What a GPU is busy with in a layer, short enough for a bar. */
export const activityNames: Readonly<Record<LayerTimelineResults["bars"][number]["operation"], string>> = {
  norm: "norm",
  query_key_value: "QKV",
  positions: "positions",
  attention_core: "attention",
  attention_output: "out",
  residual: "residual",
  router: "router",
  mlp_in: "MLP in",
  activation: "act",
  mlp_out: "MLP out",
  all_reduce: "all-reduce",
  all_gather: "all-gather",
  reduce_scatter: "reduce-scatter",
  all_to_all: "all-to-all",
  send_receive: "send and receive",
};
