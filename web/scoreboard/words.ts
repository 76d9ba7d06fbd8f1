import type { Run, Served, Timed } from "./runs.js";
import { dashed } from "../state/format.js";

/** Runs, stacks and machines in words. */

const families: readonly [RegExp, string][] = [
  [/^llama/, "Llama "],
  [/^gpt-oss/, "gpt-oss"],
  [/^gpt-?/, "GPT-"],
  [/^deepseek/, "DeepSeek"],
  [/^mixtral/, "Mixtral"],
  [/^nemotron/, "Nemotron "],
  [/^qwen/, "Qwen"],
  [/^grok/, "Grok-"],
  [/^gemma/, "Gemma "],
  [/^kimi/, "Kimi"],
  [/^mpt/, "MPT"],
  [/^bloom-probe/, "BLOOM study"],
  [/^maxtext/, "MaxText"],
];

/** "llama3.1-70b" → "Llama 3.1 70B"; where a run has no name, what it is made of. */
export function modelName({ model, parameters_billion, num_layers }: Run): string {
  const size = parameters_billion >= 10 ? Math.round(parameters_billion) : Number(parameters_billion.toPrecision(2));
  if (!model || model === "model") return `GPT of ${size}B, ${num_layers} layers`;
  const family = families.find(([pattern]) => pattern.test(model));
  const name = family ? model.replace(family[0], family[1]) : model;
  return name
    .replaceAll("-", " ")
    .replace(/^gpt oss/, "gpt-oss")
    .replace(/^(GPT|Grok) /, "$1-")
    .replace(/(\d)([bm])\b/gi, (_, digit: string, unit: string) => `${digit}${unit.toUpperCase()}`)
    .replace(/\ba(\d+B)/, "A$1")
    .replace(/\b(v3|k2)\b/i, (text) => text.toUpperCase())
    .replace(/\s+/g, " ")
    .trim();
}

/** "h100-sxm" → "H100"; "a100-sxm-80gb" → "A100 80 GB". */
export function acceleratorName(id: string): string {
  const [chip = id, ...rest] = id.split("-");
  if (chip === "tpu") return `TPU ${rest.join("-")}`;
  const memory = rest.find((part) => /^\d+gb$/.test(part));
  const die = rest.includes("gcd") ? " die" : "";
  return `${chip.toUpperCase()}${memory ? ` ${memory.replace("gb", " GB")}` : ""}${die}`;
}

const degrees: readonly [keyof Run, string][] = [
  ["tensor_parallel", "TP"],
  ["pipeline_parallel", "PP"],
  ["context_parallel", "CP"],
  ["expert_parallel", "EP"],
];

/** "Llama 3.1 70B, 64 × H100, TP 4, PP 2". */
export function runName(run: Run): string {
  const gpus = `${run.num_gpus.toLocaleString("en")} × ${acceleratorName(run.accelerator)}`;
  const split = degrees.filter(([name]) => (run[name] as number) > 1).map(([name, sign]) => `${sign} ${run[name]}`);
  return [modelName(run), gpus, ...split].join(", ");
}

const recipes: Readonly<Record<string, string>> = {
  "megatron-core": "Megatron-Core",
  "megatron-2021": "Megatron-LM of 2021",
  nanotron: "nanotron",
  fsdp: "PyTorch FSDP",
  torchtitan: "torchtitan",
  deepspeed: "DeepSpeed",
  maxtext: "MaxText",
  vllm: "vLLM",
  "tensorrt-llm": "TensorRT-LLM",
  "faster-transformer": "FasterTransformer",
};
const generations: Readonly<Record<string, string>> = {
  volta: "V100",
  ampere: "A100",
  hopper: "Hopper",
  blackwell: "Blackwell",
  tpu: "TPU",
  amd: "AMD",
  other: "older GPUs",
};

const kinds: Readonly<Record<string, string>> = { experts: ", experts", staged: ", stages that stall" };

const ofStack = (recipe: string, generation: string): string =>
  `${recipes[recipe] ?? recipe}, ${generations[generation] ?? generation}`;

/** What runs are judged with: the same stack on the same generation, of one kind. */
export const classOf = ({ recipe, generation, kind }: Pick<Run, "recipe" | "generation" | "kind">): string =>
  `${ofStack(recipe, generation)}${kinds[kind] ?? ""}`;

/** A server is judged with those of its stack on its generation. */
export const stackOf = ({ recipe, generation }: Pick<Served, "recipe" | "generation">): string =>
  ofStack(recipe, generation);

const timed = { token: "a token", prompt: "a prompt", request: "a request" } as const;

/** "a token, Llama-3.1-70B, 4 × H200, TP 4". */
export function servedName({ measured, model, accelerator, tensor_parallel, pipeline_parallel }: Served): string {
  const gpus = tensor_parallel * pipeline_parallel;
  const split = [
    tensor_parallel > 1 ? `TP ${tensor_parallel}` : "",
    pipeline_parallel > 1 ? `PP ${pipeline_parallel}` : "",
  ];
  return [timed[measured], model, `${gpus} × ${acceleratorName(accelerator)}`, ...split].filter(Boolean).join(", ");
}

/** "all-reduce, 16 × H100, 2 nodes". */
export function timedName(row: Timed): string {
  const nodes = row.nodes > 1 ? `, ${row.nodes} nodes` : "";
  return `${dashed(row.collective)}, ${row.num_gpus} × ${acceleratorName(row.accelerator)}${nodes}`;
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
