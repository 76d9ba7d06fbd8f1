import type { Run, Served, Timed } from "./runs.js";
import { dashed } from "../state/format.js";

/** Runs, stacks and machines in words. */

type Named = readonly { readonly id: string; readonly name: string }[];

/** Names from the engine's catalogs, by id; models by the letters and digits of their names, as sources spell them. */
export interface Names {
  models: Readonly<Record<string, string>>;
  accelerators: Readonly<Record<string, string>>;
  generations: Readonly<Record<string, string>>;
  recipes: Readonly<Record<string, string>>;
}

/** The letters and digits of a model’s name, which sources write with and without dashes. */
export const spelt = (id: string) => id.toLowerCase().replace(/[^a-z0-9.]/g, "");
const byId = (rows: Named, key = (id: string) => id): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, name }) => [key(id), name]));

/** The names of an engine's catalogs. */
export function namesOf(engine: {
  model_catalog: () => { models: Named };
  hardware_catalog: () => { accelerators: Named; generations: Named };
  recipe_catalog: () => { recipes: Named };
}): Names {
  const { accelerators, generations } = engine.hardware_catalog();
  return {
    models: byId(engine.model_catalog().models, spelt),
    accelerators: byId(accelerators),
    generations: byId(generations),
    recipes: byId(engine.recipe_catalog().recipes),
  };
}

/** A model's name in the catalog, otherwise in its source; if a run has no name, what it is made of. */
export function modelName(
  { model, parameters_billion, num_layers }: Pick<Run, "model" | "parameters_billion" | "num_layers">,
  { models }: Names,
): string {
  if (model) return models[spelt(model)] ?? model;
  const size = parameters_billion >= 10 ? Math.round(parameters_billion) : Number(parameters_billion.toPrecision(2));
  return `GPT of ${size}B, ${num_layers} layers`;
}

const degrees: readonly [keyof Run, string][] = [
  ["tensor_parallel", "TP"],
  ["pipeline_parallel", "PP"],
  ["virtual_stages", "VPP"],
  ["context_parallel", "CP"],
  ["expert_parallel", "EP"],
];

/** "Llama 3.1 70B, BF16, 64 × H100 SXM, TP 4, PP 2, VPP 5", "Qwen3 30B-A3B, BF16, 16 × H100 SXM, EP 8, DeepEP". */
export function runName(run: Run, names: Names): string {
  const gpus = `${run.num_gpus.toLocaleString("en")} × ${names.accelerators[run.accelerator]}`;
  const split = degrees.filter(([name]) => (run[name] as number) > 1).map(([name, sign]) => `${sign} ${run[name]}`);
  const precision = run.precision.replace(/^\D.*/, (name) => name.toUpperCase());
  return [modelName(run, names), precision, gpus, ...split, run.dispatcher].filter(Boolean).join(", ");
}

const kinds: Readonly<Record<string, string>> = { experts: ", experts", staged: ", stages that stall" };

const ofStack = (recipe: string, generation: string, { recipes, generations }: Names): string =>
  `${recipes[recipe] ?? recipe}, ${generations[generation] ?? generation}`;

/** The group that runs are judged with: the same stack on the same generation, of one kind. */
export const classOf = (
  { recipe, generation, kind }: Pick<Run, "recipe" | "generation" | "kind">,
  names: Names,
): string => `${ofStack(recipe, generation, names)}${kinds[kind] ?? ""}`;

/** A server is judged with those of its stack on its generation. */
export const stackOf = ({ recipe, generation }: Pick<Served, "recipe" | "generation">, names: Names): string =>
  ofStack(recipe, generation, names);

const timed = { token: "a token", prompt: "a prompt", request: "a request" } as const;

/** "a token, Llama 3.1 70B, 4 × H200 SXM, TP 4". */
export function servedName(
  { measured, model, accelerator, tensor_parallel, pipeline_parallel }: Served,
  { models, accelerators }: Names,
): string {
  const gpus = tensor_parallel * pipeline_parallel;
  const split = [
    tensor_parallel > 1 ? `TP ${tensor_parallel}` : "",
    pipeline_parallel > 1 ? `PP ${pipeline_parallel}` : "",
  ];
  return [timed[measured], models[spelt(model)] ?? model, `${gpus} × ${accelerators[accelerator]}`, ...split]
    .filter(Boolean)
    .join(", ");
}

/** "all-reduce, 16 × H100 SXM, 2 nodes". */
export function timedName(row: Timed, { accelerators }: Names): string {
  const nodes = row.nodes > 1 ? `, ${row.nodes} nodes` : "";
  return `${dashed(row.collective)}, ${row.num_gpus} × ${accelerators[row.accelerator]}${nodes}`;
}

const places: Readonly<Record<string, string>> = {
  "one node": "one node",
  "several nodes": "several nodes",
  slingshot: "several nodes, Slingshot",
  racks: "racks of GB200, GB300",
};

export const placeOf = (row: Timed): string => places[row.class] ?? row.class;

/** Milliseconds as seconds, milliseconds or microseconds, three digits. */
export function timeText(ms: number): string {
  const [value, unit] = ms >= 1e3 ? [ms / 1e3, "s"] : ms >= 1 ? [ms, "ms"] : [ms * 1e3, "µs"];
  return `${Number(value.toPrecision(3)).toLocaleString("en")} ${unit}`;
}

/** "+4 %", "−12 %", of predicted over measured. */
export function errorText(ratio: number): string {
  const percent = 100 * (ratio - 1);
  const size = Math.abs(percent);
  const shown = size < 9.95 ? size.toFixed(1) : String(Math.round(size));
  return `${percent < 0 ? "−" : "+"}${shown} %`;
}
