import type { Engine, FieldDescription } from "#engine";
import { publishedIn, servingPrecisionFields, servingPrecisions } from "../state/precision.js";
import { presetNamed } from "../state/presets.js";
import { withoutSign } from "../state/serving.js";
import { gradientsIn } from "../state/step.js";

/**
 * What an answer is about, and what was assumed because it was not given: the first line of every answer about a
 * machine.
 */

type Inputs = Readonly<Record<string, unknown>>;
type Row = { id: string; name: string };

const nameIn = (rows: readonly Row[], id: unknown): string => rows.find((row) => row.id === id)?.name ?? String(id);

/** The accelerator and the stack that inputs lead to, given or assumed. */
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
 * "BF16 (assumed; published in FP8: weight_bytes_per_element=1 matmul_precision=fp8)", for a server whose precision was
 * not given.
 */
function weightsAssumed(engine: Engine, has: (field: string) => boolean, inputs: Inputs): string | undefined {
  if (
    !has("weight_bytes_per_element") ||
    servingPrecisionFields.some((name) => inputs[withoutSign(name)] !== undefined)
  )
    return undefined;
  const [usual] = servingPrecisions;
  const model = presetNamed({ engine }, "model", String(inputs.model));
  const published = publishedIn(engine.model_catalog().models.find(({ id }) => id === model?.id));
  const typed = Object.entries(published.fields).filter(([name, value]) => value !== usual!.fields[name]);
  if (typed.length === 0) return undefined;
  return `${usual!.name} (assumed; published in ${published.name}: ${typed.map(([name, value]) => `${withoutSign(name)}=${value}`).join(" ")})`;
}

/** "gradients in BF16", for a training step whose inputs set or imply it. */
function gradientsOf(engine: Engine, calculation: string, inputs: Inputs): string | undefined {
  const resolved = engine.resolve_inputs({ calculation, inputs }) as Readonly<Record<string, { value: unknown }>>;
  const bytes = resolved["gradient_bytes_per_element"]?.value;
  return typeof bytes === "number" ? gradientsIn(bytes) : undefined;
}

/**
 * "Llama 3.1 70B · 64 GPUs · DGX H100 · Megatron-Core (assumed; recipe=… changes it) · gradients in BF16"; nothing where no
 * machine is priced. What `varied` names has a value in each row instead.
 */
export function subjectOf(
  engine: Engine,
  calculation: string,
  inputs: Inputs,
  varied: ReadonlySet<string> = new Set(),
): string | undefined {
  const { inputs: fields } = engine.describe()[calculation]!;
  const has = (field: string) => fields.some((one) => one.name === field);
  if (!has("accelerator")) return undefined;
  const { accelerator, recipe } = assumedOf(engine, fields, inputs);
  const { accelerators, systems } = engine.hardware_catalog();
  const parts: string[] = [];
  if (inputs.model !== undefined && !varied.has("model"))
    parts.push(presetNamed({ engine }, "model", String(inputs.model))?.name ?? String(inputs.model));
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
  const weights = varied.has("model") ? undefined : weightsAssumed(engine, has, inputs);
  if (weights) parts.push(weights);
  const gradients = varied.size === 0 && gradientsOf(engine, calculation, inputs);
  if (gradients) parts.push(gradients);
  return parts.join(" · ");
}
