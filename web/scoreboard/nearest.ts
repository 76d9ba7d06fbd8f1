import type { Run } from "./runs.js";

/** The properties of a scenario that are compared with the runs. */
export type Placed = Pick<
  Run,
  | "parameters_billion"
  | "num_experts"
  | "precision"
  | "recipe"
  | "accelerator"
  | "generation"
  | "num_gpus"
  | "tensor_parallel"
  | "pipeline_parallel"
  | "context_parallel"
  | "expert_parallel"
>;

const doublings = (one: number, other: number): number =>
  Math.abs(Math.log2(Math.max(1e-3, one) / Math.max(1e-3, other)));

/** Bits of the numbers that a precision's GEMMs multiply. */
export const bits = (precision: string): number => (precision.includes("fp8") ? 8 : precision.includes("fp4") ? 4 : 16);

/**
 * How far a run is from a scenario, in doublings of the model: a doubling of the GPUs or of a degree counts half of one, another
 * GPU of the same generation one, another generation or another stack three, each halving of the numbers that GEMMs multiply one, experts against none four.
 */
export function distance(one: Placed, other: Placed): number {
  const gpu = one.accelerator === other.accelerator ? 0 : one.generation === other.generation ? 1 : 3;
  const degrees = (["tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel"] as const)
    .map((name) => doublings(one[name], other[name]))
    .reduce((sum, value) => sum + value, 0);
  return (
    doublings(one.parameters_billion, other.parameters_billion) +
    0.5 * doublings(one.num_gpus, other.num_gpus) +
    0.5 * degrees +
    gpu +
    doublings(bits(one.precision), bits(other.precision)) +
    (one.recipe === other.recipe ? 0 : 3) +
    (one.num_experts > 1 === other.num_experts > 1 ? 0 : 4)
  );
}

/** The same, in words. */
export const distanceInWords =
  "Near is: each doubling of the model’s size counts 1; of the GPUs or of a degree a half; another GPU of the same generation 1, " +
  "another generation or another stack 3; FP8 against BF16 1; experts against none 4.";

/** The runs nearest to a scenario, the nearest first; of equal ones those that come first in the table. */
export function nearest<Item>(
  items: readonly Item[],
  runOf: (item: Item) => Placed,
  to: Placed,
  count: number,
): Item[] {
  return items
    .map((item, index) => ({ item, index, away: distance(runOf(item), to) }))
    .sort((a, b) => a.away - b.away || a.index - b.index)
    .slice(0, count)
    .map(({ item }) => item);
}
