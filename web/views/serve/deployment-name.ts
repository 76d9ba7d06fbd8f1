/** "TP 4", "TP 4, experts over 2 groups". */
export const deploymentName = ({
  tensor_parallel,
  expert_parallel,
}: {
  tensor_parallel: number;
  expert_parallel: number;
}): string => `TP ${tensor_parallel}${expert_parallel > 1 ? `, experts over ${expert_parallel} groups` : ""}`;
