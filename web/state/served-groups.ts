import type { Engine } from "#engine";
import { isRefusal } from "./run.js";

/** Degrees of a server's layout that follow from its others. */
export interface Groups {
  data_parallel: number;
  expert_tensor_parallel: number;
}

/** The groups over which a server on these degrees spreads its experts: nothing where what a step reads of `inputs` can't be read. */
export function groupsOf(engine: Engine, inputs: Readonly<Record<string, unknown>>): Groups | undefined {
  const calculation = "serving_step";
  const fields = engine.describe()[calculation]!.inputs.map(({ name }) => [name, inputs[name]] as const);
  const read = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  try {
    const said = engine.resolve_inputs({
      calculation,
      inputs: { batch_size: 1, sequence_length: 1, ...read, data_parallel: 0, expert_tensor_parallel: 0 },
    });
    const whole = (name: keyof Groups) => Number(said[name]!.value);
    return { data_parallel: whole("data_parallel"), expert_tensor_parallel: whole("expert_tensor_parallel") };
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
