import type { Engine } from "#engine";
import { over } from "./over.js";
import { recall, remember } from "./storage.js";
import type { Scenario } from "./scenario.js";

/**
 * What a log taught about a machine: two scales that every prediction takes as inputs, with the fit they come from.
 * In force they are the fields latency_scale and bandwidth_scale of the scenario, so that every view follows them and
 * a link carries them.
 */
export interface Calibration {
  name: string;
  collective: string;
  num_gpus: number;
  accelerator: string;
  gpus_per_node: number;
  nic_gb_per_sec: number;
  latency_scale: number;
  bandwidth_scale: number;
  scaled_error_percent: number;
  latency_us: number;
  bandwidth_gb_per_sec: number;
  knee: number;
  median_error_percent: number;
  message_size_bytes: number[];
  time_us: number[];
  /** Of the run; empty in calibrations kept before a prediction asked for them. */
  network: string;
  launch: string;
}

const texts = ["name", "collective", "accelerator"] as const;
const laterTexts = ["network", "launch"] as const;
const numbers = [
  "num_gpus",
  "gpus_per_node",
  "nic_gb_per_sec",
  "latency_scale",
  "bandwidth_scale",
  "scaled_error_percent",
  "latency_us",
  "bandwidth_gb_per_sec",
  "knee",
  "median_error_percent",
] as const;
const lists = ["message_size_bytes", "time_us"] as const;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A calibration from what somebody else may have written; undefined where it is none. */
function read(given: unknown): Calibration | undefined {
  const held = given as Record<string, unknown> | null;
  if (typeof held !== "object" || held === null) return undefined;
  const whole =
    texts.every((name) => typeof held[name] === "string" && (held[name] as string).length <= 200) &&
    numbers.every((name) => isNumber(held[name])) &&
    lists.every(
      (name) =>
        Array.isArray(held[name]) &&
        (held[name] as unknown[]).length <= 4096 &&
        (held[name] as unknown[]).every(isNumber),
    ) &&
    (held["time_us"] as unknown[]).length === (held["message_size_bytes"] as unknown[]).length;
  if (!whole) return undefined;
  return Object.fromEntries([
    ...[...texts, ...numbers, ...lists].map((name) => [name, held[name]]),
    ...laterTexts.map((name) => [name, typeof held[name] === "string" ? held[name] : ""]),
  ]) as Calibration;
}

/** Median error of today's prediction, scaled as the calibration says, on what its log measured; percent. */
function errorNow(calibration: Calibration, engine: Engine): number {
  const { accelerator, collective, num_gpus, gpus_per_node, nic_gb_per_sec, network, launch } = calibration;
  const { latency_scale, bandwidth_scale } = calibration;
  const group = { accelerator, collective, num_gpus, gpus_per_node, nic_gb_per_sec, network, launch };
  const sizes = calibration.message_size_bytes.map((message_size_bytes) => ({ message_size_bytes }));
  const inputs = { ...group, latency_scale, bandwidth_scale };
  const times = over(engine, "predict_collective", inputs, sizes, ({ time_us }) => time_us);
  const errors = times.map((time_us, at) => Math.abs(time_us / (calibration.time_us[at] ?? 0) - 1) * 100);
  errors.sort((one, other) => one - other);
  const middle = errors.length >> 1;
  return errors.length % 2 ? (errors[middle] ?? 0) : ((errors[middle - 1] ?? 0) + (errors[middle] ?? 0)) / 2;
}

/** Points by which a median error may grow before its calibration is worth reading again. */
const tolerance = 1;

const judged = new WeakMap<Calibration, boolean>();

/** Whether its scales were found against a prediction that has changed since: the log should be read again. */
export function outOfDate(calibration: Calibration, engine: Engine): boolean {
  let changed = judged.get(calibration);
  if (changed === undefined) {
    try {
      changed =
        calibration.launch === "" || errorNow(calibration, engine) > calibration.scaled_error_percent + tolerance;
    } catch {
      changed = true;
    }
    judged.set(calibration, changed);
  }
  return changed;
}

const format = "commcost-calibration-1";

/** A calibration as a file to keep or pass on. */
export function exported(calibration: Calibration): string {
  return JSON.stringify({ format, ...calibration }, null, 1);
}

/** The calibration of such a file; undefined where the text is something else. */
export function imported(text: string): Calibration | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    return (given as { format?: unknown }).format === format ? read(given) : undefined;
  } catch {
    return undefined;
  }
}

let held: Calibration[] | undefined;

/** Those kept on this machine; where storage is refused, those of this visit. */
export function kept(): readonly Calibration[] {
  if (held) return held;
  try {
    const stored: unknown = JSON.parse(recall("calibrations") ?? "[]");
    held = Array.isArray(stored) ? stored.map(read).filter((one) => one !== undefined) : [];
  } catch {
    held = [];
  }
  return held;
}

/** Keeps a calibration under its name, in place of one that had it. */
export function keep(calibration: Calibration): void {
  held = [...kept().filter(({ name }) => name !== calibration.name), calibration];
  remember("calibrations", JSON.stringify(held));
}

export function forget(name: string): void {
  held = kept().filter((calibration) => calibration.name !== name);
  remember("calibrations", JSON.stringify(held));
}

/** Puts a calibration in force, with the machine it was made on. */
export function apply(scenario: Scenario, calibration: Calibration): void {
  const { name, accelerator } = calibration;
  scenario.set({
    system: "",
    accelerator,
    calibration: name,
    launch: calibration.launch || "process_per_gpu",
    network: calibration.network || "infiniband",
    in_network_reduction: "usual",
    ...Object.fromEntries(
      (["gpus_per_node", "nic_gb_per_sec", "latency_scale", "bandwidth_scale"] as const).map((field) => [
        field,
        String(calibration[field]),
      ]),
    ),
  });
}

export function remove(scenario: Scenario): void {
  scenario.change({}, ["calibration", "latency_scale", "bandwidth_scale"]);
}

/** What is in force: its name and scales, and the whole of it if it is kept here. */
export function inForce(scenario: Scenario) {
  const latency = scenario.number("latency_scale");
  const bandwidth = scenario.number("bandwidth_scale");
  if (!(latency > 0 && bandwidth > 0) || (latency === 1 && bandwidth === 1)) return undefined;
  const name = scenario.text("calibration");
  const whole = kept().find(
    (one) => one.name === name && one.latency_scale === latency && one.bandwidth_scale === bandwidth,
  );
  const elsewhere =
    whole !== undefined &&
    (["accelerator", "gpus_per_node", "nic_gb_per_sec"] as const).some(
      (field) => scenario.text(field) !== String(whole[field]),
    );
  return { name: name || "a link", latency, bandwidth, whole, elsewhere };
}
