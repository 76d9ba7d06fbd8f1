import type { CalculationDescription, FieldDescription } from "#engine";
import { drawnVectors } from "../exercise/vectors.js";
import { searchedInputs } from "../state/pins.js";
import { nameOf, short } from "../state/short-names.js";
import { switches } from "./arguments.js";
import { figureOptions } from "./figure.js";
import { pairs } from "./table.js";

/** The command's help texts, made from the tables of inputs. */

/** The most exercises of a level in one file of tests. */
export const mostVectors = 10_000;

/** Choices that fit in a line; more have a paragraph of their own. */
const fewChoices = 8;

/** Limits up to this help the reader; larger ones only keep numbers exact. */
const tellingLimit = 1024;

const kinds: Partial<Record<FieldDescription["kind"], string>> = {
  numbers: "numbers, separated by commas",
  list: "JSON, or @file",
  object: "JSON, or @file",
  text: "a text, or @file",
};

/** How many of its choices an input takes. */
const share = ({ kind }: FieldDescription): string => (kind === "list" ? "some" : "one");

function allowed(field: FieldDescription): string {
  if (field.choices && field.choices.length > fewChoices)
    return `${share(field)} of ${field.choices.length}, see below`;
  const all = (field.choices ? undefined : kinds[field.kind]) ?? field.allowed ?? "";
  return (field.greatest ?? 0) > tellingLimit ? all.replace(/^(0 or )?(.*) from \S+ to \S+$/, "$2") : all;
}

/** An input's value if it is not given. */
function unless(field: FieldDescription, searched: boolean): string {
  if (searched) return "searched";
  const usual = field.default === undefined || field.default === "" ? "" : `${field.default}`;
  if (field.filled_by) return `from ${field.filled_by}${usual && `, else ${usual}`}`;
  return field.required ? "required" : usual;
}

function said(field: FieldDescription, searched = false): [string, string, string] {
  const shorter = Object.keys(short).find((name) => short[name] === field.name);
  const named = field.help.toLowerCase().includes(field.unit?.toLowerCase() ?? "");
  return [
    shorter ? `${field.name} (${shorter})` : field.name,
    unless(field, searched),
    `${field.help}${named ? "" : ` (${field.unit})`}; ${allowed(field)}`,
  ];
}

/** First what nothing else fills, then what fills others, such as the model, then what is searched. */
function inOrder(inputs: readonly FieldDescription[], searched: ReadonlySet<FieldDescription>): FieldDescription[] {
  const presets = new Set(inputs.map(({ filled_by }) => filled_by));
  const place = (field: FieldDescription) =>
    field.required && !field.filled_by ? 0 : presets.has(field.name) ? 1 : searched.has(field) ? 2 : 3;
  return inputs.toSorted((one, other) => place(one) - place(other));
}

function wrapped(words: readonly string[], width: number): string {
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1)!.length + word.length + 2 > width) lines.push("");
    lines[lines.length - 1] += lines.at(-1) === "" ? `  ${word}` : ` ${word}`;
  }
  return lines.join("\n");
}

/** How to call calculations that take files, and which files. */
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

