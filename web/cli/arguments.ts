import type { FieldDescription, Problem } from "#engine";
import { readEntry } from "../state/entry.js";
import { nameOf } from "../state/short-names.js";

/** What was typed after the command's name. */
export interface Typed {
  /** Values by name, as texts. */
  values: Map<string, string>;
  /** Names that were given more than once. */
  repeated: Set<string>;
  /** Switches such as --json. */
  switches: Set<string>;
  /** What --sweep was given: a name and its values, as texts. */
  sweeps: { name: string; values: string[] }[];
  /** Words that are neither. */
  words: string[];
}

/** Switches, with their help texts. */
export const switches = {
  json: "the whole answer as JSON",
  csv: "the answer's rows as CSV",
  all: "every result with its meaning, tables up to 20 rows; --json has the rest",
  help: "the calculation’s inputs",
  version: "the version of commcost",
} as const;

/** Reads `name=value`, `--name=value`, `--name value` and `--sweep name=1,2,4`. */
export function read(words: readonly string[]): Typed {
  const typed: Typed = { values: new Map(), repeated: new Set(), switches: new Set(), sweeps: [], words: [] };
  const give = (name: string, value: string) => {
    if (typed.values.has(name)) typed.repeated.add(name);
    typed.values.set(name, value);
  };
  const sweep = (text: string) => {
    const [, name, values] = /^([A-Za-z][\w-]*)=([\s\S]*)$/.exec(text) ?? [];
    if (name === undefined) typed.words.push(`--sweep ${text}`.trim());
    else typed.sweeps.push({ name: name.replaceAll("-", "_"), values: values!.split(",") });
  };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, dashes, name, value] = /^(--?)?([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const plain = name?.replaceAll("-", "_");
    if (plain === undefined || (!dashes && value === undefined)) typed.words.push(word);
    else if (dashes && plain === "sweep") sweep(value ?? left.shift() ?? "");
    else if (dashes && value === undefined && plain in switches) typed.switches.add(plain);
    else if (dashes === "-" && value === undefined && (plain === "h" || plain === "V"))
      typed.switches.add(plain === "h" ? "help" : "version");
    else if (value !== undefined) give(plain, value);
    // A flag stands alone; what else follows a name is its value.
    else if (left.length === 0 || left[0]!.startsWith("--")) give(plain, "true");
    else give(plain, left.shift()!);
  }
  return typed;
}

/** The text of `@file`, and of "@-", the standard input; others as they are. */
export type FromFile = (text: string) => string;

function malformed(field: FieldDescription, message: string): Problem {
  return { field: field.name, code: "malformed", message: `${field.name} ${message}`, allowed: field.allowed ?? "" };
}

/** The value that a text stands for in a field. */
export function valueOf(field: FieldDescription, text: string): { value?: unknown; problem?: Problem } {
  const json = field.kind === "object" || (field.kind === "list" && !field.choices);
  if (!json) {
    const { value, problem } = readEntry(field, text);
    return problem ? { problem } : { value };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: malformed(field, "must be JSON, or @ and the name of a file of JSON") };
  }
}

/** The same where the text may name a file. */
function fileOr(field: FieldDescription, text: string, fromFile: FromFile): ReturnType<typeof valueOf> {
  let read: string;
  try {
    read = fromFile(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code;
    return { problem: malformed(field, `can’t be read from the file “${text.slice(1)}”: ${why}`) };
  }
  return valueOf(field, read);
}

/** The typed inputs, as a calculation takes them, and what could not be read. */
export function inputsOf(fields: readonly FieldDescription[], typed: Typed, fromFile: FromFile) {
  const inputs: Record<string, unknown> = {};
  const problems: Problem[] = [...typed.repeated].map((field) => ({
    field,
    code: "malformed",
    message: `${field} is given twice; give it once, or try several values with --sweep ${field}=…`,
    allowed: "",
  }));
  for (const [given, text] of typed.values) {
    const name = nameOf(fields, given);
    const field = fields.find((one) => one.name === name || one.formerly === name);
    // The engine reports what is no input.
    if (!field) inputs[name] = text;
    else {
      const { value, problem } = fileOr(field, text, fromFile);
      if (problem) problems.push(problem);
      else inputs[name] = value;
    }
  }
  return { inputs, problems };
}
