import type {
  Engine,
  ReadArgumentsResults,
  ReadBenchmarkResults,
  ReadGpuSamplesResults,
  ReadModelConfigResults,
  ReadTrainingLogResults,
} from "#engine";
import { imported, type Calibration } from "../calibration.js";
import type { DeviceProfile } from "../own.js";
import { readProfile, type Profile } from "./devices.js";
import { isRefusal } from "../run.js";
import { isBenchmark, isConfig, isGpuSamples, isLaunch, isTrace, LogKind } from "./kinds.js";
import { bytesOf, piecesOf, type Report, textOf } from "./pieces.js";
import { refusedConfig } from "./refused-config.js";
import { isPickle, readSnapshot, type Snapshot } from "./snapshot.js";

/** A file's kind and content, read as far as the engine can without a scenario. */
export type Reading =
  | { kind: "benchmark"; benchmark: ReadBenchmarkResults }
  | { kind: "calibration"; calibration: Calibration }
  | { kind: "config"; config: ReadModelConfigResults }
  | { kind: "launch"; launch: ReadArgumentsResults }
  | { kind: "runs"; log: ReadTrainingLogResults }
  | { kind: "log"; text: string }
  | { kind: "samples"; samples: ReadGpuSamplesResults }
  | ({ kind: "memory" } & Snapshot)
  | { kind: "trace"; steps: number; devices: DeviceProfile[]; missing: string };

/** Of a text, as much is looked at to tell whether it is a profile. */
const longestHead = 65536;
/** A configuration or a calibration is no longer than this, characters. */
const longestObject = 1e6;

/** What could not be read in a profile's file, in sentences. */
function missingOf({ isCut, broken }: Profile): string {
  return [
    ...(isCut ? ["The file ends in the middle: what stands before that is shown."] : []),
    ...(broken > 0
      ? [`${broken} kernel${broken === 1 ? "" : "s"} could not be read and ${broken === 1 ? "is" : "are"} left out.`]
      : []),
  ].join(" ");
}

async function readTraceOf(pieces: AsyncIterable<string>, engine: Engine): Promise<Reading> {
  const profile = await readProfile(pieces);
  const breakdown = engine.trace_breakdown as unknown as (inputs: unknown) => DeviceProfile["breakdown"];
  const steps = Math.max(1, profile.steps);
  const devices = profile.devices.map(({ device, columns, totals, rows, messages, operators, memory }) => {
    const { groups, ...times } = breakdown(columns);
    for (const { group, exposed_us } of groups) messages.get(group)!.exposed_us = exposed_us;
    return {
      // A file of one GPU says its rank; its number in the node is the same on every node.
      device: profile.rank >= 0 && profile.devices.length === 1 ? profile.rank : device,
      steps,
      lead_us: profile.lead_us,
      breakdown: { ...times, groups },
      kernels: totals,
      rows: [...rows, ...messages.values()],
      ...(operators ? { operators } : {}),
      ...(memory ? { memory } : {}),
    };
  });
  return { kind: "trace", steps, devices, missing: missingOf(profile) };
}

/** A log of collectives is kept as it is up to so many characters, longer ones without the lines that say nothing. */
const longestKept = 1e6;
/** No field takes a longer text, characters. */
const longestField = 16e6;

/** Those lines of a text in pieces for which `holds` says so, by their number from 1 on; no more than a field takes. */
async function linesOf(pieces: AsyncIterable<string>, holds: (line: string, number: number) => boolean) {
  let kept = "";
  let rest = "";
  let number = 0;
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (holds(line, ++number)) kept += `${line}\n`;
    if (kept.length + rest.length > longestField) return kept.slice(0, kept.lastIndexOf("\n", longestField) + 1);
  }
  return holds(rest, ++number) ? kept + rest : kept;
}

type Fit = ReturnType<Engine["fit_collective"]>;

/** What each view fits anew: the log of `fit`, which is so long and can be read again. */
async function collectiveLogOf(fit: () => Fit, length: number, again: () => AsyncIterable<string>, engine: Engine) {
  if (length <= longestKept) return linesOf(again(), () => true);
  const points = ({ collective, ranks, points }: Fit) =>
    JSON.stringify([collective, ranks, points.map((p) => p.time_us)]);
  try {
    const whole = fit();
    const needed = new Set(whole.points.map(({ line }) => line));
    const shorter = await linesOf(again(), (line, number) => line.startsWith("#") || needed.has(number));
    const fitted = engine.fit_collective({ log: shorter } as Parameters<Engine["fit_collective"]>[0]);
    return points(fitted) === points(whole) ? shorter : linesOf(again(), () => true);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // It is refused where it is shown, line by line.
    return (await linesOf(again(), () => true)).slice(0, longestKept);
  }
}

