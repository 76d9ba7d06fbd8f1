import type { TrainingStepResults } from "#engine";
import type { StackedPart } from "../charts/stacked-bars.js";

type Parts = TrainingStepResults["parts"];

const parts: readonly { key: keyof Parts; name: string; color: number }[] = [
  { key: "compute_ms", name: "compute", color: 1 },
  { key: "recompute_ms", name: "recompute", color: 6 },
  { key: "exposed_tensor_ms", name: "tensor traffic", color: 2 },
  { key: "exposed_context_ms", name: "context traffic", color: 5 },
  { key: "exposed_expert_ms", name: "expert traffic", color: 7 },
  { key: "exposed_pipeline_ms", name: "between stages", color: 4 },
  { key: "exposed_data_ms", name: "replicas\u2019 traffic", color: 3 },
  { key: "bubble_ms", name: "bubble", color: 8 },
  { key: "optimizer_ms", name: "optimizer", color: 5 },
  { key: "launch_ms", name: "launches", color: 6 },
  { key: "straggler_ms", name: "slowest replica", color: 7 },
];

/** Where a step's time goes, in the order and the colours of every chart of it; communication is what is exposed of it. */
export function stepParts(of: Parts): StackedPart[] {
  return parts.map(({ key, name, color }) => ({ name, color, value: of[key] })).filter(({ value }) => value > 0);
}

/** What a part of a step is called. */
export function partName(key: string): string {
  return parts.find((part) => part.key === key)?.name ?? key;
}
