import type { TrainingStepResults } from "#engine";
import { exact, ms } from "../state/format.js";

export type Parts = TrainingStepResults["parts"];
export type Part = keyof Parts;

/** Which part of a step has grown most against another's. */
export function grownMost(parts: Parts, than: Parts): Part {
  const more = (part: Part) => parts[part] - than[part];
  return (Object.keys(than) as Part[]).reduce((most, part) => (more(part) > more(most) ? part : most));
}

/** What GPUs wait for in a part of a step. */
const waits: Partial<Record<Part, string>> = {
  exposed_tensor_ms: "for TP’s sums",
  exposed_context_ms: "for keys and values of other GPUs",
  exposed_expert_ms: "for tokens on their way to experts and back",
  exposed_pipeline_ms: "for neighbours in the pipeline",
  exposed_offload_ms: "for what the host keeps",
};

const takes: Partial<Record<Part, string>> = {
  bubble_ms: "The pipeline bubble",
  compute_ms: "Computing",
  recompute_ms: "Recomputing",
  optimizer_ms: "The optimizer’s update",
};

/** A layout that is compared with the fastest. */
export interface Longer {
  tensor: number;
  data: number;
  parts: Parts;
}

/**
 * The part that makes a layout slower than the fastest, without the full stop; nothing if it is a bit of everything.
 */
export function whyLonger({ tensor, data, parts }: Longer, fastest: Parts, gpusPerNode: number): string {
  const cause = grownMost(parts, fastest);
  const least = fastest[cause] === 0 ? "none" : ms(fastest[cause]);
  const against = (what: string) => `${ms(parts[cause])}${what}, ${least} in the fastest layout`;
  if (cause === "exposed_data_ms")
    return `${data === 1 ? "GPUs wait" : `Its ${exact(data)} replicas wait`} ${against(" for gradients and weights")}`;
  if (waits[cause]) {
    const leaves = cause === "exposed_tensor_ms" && tensor > gpusPerNode ? `TP ${tensor} leaves the node: ` : "";
    return `${leaves}GPUs wait ${against(` ${waits[cause]}`)}`;
  }
  return takes[cause] ? `${takes[cause]} takes ${against("")}` : "";
}
