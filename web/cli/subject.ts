import type { CalculationDescription, Engine } from "#engine";

/** What an answer is of, and what was assumed because it was not given: the first line of every answer about a machine. */

type Inputs = Readonly<Record<string, unknown>>;
type Row = { id: string; name: string };

const nameIn = (rows: readonly Row[], id: unknown): string => rows.find((row) => row.id === id)?.name ?? String(id);

/**
 * "Llama 3.1 70B · 64 GPUs · DGX H100 · Megatron-Core (assumed; recipe=… changes it)"; nothing where no machine is priced.
 * What `varied` names has a value in each row instead.
 */
export function subjectOf(
  engine: Engine,
  name: string,
  { inputs: fields }: CalculationDescription,
  inputs: Inputs,
  varied: ReadonlySet<string> = new Set(),
): string | undefined {
  const has = (field: string) => fields.some((one) => one.name === field);
  if (!has("accelerator")) return undefined;
  const resolved = engine.resolve_inputs({ calculation: name, inputs }) as Record<
    string,
    { value: unknown; from: string } | undefined
  >;
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
    const { value, from } = resolved.accelerator ?? {
      value: fields.find((one) => one.name === "accelerator")!.default,
    };
    const other = has("system") ? "system=… or accelerator=… changes it" : "accelerator=… changes it";
    parts.push(`${nameIn(accelerators, value)}${from === "given" ? "" : ` (assumed; ${other})`}`);
  }
  if (has("recipe") && !varied.has("recipe")) {
    const recipe = inputs.recipe ?? fields.find((one) => one.name === "recipe")!.default;
    const given = inputs.recipe !== undefined;
    if (recipe)
      parts.push(`${nameIn(engine.recipe_catalog().recipes, recipe)}${given ? "" : " (assumed; recipe=… changes it)"}`);
  }
  return parts.join(" · ");
}
