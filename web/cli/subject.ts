import type { Engine, FieldDescription } from "#engine";
import { milliseconds } from "../state/format.js";
import { gpus } from "../state/plan-sentences.js";
import { publishedIn, servingPrecisionFields, servingPrecisions } from "../state/precision.js";
import { presetNamed } from "../state/presets.js";
import { withoutSign } from "../state/serving.js";
import { shortOf } from "../state/short-names.js";
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

/** The system and the accelerator of a machine, where they are given or, without a system, assumed. */
export function machineOf(engine: Engine, fields: readonly FieldDescription[], inputs: Inputs): string[] {
  const { accelerators, systems } = engine.hardware_catalog();
  const { accelerator } = assumedOf(engine, fields, inputs);
  return [
    ...(inputs.system === undefined ? [] : [nameIn(systems, inputs.system)]),
    ...(inputs.system === undefined || inputs.accelerator !== undefined ? [nameIn(accelerators, accelerator)] : []),
  ];
}

/** The question behind an answer. */
export interface Asked {
  engine: Engine;
  inputs: Inputs;
  /** The software's name. */
  stack: string;
}

/** That question, for the headline. */
export function askedOf(engine: Engine, calculation: string, inputs: Inputs): Asked {
  const { recipe } = assumedOf(engine, engine.describe()[calculation]!.inputs, inputs);
  return { engine, inputs, stack: nameIn(engine.recipe_catalog().recipes, recipe) };
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

/** The work of a server, in words. */
const work: readonly { field: string; words: (value: number) => string }[] = [
  { field: "cluster_gpus", words: gpus },
  { field: "prompt_tokens", words: (tokens) => `ISL ${tokens}` },
  { field: "output_tokens", words: (tokens) => `OSL ${tokens}` },
  { field: "most_token_ms", words: (ms) => limit("TPOT", ms) },
  { field: "most_first_token_ms", words: (ms) => limit("TTFT", ms) },
];
const limit = (name: string, ms: number): string => (ms > 0 ? `${name} up to ${milliseconds(ms, 3)}` : `any ${name}`);

/** "ISL 2048", "8 GPUs, OSL 256, TPOT up to 50 ms (assumed; gpus=… osl=… tpot=… change it)": the work of a server. */
function workOf(fields: readonly FieldDescription[], inputs: Inputs, varied: ReadonlySet<string>): string[] {
  if (!fields.some(({ name }) => name === "prompt_tokens")) return [];
  const asked = work.flatMap(({ field, words }) => {
    const usual = fields.find(({ name }) => name === field);
    if (!usual || varied.has(field)) return [];
    const given = inputs[field] !== undefined;
    const value = inputs[field] ?? usual.default;
    // The GPUs that were given come first.
    if (typeof value !== "number" || (given && field === "cluster_gpus")) return [];
    return [{ given, typed: shortOf(field), words: words(value) }];
  });
  const given = asked.filter((one) => one.given);
  const assumed = asked.filter((one) => !one.given);
  const list = (some: typeof asked) => some.map(({ words }) => words).join(", ");
  const typed = assumed.map((one) => `${one.typed}=…`).join(" ");
  return [
    ...(given.length > 0 ? [list(given)] : []),
    ...(assumed.length > 0
      ? [`${list(assumed)} (assumed; ${typed} ${assumed.length > 1 ? "change them" : "changes it"})`]
      : []),
  ];
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
    if (typeof inputs[field] === "number" && !varied.has(field)) parts.push(gpus(inputs[field]));
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
  parts.push(...workOf(fields, inputs, varied));
  const weights = varied.has("model") ? undefined : weightsAssumed(engine, has, inputs);
  if (weights) parts.push(weights);
  const gradients = varied.size === 0 && gradientsOf(engine, calculation, inputs);
  if (gradients) parts.push(gradients);
  return parts.join(" · ");
}
