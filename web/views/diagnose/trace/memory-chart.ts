import type { TrainingStepResults } from "#engine";
import type { LineChartSpec } from "../../../charts/line-chart.js";
import { us, significant } from "../../../state/format.js";
import type { DeviceProfile, OwnFiles } from "../../../state/own.js";
import type { MemoryTimeline } from "../../../state/reader/memory.js";

const gib = 1024 ** 3;
const size = (bytes: number): string => `${significant(bytes / gib, 3)} GiB`;

type Held = DeviceProfile & { memory: MemoryTimeline };
const colors = ["compute", "communication", "data", "tensor", "pipeline"] as const;

/** What the fullest device held, against what a step is predicted to need. */
export function memorySummary(devices: readonly Held[], step: TrainingStepResults | undefined): string {
  const fullest = devices.reduce((most, one) => (one.memory.peak_bytes > most.memory.peak_bytes ? one : most));
  const { peak_bytes, reserved_bytes } = fullest.memory;
  const where = devices.length > 1 ? ` on GPU ${fullest.device}` : "";
  const kept = reserved_bytes > peak_bytes ? `, of ${size(reserved_bytes)} that its allocator reserved` : "";
  const held = `PyTorch allocated up to ${size(peak_bytes)}${where}${kept}.`;
  if (!step) return held;
  const more = 100 * (peak_bytes / (step.memory_gib * gib) - 1);
  const against =
    Math.abs(more) < 0.5
      ? "the same"
      : `${significant(Math.abs(more), 2)} % ${more > 0 ? "more" : "less"} than predicted`;
  return `${held} A step is predicted to need ${size(step.memory_gib * gib)}: that is ${against}.`;
}

/** Memory over the time of a profile next to what is predicted; nothing of a profile without it. */
export function memoryChart(
  trace: OwnFiles["trace"],
  step: TrainingStepResults | undefined,
): LineChartSpec | undefined {
  const devices = trace.devices.filter((device): device is Held => (device.memory?.at_us.length ?? 0) > 1);
  if (devices.length === 0) return undefined;
  return {
    id: "commcost-profile-memory",
    title: "Memory while it was profiled.",
    summary: memorySummary(devices, step),
    x: { label: "Time", scale: "linear", format: us },
    y: { label: "Allocated", scale: "linear", format: size },
    series: devices.slice(0, colors.length).map(({ device, memory }, index) => ({
      name: trace.devices.length === 1 ? "measured" : `GPU ${device}`,
      color: colors[index]!,
      points: memory.at_us.map((x, place) => ({ x, y: memory.allocated_bytes[place]! })),
    })),
    ...(step ? { rules: [{ axis: "y" as const, at: step.memory_gib * gib, label: "predicted" }] } : {}),
    table: {
      header: ["device", "at_us", "allocated_bytes"],
      rows: devices.flatMap(({ device, memory }) =>
        memory.at_us.map((at, place) => [device, at, memory.allocated_bytes[place]!]),
      ),
    },
  };
}
