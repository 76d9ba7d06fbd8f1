import type { TrainingStepResults } from "#engine";
import type { StackedPart } from "../charts/stacked-bars.js";
import type { Subject } from "../elements/tokens.js";

type Parts = TrainingStepResults["parts"];

const parts: readonly { key: keyof Parts; name: string; color: Subject }[] = [
  { key: "compute_ms", name: "compute", color: "compute" },
  { key: "recompute_ms", name: "recompute", color: "recompute" },
  { key: "exposed_tensor_ms", name: "TP communication", color: "tensor" },
  { key: "exposed_context_ms", name: "CP communication", color: "context" },
  { key: "exposed_expert_ms", name: "EP communication", color: "expert" },
  { key: "exposed_pipeline_ms", name: "PP send/recv", color: "pipeline" },
  { key: "exposed_data_ms", name: "DP communication", color: "data" },
  { key: "bubble_ms", name: "bubble", color: "waiting" },
  { key: "exposed_offload_ms", name: "host copies", color: "offload" },
  { key: "optimizer_ms", name: "optimizer", color: "optimizer" },
  { key: "launch_ms", name: "launches", color: "launch" },
  { key: "straggler_ms", name: "stragglers", color: "straggler" },
];

/** Where a step's time goes, in the order and the colours of every chart of it; only exposed communication counts. */
export function stepParts(times: Parts): StackedPart[] {
  return parts.map(({ key, name, color }) => ({ name, color, value: times[key] })).filter(({ value }) => value > 0);
}

/** The name of a part of a step. */
export function partName(key: string): string {
  return parts.find((part) => part.key === key)?.name ?? key;
}
