import type { Engine, ReadModelConfigResults, ReadTrainingLogResults } from "#engine";
import { imported, type Calibration } from "../calibration.js";
import type { DeviceProfile } from "../own.js";
import { readProfile, type Profile } from "./devices.js";
import { isCollectiveLog, isConfig, isTrace, isTrainingLog } from "./kinds.js";
import { LongText } from "./long-text.js";
import { piecesOf, type Report } from "./pieces.js";

/** What a file turned out to be, read as far as the engine reads it without a scenario. */
export type Reading =
  | { kind: "calibration"; calibration: Calibration }
  | { kind: "config"; config: ReadModelConfigResults }
  | { kind: "runs"; log: ReadTrainingLogResults; leftOut: number }
  | { kind: "log"; text: string; leftOut: number }
  | { kind: "trace"; steps: number; devices: DeviceProfile[]; missing: string };

/** Of a file, as much is looked at to tell whether it is a profile. */
const head = 65536;
/** A configuration or a calibration is no longer than this, characters. */
const longestObject = 1e6;

/** What of a profile's file could not be read, in sentences. */
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
  const devices = profile.devices.map(({ device, columns, totals }) => ({
    device,
    breakdown: breakdown(columns),
    kernels: totals,
  }));
  return { kind: "trace", steps: Math.max(1, profile.steps), devices, missing: missingOf(profile) };
}

/** What a log of collectives says, without the lines between that say nothing: each view fits it anew. */
function condensed(text: string, engine: Engine): string {
  const fit = (log: string) => engine.fit_collective({ log } as Parameters<Engine["fit_collective"]>[0]);
  const points = (log: string) =>
    JSON.stringify([fit(log).collective, fit(log).ranks, fit(log).points.map(({ time_us }) => time_us)]);
  const needed = new Set(fit(text).points.map(({ line }) => line));
  const shorter = text
    .split("\n")
    .filter((line, at) => line.startsWith("#") || needed.has(at + 1))
    .join("\n");
  return points(shorter) === points(text) ? shorter : text;
}

/** A log is kept as it is up to so many characters. */
const longestKept = 1e6;

function readLogOf(text: string, leftOut: number, engine: Engine): Reading {
  if (isTrainingLog(text)) return { kind: "runs", log: engine.read_training_log({ training_log: text }), leftOut };
  if (!isCollectiveLog(text))
    throw new Error("This is no profile, no log of training or of nccl-tests, no config.json and no calibration.");
  if (text.length <= longestKept) return { kind: "log", text, leftOut };
  try {
    return { kind: "log", text: condensed(text, engine), leftOut };
  } catch {
    // It is refused where it is shown, line by line.
    return { kind: "log", text: text.slice(0, longestKept), leftOut };
  }
}

/** The first pieces again, then the others. */
async function* after(first: readonly string[], pieces: AsyncIterator<string>): AsyncGenerator<string> {
  yield* first;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

/**
 * Reads a file for what it is: a profile, a log of training or of nccl-tests, a model's configuration, a calibration.
 * Throws as the engine does where that refuses it, and an Error with a sentence where it is no such file.
 */
export async function readFile(file: Blob, engine: Engine, report: Report): Promise<Reading> {
  const pieces = piecesOf(file, report);
  const first: string[] = [];
  let begin = "";
  while (begin.length < head) {
    const { value, done } = await pieces.next();
    if (done) break;
    first.push(value);
    begin += value;
  }
  const all = after(first, pieces);
  if (isTrace(begin)) return readTraceOf(all, engine);
  const collected = new LongText();
  for await (const piece of all) collected.add(piece);
  const { text, leftOut } = collected;
  if (text.length <= longestObject && text.trimStart().startsWith("{")) {
    const calibration = imported(text);
    if (calibration) return { kind: "calibration", calibration };
    if (isConfig(text)) return { kind: "config", config: engine.read_model_config({ config: text }) };
  }
  return readLogOf(text, leftOut, engine);
}
