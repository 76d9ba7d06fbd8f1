import type { TrainingStepResults } from "#engine";
import { along, type Compared, inverse, type Ranged, ranged } from "./compared.js";
import { days, exact, ms, percent, significant } from "./format.js";
import type { Scenario } from "./scenario.js";
import { rounded } from "./step.js";

type Run = Pick<
  TrainingStepResults,
  | "step_time_ms"
  | "step_time_low_ms"
  | "step_time_high_ms"
  | "mfu_percent"
  | "model_tflops_per_gpu"
  | "memory_gib"
  | "tokens_per_sec_per_gpu"
  | "training_days"
>;

/** The compared figures of two steps, each with its run: time, throughput, memory, and the run's time and cost. */
export function comparedSteps(
  sizes: Scenario["sizes"],
  now: { step: Run; run: { gpu_hours: number; cost: number } },
  then: { step: Run; run: { gpu_hours: number; cost: number } } | undefined,
): Compared[] {
  const time = ({ step }: typeof now) => ranged(step.step_time_ms, step.step_time_low_ms, step.step_time_high_ms);
  /** All rates follow from the step's time, and so does the run's. */
  const rate = (name: "model_tflops_per_gpu" | "mfu_percent" | "tokens_per_sec_per_gpu") => (one: typeof now) =>
    inverse(one.step[name], time(one));
  const cost = (of: (one: typeof now) => number) => (one: typeof now) => along(of(one), time(one));
  const row = (
    what: string,
    of: (one: typeof now) => Ranged,
    format: Compared["format"],
    as?: Compared["as"],
  ): Compared => ({ what, now: of(now), then: then && of(then), format, ...(as && { as }) });
  const priced = now.run.cost > 0 && (then === undefined || then.run.cost > 0);
  return [
    row("Step time", time, ms),
    row("TFLOP/s per GPU", rate("model_tflops_per_gpu"), (value) => significant(value, 3)),
    row("MFU", rate("mfu_percent"), percent, "points"),
    row("Memory", ({ step }) => ({ value: step.memory_gib }), sizes.memory),
    row("Tokens/s/GPU", rate("tokens_per_sec_per_gpu"), (value) => exact(Math.round(value))),
    row(
      "Run",
      cost(({ step }) => step.training_days),
      days,
    ),
    row(
      "GPU-hours",
      cost(({ run }) => run.gpu_hours),
      rounded,
    ),
    ...(priced
      ? [
          row(
            "Price of the run",
            cost(({ run }) => run.cost),
            rounded,
          ),
        ]
      : []),
  ];
}
