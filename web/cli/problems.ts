import type { CalculationDescription, Problem } from "#engine";
import { short } from "../state/short-names.js";
import { didYouMean, nearest } from "../state/suggest.js";
import { switches } from "./arguments.js";

/** The most choices that fit in a sentence. */
const fewChoices = 12;

/** "gpus=…", or the input's own name if it has no shorter one. */
const typedAs = (field: string): string => `${Object.keys(short).find((name) => short[name] === field) ?? field}=…`;

/** A problem as the command says it: short, and with what was likely meant. */
function saidProblem(name: string, { inputs }: CalculationDescription, problem: Problem, given: unknown): Problem {
  const names = inputs.map((field) => field.name);
  if (problem.code === "unknown_field") {
    const message = `${problem.field} is not an input of ${name}`;
    const near = nearest(problem.field, names);
    const meant = near ?? nearest(problem.field, Object.keys(switches));
    if (meant !== undefined) return { ...problem, message: `${message}; did you mean ${near ? near : `--${meant}`}?` };
    return { ...problem, message: `${message}; commcost ${name} --help lists them` };
  }
  const field = inputs.find((one) => one.name === problem.field);
  const choices = field?.choices;
  // The input's help says more than its range.
  if (problem.code === "missing" && field && !choices)
    return { ...problem, message: `${field.name} is missing: ${field.help}; type ${typedAs(field.name)}` };
  // A choice refused for another reason was not mistyped.
  if (problem.code !== "not_a_choice" || !choices) return problem;
  const near = typeof given === "string" ? didYouMean(given, choices) : "";
  if (choices.length <= fewChoices) return { ...problem, message: `${problem.message}${near}` };
  const message = `${problem.field} cannot be “${String(given).slice(0, 40)}”${near || "."}`;
  return { ...problem, message: `${message} commcost ${name} --help lists all ${choices.length}.` };
}

/** All problems of a call. If a preset would fill what is missing, it is asked for instead of each part. */
export function saidProblems(
  name: string,
  description: CalculationDescription,
  problems: readonly Problem[],
  inputs: Readonly<Record<string, unknown>>,
): Problem[] {
  const fieldOf = (problem: Problem) => description.inputs.find((field) => field.name === problem.field);
  const filled = new Map<string, Problem[]>();
  const said: Problem[] = [];
  for (const problem of problems) {
    const preset = problem.code === "missing" ? fieldOf(problem)?.filled_by : undefined;
    if (preset === undefined || inputs[preset] !== undefined)
      said.push(saidProblem(name, description, problem, inputs[problem.field]));
    else filled.set(preset, [...(filled.get(preset) ?? []), problem]);
  }
  for (const [preset, missing] of filled) {
    const names = missing.map(({ field }) => field).join(", ");
    const message = `${preset} is missing: ${preset}=… fills ${names}, or give these yourself`;
    said.push({ ...missing[0]!, field: preset, message });
  }
  return said;
}
