import type { PlanServingResults } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { exact, ms, significant } from "../../state/format.js";
import { anyFits, type Row, type Targets } from "./answer.js";
import { deploymentName } from "../../figures/deployment-name.js";

/** Tokens for a user against tokens of a GPU: what no other deployment beats, and where the answer lies. */
export function pareto({ frontier, deployments, found }: PlanServingResults, targets: Targets): LineChartSpec {
  const best: Row | undefined = found ? deployments[0] : undefined;
  const least = targets.most_token_ms > 0 ? 1e3 / targets.most_token_ms : 0;
  const none = anyFits(deployments) ? "No deployment meets your limit for TTFT." : "No deployment fits.";
  return {
    id: "commcost-serve-frontier",
    title: "Tokens/s for a user against tokens/s per GPU.",
    summary:
      frontier.length === 0
        ? none
        : "Without a queue, no batch tried beats this line: one sequence at the right, full memory at the left.",
    ...(frontier.length === 0 && { nothing: none }),
    x: { label: "tokens/s for a user", scale: "log", format: (value) => significant(value, 3) },
    y: { label: "tokens/s per GPU", scale: "log", format: (value) => significant(value, 3) },
    series: [
      {
        name: "best of all deployments",
        color: "expected",
        points: [...frontier].reverse().map((point) => ({
          x: point.tokens_per_sec_per_user,
          y: point.output_tokens_per_sec_per_gpu,
          note: `${deploymentName(point)}, batch ${exact(point.batch_size)}`,
        })),
      },
    ],
    rules: least > 0 ? [{ axis: "x", at: least, label: `TPOT ${ms(targets.most_token_ms)}` }] : [],
    ...(best && {
      here: {
        x: best.tokens_per_sec_per_user,
        y: best.output_tokens_per_sec_per_gpu,
        label: `${deploymentName(best)}, batch ${exact(best.batch_size)}`,
      },
    }),
    table: {
      header: [
        "tensor_parallel",
        "pipeline_parallel",
        "data_parallel",
        "expert_parallel",
        "batch_size",
        "tokens_per_sec_per_user",
        "output_tokens_per_sec_per_gpu",
      ],
      rows: frontier.map((point) => [
        point.tensor_parallel,
        point.pipeline_parallel,
        point.data_parallel,
        point.expert_parallel,
        point.batch_size,
        point.tokens_per_sec_per_user,
        point.output_tokens_per_sec_per_gpu,
      ]),
    },
  };
}
