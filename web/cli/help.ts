import type { CalculationDescription, FieldDescription } from "#engine";
import { pairs } from "./table.js";

/** What the command says of itself, made of the tables of inputs. */

/** Choices that stand in a line; of more their own paragraph says all. */
const fewChoices = 8;

const kinds: Partial<Record<FieldDescription["kind"], string>> = {
  numbers: "numbers with commas between",
  list: "JSON, or @file",
  object: "JSON, or @file",
  text: "a text, or @file",
};

function allowed(field: FieldDescription): string {
  if (field.choices && field.choices.length > fewChoices) return `one of ${field.choices.length}, see below`;
  return field.allowed ?? kinds[field.kind] ?? "";
}

function unless(field: FieldDescription): string {
  if (field.filled_by) return `as the ${field.filled_by} says`;
  if (field.required) return "needed";
  return field.default === undefined || field.default === "" ? "" : `${field.default}`;
}

const said = (field: FieldDescription): [string, string, string] => [
  field.name,
  unless(field),
  `${field.help}${field.unit ? `, ${field.unit}` : ""}; ${allowed(field)}`,
];

function wrapped(words: readonly string[], width: number): string {
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1)!.length + word.length + 2 > width) lines.push("");
    lines[lines.length - 1] += lines.at(-1) === "" ? `  ${word}` : ` ${word}`;
  }
  return lines.join("\n");
}

/** All that a calculation takes: its name, whether it must be given, or what it is else, and what is allowed. */
export function helpOf(name: string, { help, inputs }: CalculationDescription, width: number): string {
  const many = inputs.filter(({ choices }) => choices && choices.length > fewChoices);
  const parts = [
    `${name}: ${help}`,
    `commcost ${name}${inputs.length > 0 ? " name=value…" : ""} [--json]`,
    pairs(inputs.map(said)).join("\n"),
    ...many.map((field) => `${field.name}, one of:\n${wrapped(field.choices!, width)}`),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** What there is to be asked for. */
export function overview(calculations: Readonly<Record<string, CalculationDescription>>, version: string): string {
  const listed = Object.entries(calculations).map(([name, { help }]): [string, string, string] => [name, help, ""]);
  return `commcost ${version}: what tensor parallelism, and every other, costs in communication

commcost <calculation> name=value… [--json]   values may have units: message_size_bytes=128MiB bandwidth_gb_per_sec="900 Gb/s"
commcost <calculation> --help                 all that it takes
commcost vectors [seed=1] [count=20] [levels=2] [edition=2] [--json]
                                              tests for a function of the exercise: a file for pytest, or JSON

commcost plan model=llama-3.1-70b system=dgx-h100 cluster_gpus=64 global_batch_size=512 sequence_length=8192

${pairs(listed).join("\n")}
`;
}
