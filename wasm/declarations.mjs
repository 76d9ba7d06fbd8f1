// Writes commcost.d.ts from the engine's own describe(), so that types and tables cannot disagree.
// Usage: node wasm/declarations.mjs build/site/commcost.js > commcost.d.ts
import { pathToFileURL } from "node:url";
import { pascal } from "./pascal.mjs";

const types = { whole: "number", real: "number", flag: "boolean", text: "string", object: "Record<string, unknown>" };

function typeOf(field, input) {
  if (field.choices && field.kind === "list")
    return `(${field.choices.map((choice) => JSON.stringify(choice)).join(" | ")})[]`;
  if (field.choices) return field.choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (field.columns) {
    const row = `{ ${field.columns.map((column) => `${column.name}: ${typeOf(column, input)}`).join("; ")} }`;
    return { list: `${row}[]`, lists: `${row}[][]` }[field.kind] ?? row;
  }
  if (field.kind === "numbers") return input ? "number[] | Float64Array" : "Float64Array";
  if (field.kind === "list") return input ? "Record<string, unknown>[]" : "number[]";
  // What has a unit was measured or computed; whole numbers have none.
  if (field.kind === "lists") return field.unit ? "Float64Array[]" : "number[][]";
  return field.may_be_missing ? `${types[field.kind]} | null` : types[field.kind];
}

function member(field, input) {
  const notes = [field.help, field.unit && `in ${field.unit}`];
  if (input)
    notes.push(
      field.allowed,
      "default" in field && `default ${field.default}`,
      field.filled_by && `filled by ${field.filled_by}`,
      field.formerly && `formerly ${field.formerly}`,
    );
  const optional = input && (!field.required || field.filled_by) ? "?" : "";
  return `  /** ${notes.filter(Boolean).join("; ")}. */\n  ${field.name}${optional}: ${typeOf(field, input)};\n`;
}

const notes = `  /** Which inputs were given under former names. */
  notes?: string[];
`;

const head = `/** One thing that is wrong with the inputs. */
export interface Problem {
  /** The input, or the result that cannot be represented. */
  field: string;
  /** Why, such as "out_of_range". */
  code: string;
  /** A whole sentence that names the field, what is allowed, and what was given. */
  message: string;
  /** What is allowed, such as "a whole number from 1 to 8". */
  allowed: string;
}

/** Thrown by every calculation whose inputs have problems: all of them at once. */
export declare class InvalidInputError extends Error {
  readonly problems: Problem[];
  /** \`cause\`: what a getter of the inputs threw, if one did. */
  constructor(problems: Problem[], cause?: unknown);
}

/** An input or a result as describe() tells it. */
export interface FieldDescription {
  name: string;
  kind: "whole" | "real" | "choice" | "flag" | "text" | "numbers" | "list" | "object" | "lists";
  unit: string;
  /** As forms and tables call it, such as "Link bandwidth". */
  label: string;
  help: string;
  /** Of an input: whether it must be given. */
  required?: boolean;
  /** Of an input: what is allowed, in words. */
  allowed?: string;
  least?: number;
  greatest?: number;
  choices?: string[];
  /** What pages call these, in their order; not given where their names say it. */
  choice_labels?: string[];
  default?: number | boolean | string;
  /** Of an input: the preset that says it where it is not given, such as "model" or "recipe". */
  filled_by?: string;
  /** Of an input: the part of the scenario's form that it belongs to, such as "machine". */
  group?: string;
  /** Of an input: whether that part always shows it. */
  shown?: boolean;
  /** Of an input: the name that it had before; it is still taken, with a note in the results. */
  formerly?: string;
  /** Of the number under that name and the number now, where one became the inverse of the other. */
  former_product?: number;
  /** Of a list of rows, or of an object. */
  columns?: FieldDescription[];
  /** Of a result: whether it may be null. */
  may_be_missing?: boolean;
}

/** A calculation as describe() tells it. */
export interface CalculationDescription {
  help: string;
  inputs: FieldDescription[];
  results: FieldDescription[];
  /** Whether sweep() takes it. */
  sweep: boolean;
  /** Most points of a sweep over it; 0: it is not swept. */
  sweep_points: number;
  /** The text among its inputs that in_pieces() takes piece by piece; empty: none. */
  in_pieces: string;
  /** Whether its inputs are part of a scenario. */
  of_scenario: boolean;
}

/** A calculation whose text comes in pieces, which may be of any length and end anywhere: a log as a file is read. */
export interface Pieces<Inputs, Results> {
  /** The next piece; bytes are of UTF-8. */
  add(piece: string | Uint8Array): void;
  /** The results of all pieces, with the other inputs; once. */
  run(inputs?: Partial<Inputs>): Results;
  /** Gives up what was read: needed where run() is never called. */
  close(): void;
}

/**
 * A calculation that is run again and again with an input or two changed: inputs are read and checked once, what is set
 * crosses alone, and what does not follow from it is not computed anew.
 */
export interface Prepared<Inputs, Results> {
  /** Gives an input another value; undefined takes it back. What is wrong with it is said by run(). */
  set<Name extends keyof Inputs>(name: Name, value: Inputs[Name] | undefined): this;
  /**
   * The results of all that is given now, or an InvalidInputError with every problem, as a call would have them. They are
   * decoded where they are read; nothing changes them later, and nobody can. structuredClone() takes { ...results }.
   */
  run(): Readonly<Results>;
  /** Frees what is kept of it, at once; otherwise that goes when nobody holds it any more. */
  close(): void;
}

/** One or two axes over which a calculation is run; swept inputs need not be among \`inputs\`. */
export interface SweepRequest {
  calculation: string;
  inputs: Record<string, unknown>;
  axes: { field: string; values: ArrayLike<number> | string[] }[];
}

/** A column per numeric result, last axis fastest; NaN at points that are refused. */
export interface SweepResults {
  points: number;
  axes: { field: string; values: Float64Array | string[] }[];
  results: Record<string, Float64Array>;
  /** How many points were refused. */
  refused: number;
  /** The problems of the first of them. */
  problems: Problem[];
${notes}}

/** What an input comes to, and who says so: "given", a preset ("model", "system", "recipe"), "derived" from other inputs, or "default". */
export interface ResolvedInput {
  value: number | boolean | string;
  from: string;
}
`;

