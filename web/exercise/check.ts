import type { CheckAnswersResults, FieldDescription } from "#engine";
import { problemsOf } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { askedOfComma, readAnswer } from "./expression.js";

/** One answer, checked by the engine. */
export type Checked = CheckAnswersResults["answers"][number];

/** What was made of the texts typed for answers, by field: those that could be compared, and why others could not. */
export interface Check {
  answers: Map<string, Checked>;
  errors: Map<string, string>;
}

/** How a box takes its answer, by its unit: numbers of no exercise. */
const examples: Readonly<Record<string, string>> = { bytes: "1234567, 1.5 GB or 3*512*7", ms: "1.25, 1250 us or 5/4" };

/** The four answers that the exercise asks for. */
export function answerFields(scenario: Scenario): FieldDescription[] {
  return scenario.engine.describe()["check_answers"]!.inputs.filter((field) => field.name.startsWith("answer_"));
}

/** Holds the texts typed for answers against the results of `inputs`; an empty one is no answer. */
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
    const asked = askedOfComma(field.unit, text);
    const value = asked === undefined ? readAnswer(field, text) : undefined;
    if (asked !== undefined) errors.set(field.name, asked);
    else if (value === undefined)
      errors.set(
        field.name,
        `We can’t read “${text.slice(0, 40)}” as a number. Try ${examples[field.unit] ?? "12.5 or 25/2"}.`,
      );
    else given[field.name] = value;
  }
  try {
    const { answers } = scenario.engine.check_answers({ ...inputs, ...given } as never);
    return { answers: new Map(answers.map((answer) => [`answer_${answer.name}`, answer])), errors };
  } catch (error) {
    for (const problem of problemsOf(error)) errors.set(problem.field, problem.message);
    return { answers: new Map(), errors };
  }
}
