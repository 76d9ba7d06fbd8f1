import type { DrawExerciseResults, Problem, TensorParallelAllreduceCostResults } from "#engine";
import { problemsOf, run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";

const calculation = "tensor_parallel_allreduce_cost";

/** An exercise as it is posed, with its results, which the learner does not see yet. */
export interface Exercise {
  inputs: Record<string, number>;
  results: TensorParallelAllreduceCostResults;
  /** Its seed and level; nothing if it was written by hand. */
  drawn: DrawExerciseResults | undefined;
  /** The inputs that were fixed by hand. */
  fixed: ReadonlySet<string>;
}

/**
 * The exercise of a scenario: drawn from its seed and level, overridden by what else was given; without a seed, what
 * was given and the usual inputs.
 */
export function exerciseOf(scenario: Scenario): { exercise?: Exercise; problems: Problem[] } {
  const { values, problems } = scenario.inputs(calculation);
  const fixed = new Set(Object.keys(values).filter((name) => scenario.given(name)));
  let drawn: DrawExerciseResults | undefined;
  if (scenario.text("seed") !== "") {
    const answer = run(scenario, "draw_exercise");
    if (answer.problems) return { problems: answer.problems };
    drawn = answer.results;
  }
  const unread = problems.filter(({ field }) => !drawn || scenario.given(field));
  if (unread.length > 0) return { problems: unread };
  const own = drawn ? Object.fromEntries(Object.entries(values).filter(([name]) => fixed.has(name))) : values;
  const usual = Object.fromEntries(
    scenario.engine.describe()[calculation]!.inputs.map((field) => [field.name, field.default]),
  );
  const inputs = { ...usual, ...drawn?.inputs, ...own } as Record<string, number>;
  try {
    return { exercise: { inputs, results: scenario.engine[calculation](inputs as never), drawn, fixed }, problems: [] };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}