/** Both readers of logs receive all of it, of any length: which of them it is for turns out along the way. */
async function readLogOf(pieces: AsyncIterable<string>, again: () => AsyncIterable<string>, engine: Engine) {
  const steps = engine.in_pieces("read_training_log");
  const times = engine.in_pieces("fit_collective");
  const kind = new LogKind();
  let length = 0;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      for (const reader of [kind, steps, times]) reader.add(piece);
    }
    if (kind.isTraining) return { kind: "runs" as const, log: steps.run() };
    if (kind.isCollective)
      return { kind: "log" as const, text: await collectiveLogOf(() => times.run(), length, again, engine) };
  } finally {
    steps.close();
    times.close();
  }
  throw new Error(
    "This is not a file that we can read: we take a PyTorch profile or memory snapshot, a training log, an nccl-tests log, samples of nvidia-smi, the JSON of a server’s benchmark, a launch, a config.json or a calibration.",
  );
}

/** What a reader of the engine's says of the pieces. */
async function readBy<Results>(
  reader: { add(piece: string): void; run(): Results; close(): void },
  pieces: AsyncIterable<string>,
): Promise<Results> {
  try {
    for await (const piece of pieces) reader.add(piece);
    return reader.run();
  } finally {
    reader.close();
  }
}

function readConfig(text: string, engine: Engine): ReadModelConfigResults {
  try {
    return engine.read_model_config({ config: text });
  } catch (error) {
    throw isRefusal(error) ? new Error(refusedConfig(error.problems)) : error;
  }
}

/** A calibration, or a model's configuration; nothing where it is neither. */
function readObject(text: string, engine: Engine): Reading | undefined {
  const calibration = imported(text);
  if (calibration) return { kind: "calibration", calibration };
  return isConfig(text) ? { kind: "config", config: readConfig(text, engine) } : undefined;
}

/** The first pieces again, then the others. */
async function* after<Piece>(first: readonly Piece[], pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  yield* first;
  yield* pieces;
}

/**
 * Reads a file for what it is: a benchmark of a server, a profile, a memory snapshot, a log of training or of nccl-tests, a model's configuration, a launch, a calibration.
 * Throws as the engine does where that refuses it, and an Error with a sentence where it is no such file.
 */
export async function readFile(file: Blob, engine: Engine, report: Report): Promise<Reading> {
  const bytes = bytesOf(file, report);
  const head = await bytes.next();
  const all = after(head.done ? [] : [head.value], bytes);
  if (!head.done && isPickle(head.value)) return { kind: "memory", ...(await readSnapshot(all)) };
  const pieces = textOf(all);
  const first: string[] = [];
  let begin = "";
  let ended = false;
  const read = async (most: number) => {
    while (!ended && begin.length < most) {
      const { value, done } = await pieces.next();
      ended = done === true;
      if (done) break;
      first.push(value);
      begin += value;
    }
  };
  await read(longestHead);
  if (ended && begin.trim() === "") throw new Error("This file is empty: was the run still writing it? Drop it again.");
  if (isBenchmark(begin))
    return { kind: "benchmark", benchmark: await readBy(engine.in_pieces("read_benchmark"), after(first, pieces)) };
  if (isTrace(begin)) return readTraceOf(after(first, pieces), engine);
  if (begin.trimStart().startsWith("{")) {
    await read(longestObject);
    const found = ended && readObject(begin, engine);
    if (found) return found;
  }
  if (isGpuSamples(begin))
    return { kind: "samples", samples: await readBy(engine.in_pieces("read_gpu_samples"), after(first, pieces)) };
  if (isLaunch(begin)) {
    await read(longestObject);
    if (ended && isLaunch(begin)) return { kind: "launch", launch: engine.read_arguments({ arguments: begin }) };
  }
  return readLogOf(after(first, pieces), () => piecesOf(file, report), engine);
}
