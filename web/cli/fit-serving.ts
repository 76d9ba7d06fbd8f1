import type { Engine, FitServingResults, Problem, ServingLoadResults } from "#engine";
import { basename } from "node:path";
import { change, ms, significant } from "../state/format.js";
import type { OwnLoad } from "../state/own.js";
import {
  benchmarkInWords,
  catalogModel,
  type Compared,
  type Degrees,
  loadInputs,
  measuredInputs,
  middleOf,
  mostSequences,
} from "../state/own-benchmark.js";
import { groupsOf } from "../state/served-groups.js";
import { readFile } from "../state/reader/read-file.js";
import { isRefusal } from "../state/run.js";
import { serversInWords, type Row } from "../views/serve/answer.js";
import { benchmarkLead, fitLead, loadInWords } from "../views/serve/benchmark-sentences.js";
import { type FromFile, inputsOf, type Typed } from "./arguments.js";
import { openFile } from "./open-file.js";

const malformed = (name: string, message: string): Problem => ({
  field: "benchmark",
  code: "malformed",
  message: `${name}: ${message}`,
  allowed: "the JSON of vllm bench serve, SGLang’s bench_serving, GenAI-Perf or GuideLLM",
});

/** The result for a benchmark, as `--json` prints it. */
interface Found {
  loads: readonly OwnLoad[];
  predicted: readonly (ServingLoadResults | undefined)[];
  fit: FitServingResults;
}

/** The files: words behind the command, and `benchmark=@FILE`. */
const filesOf = ({ words, values }: Typed): string[] => {
  const named = values.get("benchmark");
  return [...words, ...(named === undefined ? [] : [named.replace(/^@/, "")])];
};

export const takesFiles = (typed: Typed): boolean => filesOf(typed).length > 0;

async function loadsOf(engine: Engine, paths: readonly string[], problems: Problem[]): Promise<OwnLoad[]> {
  const loads: OwnLoad[] = [];
  for (const path of paths) {
    const name = basename(path);
    try {
      const reading = await readFile(await openFile(path), engine, () => {});
      if (reading.kind !== "benchmark")
        throw new Error("not a server benchmark; give the JSON of vllm bench serve, SGLang, GenAI-Perf or GuideLLM");
      loads.push(...reading.benchmark.runs);
      problems.push(
        ...reading.benchmark.problems.map(({ line, message }) => malformed(name, `line ${line}: ${message}`)),
      );
    } catch (error) {
      problems.push(
        ...(isRefusal(error)
          ? error.problems.map(({ message }) => malformed(name, message))
          : [malformed(name, (error as Error).message)]),
      );
    }
  }
  return loads;
}

/** "TPOT 20.1 ms measured, 18 ms predicted (−10 %)"; nothing where it was not measured. */
function against(name: string, measured: number, predicted: number | undefined): string[] {
  if (!(measured > 0)) return [];
  const said = predicted ? `, ${ms(predicted)} predicted (${change(100 * (predicted / measured - 1))})` : "";
  return [`${name} ${ms(measured)} measured${said}`];
}

function shown({ loads, predicted, fit }: Found, compared: readonly Compared[], row: Row, assumed: boolean): string {
  const rows = loads.map((load, at) => {
    const found = predicted[at];
    const said = [
      ...against("median TPOT", middleOf(load.token), found?.token.p50_ms),
      ...against("median TTFT", middleOf(load.first_token), found?.first_token.p50_ms),
    ];
    return `  ${loadInWords(load)}: ${said.join("; ") || "no time in it"}`;
  });
  const moved = fit.changes.map(
    ({ field, before, after }) => `  ${field}=${significant(after, 4)} (${significant(before, 4)} as it is)`,
  );
  const parts = [
    [
      `${benchmarkInWords(loads).replace(/^a/, "A")}, on ${serversInWords(row)}${assumed ? " (assumed; tp=… changes it)" : ""}`,
      ...rows,
    ],
    [benchmarkLead(compared, serversInWords(row))],
    [fitLead(fit), ...moved],
    ...(moved.length > 0
      ? [["Give these to serving_step, serving_load and plan_serving to calculate with them."]]
      : []),
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/**
 * `commcost fit-serving bench.json model=… tensor_parallel=…`: a benchmark next to the prediction, and what it
 * calibrates.
 */
export async function fitBenchmark(
  engine: Engine,
  typed: Typed,
  fromFile: FromFile,
): Promise<{ problems: Problem[] } | { found: Found; text: string }> {
  const files = filesOf(typed);
  const values = new Map([...typed.values].filter(([name]) => name !== "benchmark"));
  const fields = engine.describe()["fit_serving"]!.inputs.filter(({ name }) => name !== "loads");
  const { inputs: given, problems } = inputsOf(fields, { ...typed, values, words: [] }, fromFile);
  const loads = await loadsOf(engine, files, problems);
  if (problems.length > 0 || loads.length === 0) return { problems };
  // The model that it names, unless another was given.
  const named = "model" in given || "num_layers" in given ? undefined : catalogModel({ engine }, loads[0]!.model);
  const inputs = {
    batch_size: mostSequences,
    length_spread_percent: 0,
    ...(named ? { model: named } : {}),
    ...given,
  };
  const one = (name: keyof Degrees) => ((given as Record<string, unknown>)[name] as number | undefined) ?? 1;
  const degrees: Degrees = {
    tensor_parallel: one("tensor_parallel"),
    pipeline_parallel: one("pipeline_parallel"),
    data_parallel: groupsOf(engine, inputs)?.data_parallel ?? 1,
    expert_parallel: one("expert_parallel"),
    replicas: one("replicas"),
  };
  try {
    const load = engine.serving_load as unknown as (inputs: unknown) => ServingLoadResults;
    const predicted = loads.map((measured) => load({ ...inputs, ...loadInputs(measured, degrees) }));
    const calibrate = engine.fit_serving as unknown as (inputs: unknown) => FitServingResults;
    const fit = calibrate({ ...inputs, loads: loads.map((measured) => measuredInputs(measured, degrees)) });
    const found = { loads, predicted, fit };
    const compared = loads.map((measured, at) => ({ load: measured, predicted: predicted[at] }));
    return { found, text: shown(found, compared, degrees as Row, !("tensor_parallel" in given)) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { problems: [...error.problems] };
  }
}
