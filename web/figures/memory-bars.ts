import type { TrainingStepResults } from "#engine";
import type { StackedBarsSpec, StackedPart } from "../charts/stacked-bars.js";
import type { Subject } from "../elements/tokens.js";
import type { Sizes } from "../state/sizes.js";

const partsOfSteps: readonly [keyof TrainingStepResults["memory"], string, Subject][] = [
  ["weights_gib", "weights", "weights"],
  ["gradients_gib", "gradients", "gradients"],
  ["optimizer_gib", "optimizer", "optimizer"],
  ["activations_gib", "activations", "activations"],
  ["logits_gib", "logits", "logits"],
  ["working_gib", "one layer’s workspace", "working"],
];

/** The memory of the fullest GPU in a training step, by part, GiB. */
export const stepMemoryParts = ({ memory }: TrainingStepResults): StackedPart[] =>
  partsOfSteps.map(([key, name, color]) => ({ name, color, value: memory[key] })).filter(({ value }) => value > 0);

/** The fullest GPU's memory, against what is available. */
interface HeldMemory {
  memory_gib: number;
  memory_available_gib: number;
  fits: boolean;
}

/** The parts of that memory as a bar under the limit; `more` is what else to say about it. */
export function memoryBars(
  { memory, memoryUnits }: Sizes,
  id: string,
  held: HeldMemory,
  parts: readonly StackedPart[],
  more: string,
): StackedBarsSpec {
  const { memory_gib: needed, memory_available_gib: room, fits } = held;
  const said = fits
    ? `It fits: ${memory(needed)} of ${memory(room)} available.`
    : `It doesn’t fit: it needs ${memory(needed)}, and ${memory(room)} is available.`;
  return {
    id,
    title: "Memory of the fullest GPU.",
    summary: `${said} ${more}`.trimEnd(),
    bars: [
      {
        label: fits ? "fits" : "doesn’t fit",
        parts: [...parts],
        limit: { at: room, label: `available: ${memory(room)}` },
      },
    ],
    axis: "Memory",
    units: memoryUnits,
    format: memory,
    table: {
      header: ["part", "memory_gib"],
      rows: [
        ...parts.map(({ name, value }): [string, number] => [name, value]),
        ["memory_gib", needed],
        ["memory_available_gib", room],
      ],
    },
  };
}
