import type { FitServingResults, ServingLoadResults } from "#engine";
import { exact } from "./format.js";
import { own, type OwnFiles, type OwnLoad } from "./own.js";
import { isRefusal } from "./run.js";
import type { Scenario } from "./scenario.js";
import { servingName } from "./serving.js";

/**
 * Loads that a reader's benchmark put on a server, next to the predictions for the deployment that was measured. Once
 * applied, a fit to them consists of fields of the scenario: Serve is priced by them, links carry them, a change takes
 * them back.
 */

const tools: Record<OwnLoad["tool"], string> = {
  vllm: "vllm bench serve",
  sglang: "SGLang’s bench_serving",
  genai_perf: "GenAI-Perf",
  guidellm: "GuideLLM",
};

/** How many loads are kept: as many as a fit takes. */
const most = 32;

export const ownBenchmark = (): OwnFiles["benchmark"] | undefined => own.get("benchmark");

/** "a benchmark by GuideLLM: 3 loads of meta-llama/Llama-3.1-8B". */
export function benchmarkInWords(loads: readonly OwnLoad[]): string {
  const [first] = loads;
  return `a benchmark by ${tools[first!.tool]}: ${loads.length === 1 ? "one load" : `${exact(loads.length)} loads`}${first!.model ? ` of ${first!.model}` : ""}`;
}

const sameModel = (one: OwnLoad, other: OwnLoad): boolean => one.model === other.model;

/** Keeps loads together with earlier ones of the same model, each once. */
export function addLoads(name: string, loads: readonly OwnLoad[]): void {
  const held = ownBenchmark();
  const [first] = loads;
  const joins = held !== undefined && sameModel(held.loads[0]!, first!);
  const before = joins ? held.loads : [];
  const known = new Set(before.map((load) => JSON.stringify(load)));
  // The engine's answers create their members when they are read.
  const whole = loads.map((load) => JSON.parse(JSON.stringify(load)) as OwnLoad);
  const all = [...before, ...whole.filter((load) => !known.has(JSON.stringify(load)))].slice(-most);
  const files = joins && held.name !== name ? `${held.name.replace(/ and others$/, "")} and others` : name;
  own.set("benchmark", {
    name: files,
    loads: all,
    deployment: joins ? held.deployment : "",
    applied: held?.applied ?? [],
  });
}

/** The catalog's model with a hub name; nothing if there is none. */
export function catalogModel(scenario: Pick<Scenario, "engine">, name: string): string | undefined {
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return undefined;
  try {
    const { model } = scenario.engine.read_arguments({ arguments: `vllm serve ${name}` });
    return model || undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The degrees of a deployment, as rows of a plan have them. */
export interface Degrees {
  tensor_parallel: number;
  pipeline_parallel: number;
  data_parallel: number;
  expert_parallel: number;
  replicas: number;
}

/** The median, or the mean if a tool gives only that. */
export const middleOf = ({ p50_ms, mean_ms }: OwnLoad["token"]): number => p50_ms || mean_ms;

/** Requests played for a load that keeps coming: more change little. */
const enough = 2000;

/** The servers' default for sequences at once: the cache or the client limits them first. */
export const mostSequences = 1024;

/** A load as serving_load takes it. */
export function loadInputs(load: OwnLoad, { data_parallel, replicas }: Degrees): Record<string, number> {
  const each = Math.max(1, Math.ceil(load.completed / (data_parallel * replicas)));
  const atOnce = load.requests_per_sec === 0 && load.max_concurrency === 0;
  return {
    requests_per_sec: load.requests_per_sec,
    max_concurrency: load.max_concurrency,
    requests: Math.min(load.completed > 0 ? each : enough, atOnce ? 100_000 : enough),
    ...(load.prompt_tokens >= 1 && { prompt_tokens: Math.round(load.prompt_tokens) }),
    ...(load.output_tokens >= 1 && { output_tokens: Math.round(load.output_tokens) }),
  };
}

/** The inputs of serving_load for the deployment in this scenario, apart from the load. */
export function deployedInputs(scenario: Scenario, degrees: Degrees): Record<string, unknown> {
  const { values } = scenario.inputs("serving_load");
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas } = degrees;
  return {
    ...values,
    length_spread_percent: 0,
    batch_size: mostSequences,
    tensor_parallel,
    pipeline_parallel,
    expert_parallel,
    replicas,
  };
}

/** The same without what a fit has set: the recipe fills it in. */
export function unfittedInputs(inputs: Record<string, unknown>): Record<string, unknown> {
  const applied = ownBenchmark()?.applied ?? [];
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !applied.includes(servingName(name) ?? "")));
}

/** A load as fit_serving takes it. */
export const measuredInputs = (load: OwnLoad, degrees: Degrees): Record<string, number> => ({
  ...loadInputs(load, degrees),
  measured_token_ms: middleOf(load.token),
  measured_first_token_ms: middleOf(load.first_token),
});

/** A load with its prediction; nothing if it is refused. */
export interface Compared {
  load: OwnLoad;
  predicted: ServingLoadResults | undefined;
}

/** Puts a fit's changes in force, as one change. */
export function applyServingFit(scenario: Scenario, { fields }: FitServingResults): void {
  const texts = Object.fromEntries(
    Object.entries(fields as Record<string, number>).map(([name, value]) => [servingName(name)!, String(value)]),
  );
  const held = ownBenchmark()!;
  own.set("benchmark", { ...held, applied: Object.keys(texts) });
  scenario.change(
    texts,
    held.applied.filter((name) => !(name in texts)),
  );
}

/** Restores the server to its recipe. */
export function stopServingFit(scenario: Scenario): void {
  scenario.change({}, ownBenchmark()?.applied ?? []);
}

/** Whether the scenario's fields are those of the fit. */
export function servingFitInForce(scenario: Scenario, { fields }: FitServingResults): boolean {
  const set = Object.entries(fields as Record<string, number>);
  return set.length > 0 && set.every(([name, value]) => scenario.number(servingName(name)!) === value);
}
