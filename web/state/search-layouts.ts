import type { PlanResults, Problem } from "#engine";
import type { Background } from "./background.js";

/** Whole steps that the first answer may take: within a few frames. */
const firstEvaluations = 4096;
/** A further answer takes as many as all before it, up to so many more: what is asked next doesn't wait for long. */
const mostAtOnce = 32768;

/**
 * Searches layouts in slices, each of which continues where the last one stopped, until all are seen or the search is
 * no longer wanted; `report` is called with what is found so far. Returns the problems of the question.
 */
export async function searchLayouts(
  background: Background,
  inputs: Readonly<Record<string, unknown>>,
  report: (found: PlanResults) => void,
  wanted: () => boolean,
): Promise<Problem[]> {
  for (let evaluations = firstEvaluations; wanted(); evaluations += Math.min(evaluations, mostAtOnce)) {
    const answer = await background.run("plan", { ...inputs, evaluations });
    if (!answer || !wanted()) return [];
    if (answer.problems) return answer.problems;
    report(answer.results);
    if (answer.results.progress === 1) return [];
  }
  return [];
}
