import type { CalculationDescription, FieldDescription, Problem } from "#engine";
import { listed } from "../state/diagnosis/words.js";
import { nameOf, short, shortOf } from "../state/short-names.js";
import { didYouMean, nearest } from "../state/suggest.js";
import { switches, type Typed } from "./arguments.js";

/** The most choices that fit in a sentence. */
const fewChoices = 12;

/** A problem as the command says it: short, and with what was likely meant. */
function saidProblem(name: string, { inputs }: CalculationDescription, problem: Problem, given: unknown): Problem {
  const names = inputs.map((field) => field.name);
  if (problem.code === "unknown_field") {
    const message = `${problem.field} is not an input of ${name}`;
    const brief = Object.keys(short).filter((one) => nameOf(inputs, one) !== one);
    const near = nearest(problem.field, [...brief, ...names]);
    const meant = near ?? nearest(problem.field, Object.keys(switches));
    if (meant !== undefined) return { ...problem, message: `${message}; did you mean ${near ? near : `--${meant}`}?` };
    return { ...problem, message: `${message}; commcost ${name} --help lists them` };
  }
  const field = inputs.find((one) => one.name === problem.field);
  const choices = field?.choices;
  // The input's help says more than its range.
  if (problem.code === "missing" && field && !choices)
    return { ...problem, message: `${field.name} is missing: ${field.help}; type ${shortOf(field.name)}=…` };
  // A choice refused for another reason was not mistyped.
  if (problem.code !== "not_a_choice" || !choices) return problem;
  const near = typeof given === "string" ? didYouMean(given, choices) : "";
  if (choices.length <= fewChoices) return { ...problem, message: `${problem.message}${near}` };
  const message = `${problem.field} cannot be “${String(given).slice(0, 40)}”${near || "."}`;
  const other =
    problem.field === "model" && near === ""
      ? ` For another model: commcost read_model_config config=@${/\.json$/.test(String(given)) ? String(given) : "config.json"} gives its shape.`
      : "";
  return { ...problem, message: `${message} commcost ${name} --help lists all ${choices.length}.${other}` };
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

/** That a launch takes none of some short names that were typed, and which it takes. */
export function untakenShort(
  name: string,
  stack: string,
  inputs: readonly FieldDescription[],
  { values }: Pick<Typed, "values">,
): Problem | undefined {
  const taken = (one: string) => inputs.some((field) => field.name === nameOf(inputs, one));
  const wrong = [...values.keys()].filter((one) => Object.hasOwn(short, one) && !taken(one));
  if (wrong.length === 0) return undefined;
  const right = Object.keys(short).filter(taken);
  return {
    field: wrong[0]!,
    code: "unknown_field",
    message: `A launch of ${stack} takes no ${listed(wrong, "or")}. It takes ${listed(right, "and")}; commcost ${name} --help lists all its inputs.`,
    allowed: right.join(", "),
  };
}

/** What `--sweep` without values can be given, as one would type it. */
function sweepable(inputs: readonly FieldDescription[], typed: string): string {
  const field = inputs.find(({ name }) => name === nameOf(inputs, typed.replaceAll("-", "_")));
  if (!field) return "tp=1,2,4,8";
  const numbers = field.kind === "whole" || field.kind === "real";
  return `${typed}=${numbers ? "1,2,4,8" : (field.choices?.slice(0, 2).join(",") ?? "…")}`;
}

/** Words that are neither name=value nor, where a calculation takes files, files: what to type instead of each. */
export function strayWords(
  inputs: readonly FieldDescription[],
  words: readonly string[],
  takesFiles: boolean,
): Problem[] {
  const left = [...words];
  const problems: Problem[] = [];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const name = nameOf(inputs, word.replaceAll("-", "_"));
    const [, swept] = /^--sweep ?(.*)$/.exec(word) ?? [];
    const message =
      swept !== undefined
        ? `--sweep needs values: --sweep ${sweepable(inputs, swept)}`
        : left.length > 0 && inputs.some((field) => field.name === name)
          ? `Type ${word}=${left[0]}, not ${word} ${left.shift()}`
          : takesFiles
            ? `“${word}” is neither name=value nor an existing file`
            : `“${word}” is not name=value`;
    problems.push({ field: "", code: "malformed", message, allowed: "" });
  }
  return problems;
}
