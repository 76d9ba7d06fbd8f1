import type { Engine, Problem } from "#engine";
import { basename } from "node:path";
import { collectiveLog, diagnosed, type Measured } from "../state/diagnosis/request.js";
import {
  conclusionOf,
  confidenceWords,
  evidenceOf,
  headlineOf,
  missingOf,
  networkOf,
  partOf,
  underOf,
  unexplainedOf,
} from "../state/diagnosis/words.js";
import { gpusOf, memorySummary } from "../state/held-memory.js";
import type { DeviceProfile, HeldMemory } from "../state/own.js";
import { timesOf } from "../state/own-runs.js";
import { milliseconds, ms, percent, significant } from "../state/format.js";
import { readFile } from "../state/reader/read-file.js";
import { isRefusal } from "../state/run.js";
import type { Typed } from "./arguments.js";
import { inputsOf, type FromFile } from "./arguments.js";
import { openFile } from "./open-file.js";

type Found = ReturnType<Engine["diagnose"]>;

/** The contents of a run's files, and what they say about its job. */
interface Read {
  measured: Measured & { devices: DeviceProfile[]; logs: NonNullable<ReturnType<typeof collectiveLog>>[] };
  memory: HeldMemory[];
  job: Record<string, unknown>;
  says: string[];
  problems: Problem[];
}

const unread = (name: string, message: string): Problem => ({
  field: name,
  code: "malformed",
  message: `${name}: ${message}`,
  allowed: "a profile, a memory snapshot, a training log, an nccl-tests log, samples of nvidia-smi, or a launch",
});

async function readOne(engine: Engine, path: string, read: Read): Promise<void> {
  const name = basename(path);
  const reading = await readFile(await openFile(path), engine, () => {});
  const { measured, says } = read;
  switch (reading.kind) {
    case "runs":
      measured.step_times_ms = timesOf(reading.log);
      Object.assign(read.job, { recipe: reading.log.recipe }, reading.log.inputs);
      says.push(
        `${name}: a training log of ${reading.log.stack}, ${reading.log.steps.length} steps${
          reading.log.not_found.length > 0 ? `; it does not say ${reading.log.not_found.join(", ")}` : ""
        }`,
      );
      return;
    case "trace":
      measured.devices.push(...reading.devices);
      read.memory.push(...reading.devices.flatMap(({ device, memory }) => (memory ? [{ device, memory }] : [])));
      says.push(
        `${name}: a profile of rank ${reading.devices.map(({ device }) => device).join(", ")}, ${reading.steps} steps. ${reading.missing}`.trim(),
      );
      return;
    case "memory":
      read.memory.push(...reading.devices);
      says.push(`${name}: a memory snapshot of ${gpusOf(reading.devices)}`);
      return;
    case "log": {
      const log = collectiveLog(engine, reading.text);
      if (!log) throw new Error("this nccl-tests log has too few sizes to compare");
      measured.logs.push(log);
      says.push(
        log.collective && log.ranks > 1
          ? `${name}: nccl-tests, ${log.collective} on ${log.ranks} GPUs. ${conclusionOf(log.conclusion)}`.trim()
          : `${name}: nccl-tests, left out: it says neither its collective nor its number of GPUs. Keep the lines that nccl-tests prints first.`,
      );
      return;
    }
    case "samples":
      measured.gpus = [...reading.samples.gpus];
      says.push(`${name}: nvidia-smi, ${reading.samples.gpus.length} GPUs`);
      return;
    case "launch":
      Object.assign(
        read.job,
        reading.launch.inputs as object,
        reading.launch.model ? { model: reading.launch.model } : {},
      );
      says.push(`${name}: a launch of ${reading.launch.name}, ${reading.launch.found.length} inputs`);
      return;
    case "config": {
      const fields = new Set(engine.describe()["diagnose"]!.inputs.map((field) => field.name));
      const { model, ...shape } = reading.config;
      Object.assign(
        read.job,
        model ? { model } : Object.fromEntries(Object.entries(shape).filter(([field]) => fields.has(field))),
      );
      says.push(`${name}: a model, ${reading.config.model_type}`);
      return;
    }
    case "benchmark":
      throw new Error("a server’s benchmark says nothing of a training run: commcost read-benchmark benchmark=@FILE");
    case "calibration":
      throw new Error("a calibration says nothing of a run");
  }
}

async function readAll(engine: Engine, paths: readonly string[]): Promise<Read> {
  const read: Read = { measured: { devices: [], logs: [] }, memory: [], job: {}, says: [], problems: [] };
  for (const path of paths) {
    try {
      await readOne(engine, path, read);
    } catch (error) {
      const said = isRefusal(error) ? error.problems.map(({ message }) => message).join(" ") : (error as Error).message;
      read.problems.push(unread(basename(path), said));
    }
  }
  return read;
}

const bar = (share: number, width = 30): string => "█".repeat(Math.max(0, Math.min(width, Math.round(share * width))));

