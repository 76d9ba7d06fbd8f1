import type { CalculationDescription, FieldDescription, Problem } from "#engine";
import { valueOf } from "./arguments.js";
import type { Point } from "./brief.js";
import { saidProblems } from "./problems.js";
import { isNested } from "./table.js";

/** One calculation over values of one input or several: a row for each combination. */

/** Rows of one sweep. */
const most = 10_000;

export interface Swept {
  columns: FieldDescription[];
  rows: Record<string, unknown>[];
  problems: Problem[];
}

type Run = (inputs: Record<string, unknown>) => { results?: Record<string, unknown>; problems: Problem[] };

/** A combination that is refused is a row with its reason. */
const reason: FieldDescription = {
  name: "refused",
  kind: "text",
  unit: "",
  label: "Refused",
  help: "Why this combination cannot be",
  required: false,
} as FieldDescription;

export function swept(
  calculation: string,
  description: CalculationDescription,
  given: Record<string, unknown>,
  axes: readonly { name: string; values: readonly string[] }[],
  run: Run,
  point?: Point,
): Swept {
  const { inputs: fields, results } = description;
  const problems: Problem[] = [];
  const read = axes.map(({ name, values }) => {
    const field = fields.find((one) => one.name === name || one.formerly === name);
    if (!field) {
      const unknown: Problem = { field: name, code: "unknown_field", message: "", allowed: "" };
      problems.push(...saidProblems(calculation, description, [unknown], {}));
      return { name, values: [] };
    }
    return {
      name: field.name,
      values: values.map((text) => {
        const { value, problem } = valueOf(field, text);
        if (problem) problems.push(problem);
        return value;
      }),
    };
  });
  const count = read.reduce((product, { values }) => product * values.length, 1);
  if (count > most)
    problems.push({
      field: "",
      code: "out_of_range",
      message: `--sweep asks for ${count} rows; at most ${most}`,
      allowed: "",
    });
  if (problems.length > 0) return { columns: [], rows: [], problems };
  const combinations = read.reduce<Record<string, unknown>[]>(
    (sofar, { name, values }) => sofar.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  const rows = combinations.map((combination): Record<string, unknown> => {
    const answer = run({ ...given, ...combination });
    const why = answer.problems.map(({ message }) => message).join("; ");
    const best = answer.results && point?.of(answer.results);
    return { ...answer.results, ...best, ...combination, refused: why };
  });
  const own = results.filter((field) => !isNested(field) && field.kind !== "text");
  const shown = [...(point?.columns ?? []), ...own];
  return {
    columns: [
      ...read.map(({ name }) => fields.find((field) => field.name === name)!),
      ...shown.filter(({ name }) => !read.some((axis) => axis.name === name)),
      ...results.filter(({ name }) => name === "stack_rule" && rows.some((row) => row[name])),
      ...(rows.some(({ refused }) => refused !== "") ? [reason] : []),
    ],
    rows,
    problems,
  };
}
