import type { Engine } from "#engine";
import { layoutOf, type PlanRow } from "../state/planned-layout.js";
import { nameOf, shortOf } from "../state/short-names.js";
import type { Typed } from "./arguments.js";
import { launchExport } from "./launch-format.js";

/** A text as one word of a shell. */
const quoted = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * The line that asks for a planned layout: what was typed about its job, and what of the layout is not a default. It
 * writes the launch, or if the stack has none, prints the step.
 */
export function retyped(engine: Engine, typed: Typed, inputs: Readonly<Record<string, unknown>>, row: PlanRow): string {
  const launch = launchExport(engine, inputs);
  const calculation = launch.none ? "training_step" : launch.name;
  const fields = engine.describe()[calculation]!.inputs;
  const layout: Record<string, unknown> = layoutOf(row, { engine }, calculation);
  const job = [...typed.values]
    .map(([name, text]) => [nameOf(fields, name), text] as const)
    .filter(([name]) => fields.some((field) => field.name === name) && !(name in layout));
  const said = Object.fromEntries(job.map(([name]) => [name, inputs[name]]));
  const without = engine.resolve_inputs({
    calculation,
    inputs: { ...said, batch_size: row.batch_size },
  }) as Record<string, { value: unknown } | undefined>;
  const differs = Object.entries(layout).filter(
    ([name, value]) => name === "batch_size" || without[name]?.value !== value,
  );
  const words = [...job, ...differs].map(([name, value]) => `${shortOf(name)}=${quoted(String(value))}`);
  return ["commcost", launch.none ? calculation : "export", ...words].join(" ");
}
