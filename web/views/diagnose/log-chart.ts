import type { PredictCollectiveResults } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { networkChart } from "../../figures/network-curve.js";
import { collectiveScales } from "../../state/calibration.js";
import { capital, dashed, exact } from "../../state/format.js";
import { measuredAlike } from "../../state/machine.js";
import type { OwnCurve } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";

/** Bus bandwidth of a log against message size, with the prediction that no calibration has changed and what was published. */
export function logChart(scenario: Scenario, log: OwnCurve): LineChartSpec {
  const { collective, num_gpus } = log;
  const { values } = scenario.inputs("predict_collective");
  const inputs: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(values).filter(([name]) => !(collectiveScales as readonly string[]).includes(name)),
    ),
    collective,
    num_gpus,
    allreduce_kernel: "nccl",
    message_size_bytes: log.message_size_bytes.at(-1)!,
  };
  delete inputs["rank_stride"];
  const predict = scenario.engine.predict_collective as unknown as (given: unknown) => PredictCollectiveResults;
  const results = predict(inputs);
  const published = measuredAlike(scenario, collective, num_gpus, results);
  const { here: _, ...chart } = networkChart(scenario, inputs, results, published, "bandwidth", log);
  const runs = published.length;
  return {
    ...chart,
    title: `${capital(dashed(collective))} on ${exact(num_gpus)} GPUs.`,
    summary:
      runs > 0
        ? `Your log next to the prediction, and to ${exact(runs)} published ${runs === 1 ? "run" : "runs"} on such machines.`
        : "Your log next to the prediction. We know of no published run of it on as many such GPUs.",
  };
}
