import type { ServingStepResults } from "#engine";
import type { Scenario } from "../../state/scenario.js";
import { overPossible } from "../../state/over.js";

/** A decode step on so many tensor ranks. */
export interface OnRanks {
  ranks: number;
  results: ServingStepResults;
  here: boolean;
}

/** Degrees that are drawn in addition to the scenario's own. */
const powers = [1, 2, 4, 8, 16];

/** The same batch on one tensor rank, on two, up to sixteen: those degrees that the model's shape allows. */
export function overDegrees(scenario: Scenario, inputs: Record<string, unknown>): OnRanks[] {
  const own = inputs["tensor_parallel"] as number;
  const degrees = [...new Set([...powers, own])].sort((a, b) => a - b);
  const changes = degrees.map((tensor_parallel) => ({ tensor_parallel }));
  const found = overPossible(scenario.engine, "serving_step", inputs, changes);
  return degrees.flatMap((ranks, at) => {
    const results = found[at];
    return results ? [{ ranks, results, here: ranks === own }] : [];
  });
}

/** The least degree at which it fits, otherwise the least there is: the baseline of speed-ups. */
export const firstThatFits = (steps: readonly OnRanks[]): OnRanks | undefined =>
  steps.find(({ results }) => results.fits) ?? steps[0];

/** The degree beyond which doubling the GPUs gains less than a third. */
export function lastThatPays(steps: readonly OnRanks[]): OnRanks | undefined {
  const fitting = steps.filter(({ results }) => results.fits);
  const known = fitting.length > 0 ? fitting : steps;
  let last = known[0];
  for (const next of known.slice(1)) {
    if (!last) break;
    const doublings = Math.log2(next.ranks / last.ranks);
    if (last.results.step_time_ms / next.results.step_time_ms < (4 / 3) ** doublings) break;
    last = next;
  }
  return last;
}

/** A step on a deployment, with its inputs. */
export interface OnDegrees {
  results: ServingStepResults;
  inputs: Record<string, unknown>;
}

/** What degrees are compared with: stages, with as many GPUs without them; tensor ranks, with half as many. */
export function nextTo(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  steps: readonly OnRanks[],
): OnDegrees | undefined {
  const ranks = inputs["tensor_parallel"] as number;
  const stages = (inputs["pipeline_parallel"] as number | undefined) ?? 1;
  if (stages > 1) {
    const changes = { tensor_parallel: ranks * stages, pipeline_parallel: 1 };
    const [results] = overPossible(scenario.engine, "serving_step", inputs, [changes]);
    if (results) return { results, inputs: { ...inputs, ...changes } };
  }
  const half = steps.find((step) => step.ranks === ranks / 2);
  return half && { results: half.results, inputs: { ...inputs, tensor_parallel: half.ranks } };
}
