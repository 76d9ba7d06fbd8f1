import type { Scenario } from "../state/scenario.js";

/** The group that stands for one GPU, which sends nothing. */
export const standsForOne = 8;

/** Group sizes worth looking at: powers of two beyond a node, and the present one. */
export function groupStops(scenario: Scenario): number[] {
  const present = scenario.number("tensor_parallel");
  const node = scenario.number("gpus_per_node");
  const heads = scenario.number("num_heads");
  const most = Math.max(32, node > 1 ? 2 ** Math.ceil(Math.log2(node)) : 0);
  const all = Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power).filter(
    (gpus) => !(heads >= 1) || heads % gpus === 0,
  );
  return [...new Set(Number.isInteger(present) && present >= 1 ? [...all, present] : all)].sort((a, b) => a - b);
}
