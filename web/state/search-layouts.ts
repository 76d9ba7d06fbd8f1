import type { PlanResults, Problem } from "#engine";
import type { Background } from "./background.js";

/** Whole steps that the first answer may take: within a few frames. Each further answer sees eight times as many. */
const firstEvaluations = 4096;
const growth = 8;

/** Searches layouts with growing effort until all are seen; `report` hears what is found so far. Answers what is wrong with the question. */
export async function searchLayouts(
  background: Background,
  inputs: Readonly<Record<string, unknown>>,
  report: (found: PlanResults) => void,
): Promise<Problem[]> {
  for (let evaluations = firstEvaluations; ; evaluations *= growth) {
    const answer = await background.run("plan", { ...inputs, evaluations });
    if (!answer) return [];
    if (answer.problems) return answer.problems;
    report(answer.results);
    if (answer.results.progress === 1) return [];
  }
}
