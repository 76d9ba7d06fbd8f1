import type { PlanResults } from "#engine";
import { unbeaten } from "virtual:unbeaten-runs";
import { bits } from "../../scoreboard/nearest.js";
import { type Run, unpacked } from "../../scoreboard/runs.js";
import { namesOf, runName, spelt } from "../../scoreboard/words.js";
import { typedOver } from "../../state/chosen.js";
import { exact } from "../../state/format.js";
import { decidedOf } from "../../state/planned-layout.js";
import { chosenPreset } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import { examples } from "./published.js";

/** Measured steps of published models, and what their trainers published. */
const runs: readonly Run[] = [
  ...unpacked<Run>(unbeaten),
  ...examples.flatMap(({ published: { step, source }, ...job }) =>
    step
      ? [
          {
            ...{ recipe: job.recipe, model: job.model, accelerator: job.accelerator, precision: job.matmul_precision },
            num_gpus: Number(job.cluster_gpus),
            global_batch_size: Number(job.global_batch_size),
            sequence_length: Number(job.sequence_length),
            ...step,
            source,
          } as Run,
        ]
      : [],
  ),
];

const rateOf = ({ global_batch_size, sequence_length, measured_ms, num_gpus }: Run): number =>
  (1e3 * global_batch_size * sequence_length) / measured_ms / num_gpus;

/**
 * The fastest published run of a plan's model, on its GPU, in its precision, with as many GPUs up to twice as many and
 * no more sequences for each, if it is faster than the first layout beyond noise.
 */
function fasterRun(scenario: Scenario, { layouts, noise_floor_percent }: PlanResults): Run | undefined {
  const model = chosenPreset(scenario, "model");
  const [best] = layouts;
  if (!model || !best || typedOver(scenario, "model").length > 0) return undefined;
  const precision = decidedOf(best)["matmul_precision"] ?? scenario.text("matmul_precision");
  const gpus = scenario.number("cluster_gpus");
  const each = scenario.number("global_batch_size") / gpus;
  return runs
    .filter(
      (run) =>
        spelt(run.model) === spelt(model.id) &&
        run.num_layers === scenario.number("num_layers") &&
        run.accelerator === scenario.text("accelerator") &&
        bits(run.precision) === bits(precision) &&
        run.sequence_length === scenario.number("sequence_length") &&
        run.num_gpus >= gpus &&
        run.num_gpus <= 2 * gpus &&
        run.global_batch_size / run.num_gpus <= each &&
        rateOf(run) > best.tokens_per_sec_per_gpu * (1 + noise_floor_percent / 100),
    )
    .sort((one, other) => rateOf(other) - rateOf(one))[0];
}

/** The sentence that a published run was faster than the first layout is predicted to be; nothing if none was. */
export function fasterWords(scenario: Scenario, found: PlanResults): string {
  const run = fasterRun(scenario, found);
  if (!run) return "";
  const { tokens_per_sec_per_gpu: rate, step_time_ms: step, step_time_low_ms, step_time_high_ms } = found.layouts[0]!;
  const [least, most] = [step_time_high_ms, step_time_low_ms].map((ms) => exact(Math.round((rate * step) / ms)));
  const names = namesOf(scenario.engine);
  return `A published run in ${names.recipes[run.recipe]} was faster: ${runName(run, names)}, ${exact(Math.round(rateOf(run)))} tokens/s/GPU; this layout is predicted at ${exact(Math.round(rate))} (${least}–${most}). ${run.source}.`;
}
