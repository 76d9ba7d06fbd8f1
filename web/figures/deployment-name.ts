import { exact } from "../state/format.js";

/** "TP 4", "TP 2 × PP 2", "TP 2 × DP 4 + EP 8": the GPUs of a server multiply, and experts are spread over as many of them. */
export const deploymentName = ({
  tensor_parallel,
  pipeline_parallel,
  data_parallel,
  expert_parallel,
}: {
  tensor_parallel: number;
  pipeline_parallel: number;
  data_parallel: number;
  expert_parallel: number;
}): string => {
  const times = (name: string, degree: number) => (degree > 1 ? ` × ${name} ${degree}` : "");
  const spread = expert_parallel > 1 ? `${times("DP", data_parallel)} + EP ${expert_parallel}` : "";
  return `TP ${tensor_parallel}${times("PP", pipeline_parallel)}${spread}`;
};

/** "17 sequences at once per DP group": how many are answered together, as a batch is counted. */
export const atOnce = ({
  batch_size,
  data_parallel,
  replicas,
}: {
  batch_size: number;
  data_parallel: number;
  replicas: number;
}): string => {
  const sequences = batch_size === 1 ? "one sequence" : `${exact(batch_size)} sequences`;
  return `${sequences} at once${data_parallel > 1 ? " per DP group" : replicas > 1 ? " each" : ""}`;
};
