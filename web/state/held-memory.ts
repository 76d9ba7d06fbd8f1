import type { TrainingStepResults } from "#engine";
import { gib, significant } from "./format.js";
import { own, type HeldMemory } from "./own.js";

export const bytesInGib = 1024 ** 3;
/** Bytes in GiB, as memory is written next to what is predicted. */
const memorySize = (bytes: number): string => gib(bytes / bytesInGib);

/** "GPU 3", "GPU 0 and 1", "8 GPUs". */
export function gpusOf(devices: readonly { device: number }[]): string {
  if (devices.length > 3) return `${devices.length} GPUs`;
  return `GPU ${devices.map(({ device }) => device).join(" and ")}`;
}

/** The memory in the reader's files, device by device: snapshots before profiles, which know less. */
export function heldMemory(): HeldMemory[] {
  const snapshots = own.get("memory")?.devices ?? [];
  const profiles = (own.get("trace")?.devices ?? []).flatMap(({ device, memory }) =>
    memory && memory.at_us.length > 1 && snapshots.every((one) => one.device !== device) ? [{ device, memory }] : [],
  );
  return [...snapshots, ...profiles].sort((one, other) => one.device - other.device);
}

/** The device that held most. */
export const fullestOf = (devices: readonly HeldMemory[]): HeldMemory =>
  devices.reduce((most, one) => (one.memory.peak_bytes > most.memory.peak_bytes ? one : most));

type Step = Pick<TrainingStepResults, "memory_gib" | "memory">;

/** What the peak consisted of, in a sentence; nothing if the file does not say. */
function peakWords({ memory: { at_peak } }: HeldMemory, step: Step | undefined): string {
  if (!at_peak) return "";
  const { told_by, parts } = at_peak;
  const predicted = (name: string) => step?.memory[`${name}_gib` as keyof Step["memory"]];
  const said = [...parts]
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes }) => {
      const expected = told_by === "category" ? predicted(name) : undefined;
      return `${name} ${memorySize(bytes)}${expected === undefined ? "" : ` (predicted ${gib(expected)})`}`;
    })
    .join(", ");
  return told_by === "category"
    ? ` The peak by PyTorch’s categories: ${said}.`
    : ` The peak by the code that allocated it: ${said}.`;
}

/** The fullest device's memory, compared with the prediction for a step. */
export function memorySummary(devices: readonly HeldMemory[], step: Step | undefined): string {
  const fullest = fullestOf(devices);
  const { peak_bytes, reserved_bytes } = fullest.memory;
  const where = devices.length > 1 ? ` on GPU ${fullest.device}` : "";
  const kept = reserved_bytes > peak_bytes ? `, of ${memorySize(reserved_bytes)} that its allocator reserved` : "";
  const held = `PyTorch allocated up to ${memorySize(peak_bytes)}${where}${kept}.`;
  const parts = peakWords(fullest, step);
  if (!step) return `${held}${parts}`;
  const more = 100 * (peak_bytes / (step.memory_gib * bytesInGib) - 1);
  const against =
    Math.abs(more) < 0.5 ? "as much" : `${significant(Math.abs(more), 2)} % ${more > 0 ? "more" : "less"}`;
  return `${held} A step is predicted to need ${gib(step.memory_gib)}: the run held ${against}.${parts}`;
}
