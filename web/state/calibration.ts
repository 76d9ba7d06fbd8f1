import type { Engine } from "#engine";
import { over } from "./over.js";
import { own } from "./own.js";
import { recall, remember } from "./storage.js";
import type { Scenario } from "./scenario.js";

/** Inputs that state how much a machine’s collectives differ from the prediction. */
export const collectiveScales = [
  "latency_scale",
  "bandwidth_scale",
  "link_bandwidth_scale",
  "network_bandwidth_scale",
] as const;
/** Those, and a profile's factor on its products. */
export const calibratedFields = [...collectiveScales, "gemm_time_scale"] as const;

/**
 * The calibration of a machine by a reader’s own files: factors that calculations take as inputs, with the log they
 * come from. In force they are fields of the scenario, so that every view follows them and a link carries them.
 */
export interface Calibration {
  name: string;
  /** From the log; empty if there is none. */
  collective: string;
  num_gpus: number;
  accelerator: string;
  gpus_per_node: number;
  nic_gb_per_sec: number;
  /** From the run; empty in calibrations kept before a prediction asked for them. */
  network: string;
  launch: string;
  /** Values by the input that they are set in. */
  scales: Record<string, number>;
  /** Median error of predictions with these scales, on what the log measured. */
  scaled_error_percent: number;
  message_size_bytes: number[];
  time_us: number[];
}

const texts = ["name", "collective", "accelerator"] as const;
const laterTexts = ["network", "launch"] as const;
const numbers = ["num_gpus", "gpus_per_node", "nic_gb_per_sec", "scaled_error_percent"] as const;
const lists = ["message_size_bytes", "time_us"] as const;
/** The first format's equivalent of `scales`. */
const firstScales = ["latency_scale", "bandwidth_scale"] as const;
const mostScales = 32;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function scalesOf(held: Record<string, unknown>): Record<string, number> | undefined {
  const given: unknown = held["scales"] ?? Object.fromEntries(firstScales.map((name) => [name, held[name]]));
  if (typeof given !== "object" || given === null) return undefined;
  const scales = Object.entries(given);
  const whole =
    scales.length <= mostScales && scales.every(([name, value]) => /^[a-z_]+$/.test(name) && isNumber(value));
  return whole ? (Object.fromEntries(scales) as Record<string, number>) : undefined;
}

/** A calibration from untrusted data; undefined if it is invalid. */
function read(given: unknown): Calibration | undefined {
  const held = given as Record<string, unknown> | null;
  if (typeof held !== "object" || held === null) return undefined;
  const scales = scalesOf(held);
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
  if (!whole || !scales) return undefined;
  return Object.fromEntries([
    ...[...texts, ...numbers, ...lists].map((name) => [name, held[name]]),
    ...laterTexts.map((name) => [name, typeof held[name] === "string" ? held[name] : ""]),
    ["scales", scales],
  ]) as unknown as Calibration;
}

/** Median error of today’s prediction, scaled by the calibration, on what its log measured; percent. */
export function errorNow(calibration: Omit<Calibration, "scaled_error_percent">, engine: Engine): number {
  const { accelerator, collective, num_gpus, gpus_per_node, nic_gb_per_sec, network, launch, scales } = calibration;
  if (calibration.time_us.length === 0) return 0;
  const group = { accelerator, collective, num_gpus, gpus_per_node, nic_gb_per_sec, network, launch };
  const sizes = calibration.message_size_bytes.map((message_size_bytes) => ({ message_size_bytes }));
  const ofCollectives = Object.entries(scales).filter(([name]) =>
    (collectiveScales as readonly string[]).includes(name),
  );
  const inputs = { ...group, ...Object.fromEntries(ofCollectives) };
  const times = over(engine, "predict_collective", inputs, sizes, ({ time_us }) => time_us);
  const errors = times.map((time_us, at) => Math.abs(time_us / (calibration.time_us[at] ?? 0) - 1) * 100);
  errors.sort((one, other) => one - other);
  const middle = errors.length >> 1;
  return errors.length % 2 ? (errors[middle] ?? 0) : ((errors[middle - 1] ?? 0) + (errors[middle] ?? 0)) / 2;
}

/** Growth of the median error, in points, from which a calibration's log is worth reading again. */
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

const format = "commcost-calibration-2";
const formats: readonly unknown[] = ["commcost-calibration-1", format];

/** A calibration as a file to keep or pass on. */
export function exported(calibration: Calibration): string {
  return JSON.stringify({ format, ...calibration }, null, 1);
}

/** The calibration in such a file; undefined if the text is something else. */
export function imported(text: string): Calibration | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    return formats.includes((given as { format?: unknown }).format) ? read(given) : undefined;
  } catch {
    return undefined;
  }
}

let held: Calibration[] | undefined;

/** Those kept on this machine; if storage is refused, those of this visit. */
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

const scaleTexts = (scales: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(scales).map(([name, value]) => [name, String(value)]));

/** Everything that a calibration in force has set. */
const setBy = (scenario: Scenario): string[] => [
  ...new Set([...calibratedFields, ...Object.keys(inForce(scenario)?.whole?.scales ?? {})]),
];

/** Puts a calibration in force, with the machine it was made on. */
export function apply(scenario: Scenario, calibration: Calibration): void {
  const { name, accelerator, scales } = calibration;
  const texts = {
    system: "",
    accelerator,
    calibration: name,
    launch: calibration.launch || "process_per_gpu",
    network: calibration.network || "infiniband",
    in_network_reduction: "usual",
    gpus_per_node: String(calibration.gpus_per_node),
    nic_gb_per_sec: String(calibration.nic_gb_per_sec),
    ...scaleTexts(scales),
  };
  scenario.change(
    texts,
    setBy(scenario).filter((field) => !(field in texts)),
  );
}

/** Puts parts in force on the scenario’s own machine; under a name if they are kept under one. */
export function applyParts(scenario: Scenario, scales: Readonly<Record<string, number>>, name = ""): void {
  // A factor on all collectives comes from an earlier calibration: parts refer to the uncalibrated prediction.
  const texts = { ...scaleTexts(scales), ...(name ? { calibration: name } : {}) };
  scenario.change(
    texts,
    ["calibration", "bandwidth_scale"].filter((field) => !(field in texts)),
  );
}

/** Takes parts back, or all that is in force. */
export function remove(scenario: Scenario, fields: readonly string[] = setBy(scenario)): void {
  scenario.change({}, ["calibration", ...fields]);
}

/** What is in force: its factors, the name of a kept one, and all of it if it is kept here. */
export function inForce(scenario: Scenario) {
  const texts = scenario.texts();
  const fitted: readonly string[] = own.get("runs")?.applied ?? [];
  const scales = Object.fromEntries(
    calibratedFields
      .filter((field) => field in texts && scenario.number(field) > 0 && !fitted.includes(field))
      .map((field) => [field, scenario.number(field)]),
  );
  const name = scenario.text("calibration");
  const whole = kept().find(
    (one) =>
      one.name === name && Object.entries(one.scales).every(([field, value]) => scenario.number(field) === value),
  );
  if (Object.keys(scales).length === 0 && !whole) return undefined;
  const elsewhere =
    whole !== undefined &&
    (["accelerator", "gpus_per_node", "nic_gb_per_sec"] as const).some(
      (field) => scenario.text(field) !== String(whole[field]),
    );
  return { name, scales, whole, elsewhere };
}