/** Everything that a calculation takes: name, whether it must be given or its default, and what is allowed. */
export function helpOf(
  name: string,
  { help, inputs }: CalculationDescription,
  width: number,
  files?: readonly [string, string],
): string {
  const searched = new Set(searchedInputs(inputs));
  const many = inputs.filter(({ choices }) => choices && choices.length > fewChoices);
  const parts = [
    `${name}: ${help}`,
    [
      `commcost ${name}${inputs.length > 0 ? " name=value…" : ""} [--json]`,
      ...(files ? [`${files[0]} [--json]`, `    ${files[1]}`] : []),
    ].join("\n"),
    pairs(inOrder(inputs, searched).map((field) => said(field, searched.has(field)))).join("\n"),
    ...many.map((field) => `${field.name}, ${share(field)} of:\n${wrapped(field.choices!, width)}`),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Commands that are no calculation. */
export type Other = "export" | "figure" | "vectors" | "schema";

/** How one of those is used: its line, what it takes, and an example. */
export function helpOfOther(
  name: Other,
  calculations: Readonly<Record<string, CalculationDescription>>,
  width: number,
): string {
  const inputOf = (calculation: string, input: string) =>
    calculations[calculation]!.inputs.find((one) => one.name === input)!;
  const taken = (calculation: string) =>
    Object.keys(short).filter((one) =>
      calculations[calculation]!.inputs.some((field) => field.name === nameOf(calculations[calculation]!.inputs, one)),
    );
  const page = (title: string, use: string, takes: readonly [string, string, string][], more: readonly string[]) =>
    `${[`${name}: ${title}`, use, pairs(takes).join("\n"), ...more].filter(Boolean).join("\n\n")}\n`;
  switch (name) {
    case "export":
      return page(
        "The launch of a layout or a deployment, as a file that can be run",
        "commcost export name=value… > run.sh",
        [
          [
            "recipe",
            "megatron-core",
            "The stack; a training stack writes a training launch, a serving stack a server’s",
          ],
          ...(["format", "server"] as const).map((input): [string, string, string] => {
            const field = inputOf(input === "format" ? "export_layout" : "export_deployment", input);
            return [input, "from recipe", `${field.help}; one of ${field.choices!.join(", ")}`];
          }),
          ["--dry-run", "", "The stack’s own dry run of it instead: on one GPU, or without weights"],
        ],
        [
          `For training, also ${taken("export_layout").join(", ")}; all inputs: commcost export_layout --help`,
          `For serving, also ${taken("export_deployment").join(", ")}; all inputs: commcost export_deployment --help`,
          "A launch that doesn’t fit is written all the same, with a note and exit code 3.",
          "For example: commcost export model=llama-3.1-8b system=dgx-h100 gpus=8 tp=8 seq=8192 mbs=1 gbs=64 > run.sh",
        ],
      );
    case "figure":
      return page(
        "A figure of the page as an SVG without scripts, drawn by a browser on this machine",
        "commcost figure of=… name=value… > figure.svg",
        Object.entries(figureOptions).map(([option, says]) => [option, option === "of" ? "required" : "", says]),
        [
          "It also takes the inputs of all calculations, such as model, system and num_gpus.",
          "COMMCOST_BROWSER=/path/to/one names the browser: Chrome, Chromium or Edge.",
          "For example: commcost figure of=ring num_gpus=8 step=7 watch=3 colors=light > ring.svg",
        ],
      );
    case "vectors":
      return page(
        "Tests for the exercise’s function, as a file for pytest or as JSON",
        "commcost vectors name=value… [--json] > test_exercise.py",
        [
          ["seed", "1", "Number of the first exercise"],
          ["count", String(drawnVectors), `Exercises of each level, up to ${mostVectors}`],
          ["levels", "2", "Levels, separated by commas: 1, round numbers; 2, real models; 3, with a catch"],
          ["edition", `${inputOf("draw_exercise", "edition").greatest}`, "Edition of the exercises"],
        ],
        ["For example: commcost vectors count=40 levels=1,2,3 > test_exercise.py"],
      );
    case "schema":
      return page(
        "JSON Schema of inputs and results",
        "commcost schema [calculation]",
        [],
        [
          `Without a calculation, of all:\n${wrapped(Object.keys(calculations), width)}`,
          "For example: commcost schema plan > plan.schema.json",
        ],
      );
  }
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

For example: commcost plan model=llama-3.1-70b system=dgx-h100 gpus=64 gbs=512 seq=8192

Short names of inputs: ${Object.keys(short).join(", ")}. commcost <calculation> --help lists all inputs.
Exit codes: 0, answered; 2, wrong usage or inputs; 3, answered, and it doesn’t fit; 1, anything else.

${pairs(listed).join("\n")}
`;
}
