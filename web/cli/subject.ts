import type { CalculationDescription, Engine, FieldDescription } from "#engine";

/** What an answer is of, and what was assumed because it was not given: the first line of every answer about a machine. */

type Inputs = Readonly<Record<string, unknown>>;
type Row = { id: string; name: string };

const nameIn = (rows: readonly Row[], id: unknown): string => rows.find((row) => row.id === id)?.name ?? String(id);

/** The accelerator and the stack that inputs come to, given or assumed. */
export function assumedOf(engine: Engine, fields: readonly FieldDescription[], inputs: Inputs) {
  const { accelerators, systems } = engine.hardware_catalog();
  const usual = (name: string) => fields.find((one) => one.name === name);
  const system = systems.find(({ id }) => id === inputs.system);
  const accelerator = inputs.accelerator ?? system?.accelerator ?? usual("accelerator")?.default;
  const stack = usual("recipe");
  const filled = accelerators.find(({ id }) => id === accelerator)?.fills as Inputs | undefined;
  return {
    accelerator,
    recipe: inputs.recipe ?? (stack?.filled_by === "accelerator" ? filled?.recipe : undefined) ?? stack?.default,
  };
}

/**
 * "Llama 3.1 70B · 64 GPUs · DGX H100 · Megatron-Core (assumed; recipe=… changes it)"; nothing where no machine is priced.
 * What `varied` names has a value in each row instead.
 */
export function subjectOf(
  engine: Engine,
  { inputs: fields }: CalculationDescription,
  inputs: Inputs,
  varied: ReadonlySet<string> = new Set(),
): string | undefined {
  const has = (field: string) => fields.some((one) => one.name === field);
  if (!has("accelerator")) return undefined;
  const { accelerator, recipe } = assumedOf(engine, fields, inputs);
  const { accelerators, systems } = engine.hardware_catalog();
  const parts: string[] = [];
  if (inputs.model !== undefined && !varied.has("model"))
    parts.push(nameIn(engine.model_catalog().models, inputs.model));
  for (const field of ["cluster_gpus", "num_gpus"])
    if (typeof inputs[field] === "number" && !varied.has(field))
      parts.push(`${inputs[field]} ${inputs[field] === 1 ? "GPU" : "GPUs"}`);
  const machineVaries = varied.has("system") || varied.has("accelerator");
  if (inputs.system !== undefined && !machineVaries) parts.push(nameIn(systems, inputs.system));
  if (!machineVaries && (inputs.accelerator !== undefined || inputs.system === undefined)) {
    const other = has("system") ? "system=… or accelerator=… changes it" : "accelerator=… changes it";
    parts.push(`${nameIn(accelerators, accelerator)}${inputs.accelerator === undefined ? ` (assumed; ${other})` : ""}`);
  }
  if (has("recipe") && !varied.has("recipe")) {
    const given = inputs.recipe !== undefined;
    if (recipe)
      parts.push(`${nameIn(engine.recipe_catalog().recipes, recipe)}${given ? "" : " (assumed; recipe=… changes it)"}`);
  }
  return parts.join(" · ");
}
