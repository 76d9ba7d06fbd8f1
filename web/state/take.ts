import type { ReadBenchmarkResults } from "#engine";
import { apply, keep } from "./calibration.js";
import { choose } from "./chosen.js";
import { own, type ListedKind } from "./own.js";
import { addLoads, benchmarkInWords, catalogModel } from "./own-benchmark.js";
import { gpusOf } from "./held-memory.js";
import { addRuns, runOf } from "./own-runs.js";
import type { Reading } from "./reader/read-file.js";
import type { Session } from "./session.js";
import { changeFiles, takeLaunch } from "./take-job.js";
import { trained } from "./trained.js";

/** The outcome for a file: a sentence, and the file in its place among the reader's own data. */
export interface Taken {
  says: string;
  kind: ListedKind | undefined;
  /** The view that shows it, if that is not its kind's. */
  view?: string;
}

function takeConfig(scenario: Session, name: string, config: Extract<Reading, { kind: "config" }>["config"]): string {
  const { model, model_type, remarks, ...rest } = config;
  const fields = Object.entries(rest).filter(([field]) => scenario.fields.has(field));
  const said = Object.fromEntries(fields.map(([field, value]) => [field, String(value)]));
  if (model) choose(scenario, "model", model);
  // A model of the catalog does not say how this checkpoint is kept.
  const kept = Object.fromEntries(Object.entries(said).filter(([field]) => field.endsWith("_bytes_per_element")));
  const left_out = remarks.flatMap((remark) => remark.left_out || []).join(",");
  scenario.set({ ...(model ? kept : { model: "", ...said }), left_out });
  own.set("config", { name, model_type });
  // What is left out stays visible, as long as the model does.
  const guessed = remarks.filter((remark) => remark.left_out === "");
  return [`${name} is the model now.`, ...guessed.map(({ key, says }) => `${key}: ${says}.`)].join(" ");
}

/** The model that a benchmark names becomes the scenario's, if it is in the catalog. */
function takeBenchmark(scenario: Session, name: string, benchmark: ReadBenchmarkResults): string {
  const model = catalogModel(scenario, benchmark.runs[0]!.model);
  if (model && model !== scenario.text("model")) choose(scenario, "model", model);
  return [
    `${name} is read as ${benchmarkInWords(benchmark.runs)}.`,
    ...benchmark.problems.map(({ line, message }) => `Line ${line}: ${message}.`),
  ].join(" ");
}

/** Puts a file's content in its place: the scenario, or the reader's own data. */
export function take(scenario: Session, name: string, reading: Reading): Taken {
  switch (reading.kind) {
    case "calibration":
      keep(reading.calibration);
      apply(scenario, reading.calibration);
      return { says: `“${reading.calibration.name}” is in force.`, kind: undefined };
    case "config":
      return { says: takeConfig(scenario, name, reading.config), kind: "config" };
    case "launch":
      return {
        says: takeLaunch(scenario, name, reading.launch),
        kind: "launch",
        view: reading.launch.serves ? "serve" : "plan",
      };
    case "runs": {
      const { runs, says } = runOf(scenario.alone ? scenario : trained(scenario), name, reading.log);
      changeFiles(scenario, () => addRuns(runs), runs[0]!.says);
      return { says, kind: "runs" };
    }
    case "trace": {
      const { steps, devices, missing } = reading;
      // Profiles of other ranks stay; one of the same rank replaces the earlier one.
      const held = own.get("trace");
      const others = held?.devices.filter(({ device }) => devices.every((one) => one.device !== device)) ?? [];
      const all = [...others, ...devices].sort((one, other) => one.device - other.device);
      own.set("trace", { name: others.length > 0 ? `${all.length} GPUs` : name, steps, devices: all, missing });
      const ranks = devices.map(({ device }) => device).join(", ");
      return {
        says: `${name} is read as a profile of rank ${ranks}, ${steps} ${steps === 1 ? "step" : "steps"}.`,
        kind: "trace",
      };
    }
    case "memory": {
      const held = own.get("memory")?.devices ?? [];
      const others = held.filter(({ device }) => reading.devices.every((one) => one.device !== device));
      const devices = [...others, ...reading.devices].sort((one, other) => one.device - other.device);
      own.set("memory", { name: others.length > 0 ? `${devices.length} GPUs` : name, devices });
      return { says: `${name} is read as a memory snapshot of ${gpusOf(reading.devices)}.`, kind: "memory" };
    }
    case "log": {
      const held = own.get("log");
      const others = held ? [{ name: held.name, text: held.text }, ...(held.others ?? [])] : [];
      own.set("log", {
        name,
        text: reading.text,
        others: others.filter(({ text }) => text !== reading.text).slice(0, 7),
      });
      return { says: `${name} is read as a log of nccl-tests.`, kind: "log" };
    }
    case "benchmark": {
      addLoads(name, reading.benchmark.runs);
      return { says: takeBenchmark(scenario, name, reading.benchmark), kind: "benchmark" };
    }
    case "samples":
      own.set("samples", { name, gpus: reading.samples.gpus });
      return {
        says: `${name} is read as nvidia-smi’s samples of ${reading.samples.gpus.length} GPUs.`,
        kind: "samples",
      };
  }
}
