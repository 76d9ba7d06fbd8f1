import type { TrainingStepResults } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { Series } from "../../charts/series.js";
import { stepMemoryParts } from "../../figures/memory-bars.js";
import { exact, gib, us } from "../../state/format.js";
import { bytesInGib, fullestOf, memorySummary } from "../../state/held-memory.js";
import type { HeldMemory } from "../../state/own.js";

/** How many devices are drawn in addition to the fullest. */
const others = 4;

/** The predicted memory of a step, part upon part, over the measured time. */
function predictedBands(step: TrainingStepResults, [from, to]: readonly [number, number]): Series[] {
  let low = 0;
  return stepMemoryParts(step).map(({ name, color, value }) => {
    const held = { low, high: low + value, y: NaN, note: gib(value) };
    low += value;
    return { name: `${name}, predicted`, kind: "band", color, points: [from, to].map((x) => ({ x, ...held })) };
  });
}

/** The devices' memory, for the fullest with what its allocator reserved. */
function measuredLines(devices: readonly HeldMemory[]): Series[] {
  const fullest = fullestOf(devices);
  const named = (device: number, what: string) => (devices.length === 1 ? what : `GPU ${device}, ${what}`);
  const line = (at_us: readonly number[], bytes: readonly number[]) =>
    at_us.map((x, place) => ({ x, y: bytes[place]! / bytesInGib }));
  const { at_us, allocated_bytes, reserved_at_bytes } = fullest.memory;
  const reserves = reserved_at_bytes?.some((bytes, place) => bytes > allocated_bytes[place]!);
  return [
    ...devices
      .filter((one) => one !== fullest)
      .slice(0, others)
      .map(
        ({ device, memory }): Series => ({
          name: named(device, "allocated"),
          color: "plain",
          quiet: true,
          points: line(memory.at_us, memory.allocated_bytes),
        }),
      ),
    ...(reserves
      ? [
          {
            name: named(fullest.device, "reserved"),
            color: "plain" as const,
            dash: "2 4",
            points: line(at_us, reserved_at_bytes!),
          },
        ]
      : []),
    { name: named(fullest.device, "allocated"), color: "plain", points: line(at_us, allocated_bytes) },
  ];
}

/** Memory over time, in front of the predicted memory of a step by part. */
export function memoryChart(devices: readonly HeldMemory[], step: TrainingStepResults | undefined): LineChartSpec {
  const counted = devices.some(({ memory }) => memory.counted);
  const times = devices.flatMap(({ memory }) => memory.at_us);
  const domain: [number, number] = [Math.min(...times), Math.max(...times)];
  return {
    id: "commcost-profile-memory",
    title: "Memory over time.",
    summary: memorySummary(devices, step),
    x: counted
      ? { label: "Allocations and frees", scale: "linear", format: exact, domain }
      : { label: "Time", scale: "linear", format: us, domain },
    y: { label: "Memory", scale: "linear", format: gib },
    series: [...(step ? predictedBands(step, domain) : []), ...measuredLines(devices)],
    ...(step ? { rules: [{ axis: "y" as const, at: step.memory_gib, label: "predicted" }] } : {}),
    table: {
      header: ["device", counted ? "event" : "at_us", "allocated_bytes", "reserved_bytes"],
      rows: devices.flatMap(({ device, memory }) =>
        memory.at_us.map((at, place) => [
          device,
          at,
          memory.allocated_bytes[place]!,
          memory.reserved_at_bytes?.[place] ?? "",
        ]),
      ),
    },
  };
}
