import type { CheckAnswersResults, FieldDescription } from "#engine";
import { problemsOf } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { readAnswer } from "./expression.js";

/** One answer, checked by the engine. */
export type Checked = CheckAnswersResults["answers"][number];

/** The texts typed for answers, by field: those that could be compared, and why others could not. */
export interface Check {
  answers: Map<string, Checked>;
  errors: Map<string, string>;
}

/** The four answers that the exercise asks for. */
export function answerFields(scenario: Scenario): FieldDescription[] {
  return scenario.engine.describe()["check_answers"]!.inputs.filter((field) => field.name.startsWith("answer_"));
}

/** Compares the texts typed for answers with the results of `inputs`; an empty text is no answer. */
export function checkAnswers(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  texts: Record<string, string>,
): Check {
  const given: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const field of answerFields(scenario)) {
    const text = texts[field.name]?.trim() ?? "";
    if (text === "") continue;
    const read = readAnswer(field, text);
    if (typeof read === "number") given[field.name] = read;
    else errors.set(field.name, read);
  }
  try {
    const { answers } = scenario.engine.check_answers({ ...inputs, ...given } as never);
    return { answers: new Map(answers.map((answer) => [`answer_${answer.name}`, answer])), errors };
  } catch (error) {
    for (const problem of problemsOf(error)) errors.set(problem.field, problem.message);
    return { answers: new Map(), errors };
  }
}
