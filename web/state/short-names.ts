import type { FieldDescription } from "#engine";

/** The trade's short names of inputs. */
export const short: Readonly<Record<string, string>> = {
  tp: "tensor_parallel",
  pp: "pipeline_parallel",
  cp: "context_parallel",
  dp: "data_parallel",
  ep: "expert_parallel",
  etp: "expert_tensor_parallel",
  vpp: "virtual_stages",
  mbs: "batch_size",
  gbs: "global_batch_size",
  seq: "sequence_length",
  gpus: "cluster_gpus",
  isl: "prompt_tokens",
  osl: "output_tokens",
  tpot: "most_token_ms",
  ttft: "most_first_token_ms",
  rate: "requests_per_sec",
};

/** What to type for an input: its short name if it has one. */
export const shortOf = (field: string): string => Object.keys(short).find((name) => short[name] === field) ?? field;

/** An input's name for what was typed: hyphens are as good as underscores, and the trade's short names are known. */
export function nameOf(fields: readonly FieldDescription[], typed: string): string {
  const has = (name: string) => fields.some((field) => field.name === name || field.formerly === name);
  const long = short[typed];
  if (has(typed) || long === undefined) return typed;
  // A group that calls is num_gpus, a cluster is cluster_gpus.
  return has(long) ? long : typed === "gpus" && has("num_gpus") ? "num_gpus" : typed;
}
