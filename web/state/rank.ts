import type { PlanResults, TrainingStepResults } from "#engine";
import { divisionOf, type PlanRow } from "./planned-layout.js";

/** The rank of a user's layout among the families that a search finds with nothing of a layout given. */
export interface Rank {
  /** Slower families rank below it: 1 is the first, whichever are within noise of it. */
  place: number;
  /** How many families are listed. */
  families: number;
  step_time_ms: number;
  /** The fastest layout found; none if none fits. */
  fastest: PlanRow | undefined;
  /** How much less time it takes, percent of the layout's; below 0 where it takes longer. */
  less_percent: number;
  /** Whether both are within noise. */
  tie: boolean;
  /** The layout's own family, where that is listed and faster beyond noise. */
  variant: PlanRow | undefined;
  /** Memory that the layout lacks, GiB. */
  deficit_gib: number;
  /** The rule of its stack that it breaks; empty: none. */
  stack_rule: string;
}

/** Of a layout, as inputs, and its step. */
export function rankOf(
  layout: Readonly<Record<string, unknown>>,
  step: Pick<TrainingStepResults, "step_time_ms" | "memory_gib" | "stack_rule">,
  free: PlanResults,
): Rank {
  const { layouts, noise_floor_percent, memory_limit_gib } = free;
  const noise = 1 + noise_floor_percent / 100;
  const faster = (row: PlanRow) => row.step_time_ms * noise < step.step_time_ms;
  const degrees = { ...layout, expert_tensor_parallel: layout["expert_tensor_parallel"] || layout["tensor_parallel"] };
  const isOwn = (row: PlanRow) =>
    Object.entries({
      ...divisionOf(row),
      expert_tensor_parallel: row.expert_tensor_parallel || row.tensor_parallel,
    }).every(([degree, value]) => degrees[degree as keyof typeof degrees] === value);
  const [fastest] = free.fastest;
  const ratio = fastest ? fastest.step_time_ms / step.step_time_ms : 1;
  return {
    place: 1 + layouts.filter((row) => faster(row) && !isOwn(row)).length,
    families: layouts.length,
    step_time_ms: step.step_time_ms,
    fastest,
    less_percent: 100 * (1 - ratio),
    tie: ratio * noise >= 1 && ratio <= noise,
    variant: layouts.find((row) => isOwn(row) && faster(row)),
    deficit_gib: Math.max(0, step.memory_gib - memory_limit_gib),
    stack_rule: step.stack_rule,
  };
}
