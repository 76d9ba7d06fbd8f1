import type { FieldDescription, Problem } from "#engine";
import { readEntry } from "../state/entry.js";

/** What was typed after the command's name. */
export interface Typed {
  /** Values by name, as texts. */
  values: Map<string, string>;
  /** Switches such as --json. */
  switches: Set<string>;
  /** Words that are neither. */
  words: string[];
}

const known = ["json", "help", "version"];

/** Reads `name=value`, `--name=value` and `--name value`; hyphens in names are as good as underscores. */
export function read(words: readonly string[]): Typed {
  const typed: Typed = { values: new Map(), switches: new Set(), words: [] };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, dashes, name, value] = /^(--?)?([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const plain = name?.replaceAll("-", "_");
    if (plain === undefined || (!dashes && value === undefined)) typed.words.push(word);
    else if (dashes && value === undefined && (known.includes(plain) || plain === "h"))
      typed.switches.add(plain === "h" ? "help" : plain);
    else if (value !== undefined) typed.values.set(plain, value);
    // A flag stands alone; what else follows a name is its value.
    else if (left.length === 0 || left[0]!.startsWith("--")) typed.values.set(plain, "true");
    else typed.values.set(plain, left.shift()!);
  }
  return typed;
}

/** The text of `@file`, and of "@-", the standard input; others as they are. */
export type FromFile = (text: string) => string;

function malformed(field: FieldDescription, message: string): Problem {
  return { field: field.name, code: "malformed", message: `${field.name} ${message}`, allowed: field.allowed ?? "" };
}

/** What a text stands for as a value of a field. */
function valueOf(field: FieldDescription, text: string): { value?: unknown; problem?: Problem } {
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

/** The inputs that were typed, as a calculation takes them, with what could not be read. */
export function inputsOf(fields: readonly FieldDescription[], values: ReadonlyMap<string, string>, fromFile: FromFile) {
  const inputs: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, text] of values) {
    const field = fields.find((one) => one.name === name || one.formerly === name);
    // The engine says what is no input.
    if (!field) inputs[name] = text;
    else {
      const { value, problem } = valueOf(field, fromFile(text));
      if (problem) problems.push(problem);
      else inputs[name] = value;
    }
  }
  return { inputs, problems };
}
