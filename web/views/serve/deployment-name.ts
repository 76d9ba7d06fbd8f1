/** "TP 4", "TP 2 × PP 2", "TP 4 × EP 2". */
export const deploymentName = ({
  tensor_parallel,
  pipeline_parallel,
  expert_parallel,
}: {
  tensor_parallel: number;
  pipeline_parallel: number;
  expert_parallel: number;
}): string =>
  `TP ${tensor_parallel}${pipeline_parallel > 1 ? ` × PP ${pipeline_parallel}` : ""}${expert_parallel > 1 ? ` × EP ${expert_parallel}` : ""}`;
