import type { FieldDescription } from "#engine";
import { degreeNames } from "../state/layout.js";

type Inputs = Readonly<Record<string, unknown>>;

/** The inputs of a layout on a cluster whose replicas were not given: as many as fill it, if a whole number does. */
export function withReplicas(fields: readonly FieldDescription[], inputs: Inputs): Inputs {
  const replicas = fields.find(({ name }) => name === "data_parallel");
  const cluster = fields.find(({ name }) => name === "cluster_gpus");
  const gpus = inputs["cluster_gpus"] ?? inputs[cluster?.formerly ?? ""];
  // A search finds them, a server's follow from its experts.
  if (replicas?.default !== 1 || typeof gpus !== "number" || "data_parallel" in inputs) return inputs;
  const others = degreeNames.reduce((product, name) => product * Number(inputs[name] ?? 1), 1);
  return gpus % others === 0 ? { ...inputs, data_parallel: gpus / others } : inputs;
}
