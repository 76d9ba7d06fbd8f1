import type { Engine } from "#engine";
import { assumedOf } from "./subject.js";

/** Which export writes the launch of a job’s stack, given or assumed, and the input that names the stack there. */
export function launchExport(engine: Engine, job: Readonly<Record<string, unknown>>) {
  const { recipe } = assumedOf(engine, engine.describe()["export_layout"]!.inputs, job);
  const stack = engine.recipe_catalog().recipes.find(({ id }) => id === recipe);
  const serves = stack?.use === "serving";
  const name = serves ? "export_deployment" : "export_layout";
  const { inputs } = engine.describe()[name]!;
  const fieldOf = (wanted: string) => inputs.find((field) => field.name === wanted)!;
  const format = fieldOf(serves ? "server" : "format");
  const own = stack?.id.replaceAll("-", "_") ?? "";
  const has = format.choices!.includes(own);
  // Without a format, the usual stack's launch is the one written.
  const none = stack !== undefined && !has && stack.id !== fieldOf("recipe").default;
  return { name, inputs, format, stack, own: has ? own : undefined, none } as const;
}
