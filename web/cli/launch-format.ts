import type { Engine } from "#engine";

/** Which export writes the launch of a recipe’s stack, and the input that names the stack there. */
export function launchExport(engine: Engine, recipe: string | undefined) {
  const stack = engine.recipe_catalog().recipes.find(({ id }) => id === recipe);
  const serves = stack?.use === "serving";
  const name = serves ? "export_deployment" : "export_layout";
  const { inputs } = engine.describe()[name]!;
  const fieldOf = (wanted: string) => inputs.find((field) => field.name === wanted)!;
  const format = fieldOf(serves ? "server" : "format");
  const own = stack?.id.replaceAll("-", "_") ?? "";
  const has = format.choices!.includes(own);
  // What is assumed where nothing is said has the launch that is written then.
  const none = stack !== undefined && !has && stack.id !== fieldOf("recipe").default;
  return { name, inputs, format, stack, own: has ? own : undefined, none } as const;
}
