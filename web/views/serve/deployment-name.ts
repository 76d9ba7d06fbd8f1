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
