import type { CalculationDescription, FieldDescription } from "#engine";
import { switches } from "./arguments.js";
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

/** What an input is where it is not given. */
function unless(field: FieldDescription): string {
  const usual = field.default === undefined || field.default === "" ? "" : `${field.default}`;
  if (field.filled_by) return `from ${field.filled_by}${usual && `, else ${usual}`}`;
  return field.required ? "required" : usual;
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

/** How calculations are asked that take files, and what of. */
export const fileUsage: Readonly<Record<string, readonly [string, string]>> = {
  diagnose: [
    "commcost diagnose run.log trace.json nccl.log smi.csv name=value…",
    "the causes of a slow run, from its files",
  ],
  plan: [
    "commcost plan launch.sh name=value…",
    "your launch of Megatron-LM, torchtitan or DeepSpeed, ranked among the layouts found for its job",
  ],
  fit_serving: [
    "commcost fit-serving bench.json name=value…   (or benchmark=@bench.json)",
    "your server’s benchmark next to the prediction for each load, and a calibration from it",
  ],
};

/** All that a calculation takes: its name, whether it must be given, or what it is else, and what is allowed. */
export function helpOf(
  name: string,
  { help, inputs }: CalculationDescription,
  width: number,
  files?: readonly [string, string],
): string {
  const many = inputs.filter(({ choices }) => choices && choices.length > fewChoices);
  const parts = [
    `${name}: ${help}`,
    [
      `commcost ${name}${inputs.length > 0 ? " name=value…" : ""} [--json]`,
      ...(files ? [`${files[0]} [--json]`, `    ${files[1]}`] : []),
    ].join("\n"),
    pairs(inputs.map(said)).join("\n"),
    ...many.map((field) => `${field.name}, one of:\n${wrapped(field.choices!, width)}`),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Everything that can be asked for. */
export function overview(calculations: Readonly<Record<string, CalculationDescription>>, version: string): string {
  const listed = Object.entries(calculations).map(([name, { help }]): [string, string, string] => [name, help, ""]);
  const given = Object.entries(switches).map(([name, help]): [string, string, string] => [`--${name}`, help, ""]);
  return `commcost ${version}: what splitting a model over GPUs costs in communication

commcost <calculation> name=value…            values may have units: message_size_bytes=128MiB bandwidth_gb_per_sec="900 Gb/s"
commcost <calculation> name=value… --sweep tp=1,2,4,8
                                              one row for each value; several sweeps: one for each combination
commcost export name=value… > run.sh          the launch of a layout, for the stack in recipe=…; --dry-run: its dry run
commcost figure of=ring num_gpus=8 > ring.svg a figure without scripts, drawn by a browser on this machine; colors=light or dark
commcost vectors [seed=1] [count=20] [levels=2] [edition=2] [--json]
                                              tests for the exercise’s function, as a file for pytest or as JSON
commcost schema [calculation]                 JSON Schema of inputs and results
${Object.values(fileUsage)
  .map(([usage, says]) => `${usage}\n${" ".repeat(46)}${says}`)
  .join("\n")}

${pairs(given).join("\n")}

commcost plan model=llama-3.1-70b system=dgx-h100 gpus=64 gbs=512 seq=8192

tp, pp, cp, dp, ep, etp, vpp, mbs, gbs, seq and gpus are short names of inputs.
Exit codes: 0, answered; 2, wrong usage or inputs; 3, answered, and it doesn’t fit; 1, anything else.

${pairs(listed).join("\n")}
`;
}
