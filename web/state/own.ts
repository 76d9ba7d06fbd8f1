import type { ReadBenchmarkResults, ReadGpuSamplesResults, TraceBreakdownResults } from "#engine";
import type { KernelRow } from "./reader/kernels.js";
import type { MemoryTimeline } from "./reader/memory.js";
import { recall, remember } from "./storage.js";

/** What the kernels of one name come to. */
export interface KernelTotal {
  name: string;
  calls: number;
  time_us: number;
  communication: boolean;
}

/** What the kernels of one operator come to. */
export interface OperatorTotal {
  /** "" if the profile names none. */
  name: string;
  kernels: number;
  time_us: number;
  /** Time that the host spent in it. */
  host_us: number;
  /** Time for which the device had nothing to run before its kernels. */
  pause_us: number;
}

/** A device of a profile: its time taken apart, and the kernels that took most of it. */
export interface DeviceProfile {
  /** Its rank in the job, if the profile says that; otherwise its number in the node. */
  device: number;
  /** Of the training, in its profile. */
  steps?: number;
  /** Idle time before its first kernel, from the beginning of its first step, us. */
  lead_us?: number;
  /** Kernels by name and shape, messages by group; none in what an earlier version kept. */
  rows?: KernelRow[];
  /** What its allocator held, if the profile was taken with `profile_memory`. */
  memory?: MemoryTimeline;
  breakdown: TraceBreakdownResults;
  kernels: KernelTotal[];
  /** Operators by the time of their kernels; none if the profile has no operators. */
  operators?: OperatorTotal[];
}

/** Memory of one device over time. */
export interface HeldMemory {
  /** Its number, as in DeviceProfile or in the node. */
  device: number;
  memory: MemoryTimeline;
}

/** A step that the reader measured, and the scenario it ran in: what that sets. */
export interface OwnRun {
  name: string;
  texts: Record<string, string>;
  measured_step_ms: number;
  /** Of all steps of its log, in order. */
  step_times_ms?: number[];
  /** What its log says itself, by the scenario’s names; nothing where it was typed. */
  says?: Record<string, string>;
}

/** A launch, and what it says of a job. */
export interface OwnLaunch {
  name: string;
  /** The stack, as written. */
  stack: string;
  serves: boolean;
  /** By the scenario’s names of its inputs. */
  says: Record<string, string>;
  found: number;
  not_understood: string[];
  /** Inputs that it does not say. */
  not_said: string[];
}

/** One load that a benchmark put on a server. */
export type OwnLoad = ReadBenchmarkResults["runs"][number];

/** What a reader brought of their own, kept over views and visits until they remove it. */
export interface OwnFiles {
  /** A log of nccl-tests, and others of other groups that were given before. */
  log: { name: string; text: string; others?: { name: string; text: string }[] };
  /** A profile, each device taken apart, and how many steps of the training it is of. */
  /** `missing`: sentences about what of the file could not be read; empty where all could. */
  trace: { name: string; steps: number; devices: DeviceProfile[]; missing: string };
  /** What PyTorch's allocator held, from memory snapshots of some devices. */
  memory: { name: string; devices: HeldMemory[] };
  /** What nvidia-smi says of GPUs at work. */
  samples: { name: string; gpus: ReadGpuSamplesResults["gpus"] };
  /** The launch that the job was read from. */
  launch: OwnLaunch;
  /** The scenario before any file said its job: the page’s own, and with the layout that was found for it. */
  job: { name: string; page: Record<string, string>; laid: Record<string, string> };
  /** The configuration that the model was read from. */
  config: { name: string; model_type: string };
  /** Measured steps, and the inputs that a fit to them has set. */
  runs: { name: string; runs: OwnRun[]; applied: string[] };
  /** Loads that benchmarks put on a server, the deployment that they are of where it was said, and the fields that a fit to them has set. */
  benchmark: { name: string; loads: OwnLoad[]; deployment: string; applied: string[] };
}
export type OwnKind = keyof OwnFiles;
export type ListedKind = (typeof ownKinds)[number];

/** What stands among the reader’s files. */
export const ownKinds = [
  "log",
  "trace",
  "memory",
  "samples",
  "launch",
  "config",
  "runs",
  "benchmark",
] as const satisfies readonly OwnKind[];

/** Longer texts last for the visit alone: a browser gives a page a few megabytes. */
const longestKept = 1_000_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isTotal = (held: unknown): boolean =>
  isRecord(held) &&
  typeof held["name"] === "string" &&
  ["calls", "time_us"].every((name) => typeof held[name] === "number");

const isOperator = (held: unknown): boolean =>
  isRecord(held) &&
  typeof held["name"] === "string" &&
  ["kernels", "time_us", "host_us", "pause_us"].every((name) => typeof held[name] === "number");

const isTimeline = (held: unknown): boolean =>
  isRecord(held) &&
  ["at_us", "allocated_bytes", ...("reserved_at_bytes" in held ? ["reserved_at_bytes"] : [])].every((name) => {
    const column = held[name];
    return Array.isArray(column) && column.every((value) => typeof value === "number");
  }) &&
  (held["at_peak"] === undefined || isPeak(held["at_peak"])) &&
  ["peak_bytes", "reserved_bytes"].every((name) => typeof held[name] === "number");

