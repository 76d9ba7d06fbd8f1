import type { TrainingStepResults } from "#engine";
import { isRefusal } from "../state/run.js";

type Inputs = Readonly<Record<string, unknown>>;

/** Single changes of a layout that save memory, the mildest first: what changes, and its name. */
function* changes(layout: Inputs): Generator<[Inputs, string]> {
  const whole = (name: string) => Number(layout[name] ?? 1);
  const tensor = whole("tensor_parallel");
  if (tensor > 1 && layout["sequence_parallel"] !== true) yield [{ sequence_parallel: true }, "sequence parallelism"];
  for (const recompute of ["selective", "full"])
    if (layout["recompute"] !== recompute) yield [{ recompute, recomputed_layers: 0 }, `${recompute} recomputation`];
  for (let stage = Number(layout["zero_stage"] ?? 0) + 1; stage <= 3; ++stage)
    yield [{ zero_stage: stage }, `ZeRO-${stage}`];
  for (let factor = 2; whole("data_parallel") % factor === 0; factor *= 2)
    yield [
      { tensor_parallel: tensor * factor, data_parallel: whole("data_parallel") / factor },
      `TP ${tensor * factor}`,
    ];
}

/** The mildest single change with which a step fits and its stack can run it; nothing if none does. */
export function fittingChange(step: (inputs: Inputs) => TrainingStepResults, inputs: Inputs): string | undefined {
  for (const [change, words] of changes(inputs)) {
    try {
      const { fits, stack_rule } = step({ ...inputs, ...change });
      if (fits && stack_rule === "") return words;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}