const { loadEngine } = await import(pathToFileURL(process.argv[2]).href);
const descriptions = (await loadEngine()).describe();
let text = head;
let methods = "";
let inPieces = "";
let calculations = "";
for (const [name, calculation] of Object.entries(descriptions)) {
  const inputs = `${pascal(name)}Inputs`;
  const results = `${pascal(name)}Results`;
  text += `\n/** Inputs of ${name}. */\nexport interface ${inputs} {\n`;
  text += `${calculation.inputs.map((field) => member(field, true)).join("")}}\n`;
  text += `\n/** Results of ${name}. */\nexport interface ${results} {\n`;
  const renamed = calculation.inputs.some((field) => field.formerly);
  text += `${calculation.results.map((field) => member(field, false)).join("")}${renamed ? notes : ""}}\n`;
  if (calculation.in_pieces) {
    inPieces += `  /** ${calculation.help}, of a text in pieces. */\n`;
    inPieces += `  in_pieces(calculation: "${name}"): Pieces<${inputs}, ${results}>;\n`;
  }
  const optional = calculation.inputs.every((field) => !field.required || field.filled_by) ? "?" : "";
  calculations += `  ${name}: { inputs: ${inputs}; results: ${results} };\n`;
  methods += `  /** ${calculation.help}. */\n  ${name}(inputs${optional}: ${inputs}): ${results};\n`;
}
text += `\n/** Every calculation by name. */\nexport interface Calculations {\n${calculations}}\n`;
text += `\n/** The calculator: plain objects in, plain objects out, nothing to free. */\nexport interface Engine {\n${methods}`;
text += inPieces;
text += `  /** A calculation to be run again and again. */\n  prepare<Name extends keyof Calculations>(\n    calculation: Name,\n    inputs?: Partial<Calculations[Name]["inputs"]>,\n  ): Prepared<Calculations[Name]["inputs"], Calculations[Name]["results"]>;\n`;
text += `  /** Runs a calculation at every point of one or two axes. */\n  sweep(request: SweepRequest): SweepResults;\n`;
text += `  /** What a calculation's inputs come to, its presets and usual values filled in: as inputs, their values give the same answer, together with given lists. */\n  resolve_inputs(request: { calculation: string; inputs: Record<string, unknown> }): Record<string, ResolvedInput>;\n`;
text += `  /** Every calculation's inputs and results. */\n  describe(): Record<string, CalculationDescription>;\n}\n`;
text += `\n/** The engine, ready to calculate; loaded once. Where calculations are named, the package loads only what these need, and others throw. */\nexport declare function loadEngine(...calculations: (keyof Calculations)[]): Promise<Engine>;\n`;
process.stdout.write(text);