/** The waterfall, a line each: what it is, how long, a bar, and what share. */
function waterfall(found: Found): string[] {
  const { measured_ms, expected_ms, losses, unexplained_ms } = found;
  const rows: [string, number][] = [
    ["expected", expected_ms],
    ...losses.map(({ title, loss_ms }): [string, number] => [title, loss_ms]),
    ["unexplained", unexplained_ms],
    ["measured", measured_ms],
  ];
  const most = Math.max(...rows.map(([title]) => title.length));
  return rows.map(
    ([title, ms]) =>
      `  ${title.padEnd(most)}  ${(ms < 0 ? "-" : "") + milliseconds(Math.abs(ms), 3)}`.padEnd(most + 16) +
      ` ${bar(Math.abs(ms) / measured_ms)} ${percent((100 * ms) / measured_ms, 2)}`,
  );
}

/** What was allocated, against what the job is predicted to need; nothing where no file says. */
function memoryOf(
  engine: Engine,
  asked: Record<string, unknown>,
  { memory, ofJob }: Pick<Read, "memory"> & { ofJob: boolean },
) {
  if (memory.length === 0) return [];
  const names = new Set(engine.describe()["training_step"]!.inputs.map(({ name }) => name));
  const step = Object.fromEntries(Object.entries(asked).filter(([name]) => names.has(name)));
  const needs = engine.training_step as unknown as (inputs: unknown) => ReturnType<Engine["training_step"]>;
  return [memorySummary(memory, ofJob ? needs(step) : undefined)];
}

/** The diagnosis as text. */
function shown(found: Found, says: readonly string[], memory: readonly string[]): string {
  const onlyMemory = memory.length > 0 && found.verdict === "nothing_measured" && found.networks.length === 0;
  const headline = onlyMemory ? [] : [headlineOf(found), underOf(found)].filter(Boolean);
  const parts: string[][] = [[...says], headline, [...memory]];
  if (found.verdict !== "nothing_measured") {
    parts.push(waterfall(found));
    for (const [at, loss] of found.losses.entries())
      parts.push([
        `${at + 1}. ${loss.title}: ${ms(loss.loss_ms)}, ${confidenceWords[loss.confidence]}`,
        `   ${evidenceOf(loss, found)}`,
        `   To make sure: ${loss.command}`,
      ]);
    parts.push([unexplainedOf(found)]);
  }
  for (const one of found.networks)
    parts.push([networkOf(one), ...(one.command ? [`   To make sure: ${one.command}`] : [])]);
  for (const part of found.parts) parts.push([`${part.field}=${significant(part.value, 4)}: ${partOf(part)}`]);
  if (found.missing.length > 0) parts.push(["Would tell more:", ...missingOf(found).map((line) => `  ${line}`)]);
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** The problem if no file has anything to compare: what each file is, and what would help. */
const incomparable = (says: readonly string[]): Problem => ({
  field: "",
  code: "missing",
  message: [
    ...says,
    "Nothing to compare: none of these files has a step’s time. Add a training log or a PyTorch profile.",
  ].join("\n"),
  allowed: "",
});

/** The job to ask about if none was measured. */
const anyJob = { model: "llama-3.1-8b", sequence_length: 4096, batch_size: 1 };

/** `commcost diagnose run.log trace.json … name=value`: what the files hold, and what they say about their job. */
export async function diagnoseFiles(
  engine: Engine,
  typed: Typed,
  fromFile: FromFile,
): Promise<{ problems: Problem[] } | { found: Found; text: string }> {
  const { inputs, problems } = inputsOf(engine.describe()["diagnose"]!.inputs, { ...typed, words: [] }, fromFile);
  const read = await readAll(engine, typed.words);
  const wrong = [...problems, ...read.problems];
  if (wrong.length > 0) return { problems: wrong };
  const degrees = Object.keys(inputs).some((name) => name.endsWith("_parallel"));
  if (degrees && !("cluster_gpus" in inputs)) delete read.job["cluster_gpus"];
  const { step_times_ms = [], devices, logs } = read.measured;
  // A verdict on networks is about the machine: it does not depend on the job.
  const ofNetwork = logs.length + read.memory.length > 0 && step_times_ms.length + devices.length === 0;
  const job = { ...read.job, ...inputs };
  const asked = diagnosed({ ...(ofNetwork ? anyJob : {}), ...job }, read.measured);
  const diagnose = engine.diagnose as unknown as (inputs: unknown) => Found;
  try {
    const found = diagnose(asked);
    if (found.verdict === "nothing_measured" && found.networks.length + read.memory.length === 0)
      return { problems: [incomparable(read.says)] };
    // Memory belongs to the job: for another one there is nothing to compare with.
    const ofJob = "model" in job || "hidden_size" in job;
    return { found, text: shown(found, read.says, memoryOf(engine, asked, { memory: read.memory, ofJob })) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { problems: [...error.problems] };
  }
}