const isPeak = (held: unknown): boolean =>
  isRecord(held) &&
  Array.isArray(held["parts"]) &&
  held["parts"].every(
    (part) => isRecord(part) && typeof part["name"] === "string" && typeof part["bytes"] === "number",
  );

const isHeldMemory = (held: unknown): boolean =>
  isRecord(held) && typeof held["device"] === "number" && isTimeline(held["memory"]);

function isProfile(held: unknown): boolean {
  if (!isRecord(held) || typeof held["device"] !== "number") return false;
  const { breakdown, kernels, memory, operators } = held;
  return (
    (operators === undefined || (Array.isArray(operators) && operators.every(isOperator))) &&
    Array.isArray(kernels) &&
    (memory === undefined || isTimeline(memory)) &&
    kernels.every(isTotal) &&
    isRecord(breakdown) &&
    Array.isArray(breakdown["streams"]) &&
    ["compute_only_us", "overlapped_us", "communication_only_us", "idle_us", "kernels", "compute_only_share"].every(
      (name) => typeof breakdown[name] === "number",
    )
  );
}

const isTexts = (held: unknown): boolean =>
  isRecord(held) && Object.values(held).every((text) => typeof text === "string");

const isRun = (held: unknown): boolean =>
  isRecord(held) &&
  typeof held["name"] === "string" &&
  Number(held["measured_step_ms"]) > 0 &&
  isTexts(held["texts"]) &&
  (held["says"] === undefined || isTexts(held["says"]));

const isRuns = ({ runs, applied }: Record<string, unknown>): boolean =>
  Array.isArray(runs) &&
  runs.length <= 256 &&
  runs.every(isRun) &&
  Array.isArray(applied) &&
  applied.every((name) => typeof name === "string");

const loadNumbers = ["requests_per_sec", "max_concurrency", "completed", "prompt_tokens", "output_tokens"] as const;

const isLoad = (held: unknown): boolean =>
  isRecord(held) &&
  typeof held["model"] === "string" &&
  [...loadNumbers, "answered_per_sec"].every((name) => typeof held[name] === "number") &&
  ["first_token", "token"].every((times) => {
    const one = held[times];
    return isRecord(one) && ["mean_ms", "p50_ms", "p99_ms"].every((name) => typeof one[name] === "number");
  });

const isBenchmark = ({ loads, deployment, applied }: Record<string, unknown>): boolean =>
  Array.isArray(loads) &&
  loads.length > 0 &&
  loads.every(isLoad) &&
  typeof deployment === "string" &&
  Array.isArray(applied) &&
  applied.every((name) => typeof name === "string");

const isLaunch = (held: Record<string, unknown>): boolean =>
  typeof held["stack"] === "string" &&
  isTexts(held["says"]) &&
  ["not_understood", "not_said"].every(
    (name) => Array.isArray(held[name]) && (held[name] as unknown[]).every((one) => typeof one === "string"),
  ) &&
  typeof held["found"] === "number" &&
  typeof held["serves"] === "boolean";

/** Whether stored data has the members of its kind; it may have been written by other code. */
function isWhole(kind: OwnKind, held: unknown): boolean {
  if (!isRecord(held) || typeof held["name"] !== "string") return false;
  if (kind === "log") return typeof held["text"] === "string";
  if (kind === "config") return typeof held["model_type"] === "string";
  if (kind === "launch") return isLaunch(held);
  if (kind === "job") return isTexts(held["page"]) && isTexts(held["laid"]);
  if (kind === "samples") return Array.isArray(held["gpus"]) && held["gpus"].every(isRecord);
  if (kind === "runs") return isRuns(held);
  if (kind === "benchmark") return isBenchmark(held);
  const devices = held["devices"];
  if (kind === "memory") return Array.isArray(devices) && devices.length > 0 && devices.every(isHeldMemory);
  return Number(held["steps"]) >= 1 && Array.isArray(devices) && devices.length > 0 && devices.every(isProfile);
}

/** The reader's own files; fires `change` when one is added or removed. */
class Own extends EventTarget {
  private readonly held = new Map<OwnKind, unknown>();

  get<Kind extends OwnKind>(kind: Kind): OwnFiles[Kind] | undefined {
    if (!this.held.has(kind)) this.held.set(kind, this.stored(kind));
    return this.held.get(kind) as OwnFiles[Kind] | undefined;
  }

  private stored(kind: OwnKind): unknown {
    try {
      const held: unknown = JSON.parse(recall(`own-${kind}`) || "null");
      return isWhole(kind, held) ? held : undefined;
    } catch {
      return undefined;
    }
  }

  set<Kind extends OwnKind>(kind: Kind, file: OwnFiles[Kind]): void {
    this.held.set(kind, file);
    const text = JSON.stringify(file);
    remember(`own-${kind}`, text.length <= longestKept ? text : "");
    this.dispatchEvent(new Event("change"));
  }

  remove(kind: OwnKind): void {
    this.held.set(kind, undefined);
    remember(`own-${kind}`, "");
    this.dispatchEvent(new Event("change"));
  }
}

export const own = new Own();
