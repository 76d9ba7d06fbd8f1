import type { Engine, FieldDescription, Problem } from "#engine";
import { followedText, follows } from "./follows.js";
import { degreeNames, layoutFields, settled } from "./layout.js";
import { fillerOf, filledText } from "./presets.js";
import { serves, servingFields, servingName } from "./serving.js";
import { readQuantity } from "./units.js";

/** An input as the reader left it: the text as typed, and what it means if it can be understood. */
export interface Entry {
  text: string;
  value: number | string | boolean | number[] | string[] | undefined;
  problem?: Problem;
  /** Whether the text is more than a plain number, so that what was understood is worth an echo. */
  spelled: boolean;
}

export type Fields = Map<string, FieldDescription>;

/** The tensor group as the exercise calls it: the same thing as the tensor degree. */
const group = "num_gpus";
/** What the scenario calls an input that has another name elsewhere. */
export const scenarioName = (name: string): string => (name === group ? "tensor_parallel" : name);

/** What the scenario calls an input of a calculation with these inputs; nothing where other inputs say it. */
export const namesFor = (inputs: readonly FieldDescription[]): ((input: string) => string | undefined) => {
  // A cluster that may be 0 is what the degrees need.
  const fromDegrees = inputs.some(({ name, least }) => name === "cluster_gpus" && least === 0);
  const own = serves(inputs) ? servingName : scenarioName;
  return (input) => (fromDegrees && input === "cluster_gpus" ? undefined : own(input));
};

/** Every input of every calculation by name, and those of the layout: one field for a quantity, whichever calculation asks for it. */
export function allFields(engine: Engine): Fields {
  const tables = engine.describe();
  const own = [
    ...layoutFields(tables["plan"]!.inputs, tables["training_step"]!.inputs),
    ...servingFields(tables["plan_serving"]!.inputs, engine.recipe_catalog().recipes),
  ];
  const fields: Fields = new Map(own.map((field) => [field.name, field]));
  for (const { inputs } of Object.values(tables)) {
    const named = namesFor(inputs);
    for (const field of inputs) {
      if (named(field.name) === undefined) continue;
      // The page's own presets fill what it shows; the engine is then given every field.
      if (!fields.has(field.name) && !isPreset(field.name)) fields.set(field.name, field);
    }
  }
  // One field for both: a group may be larger than a layout's.
  const { least, greatest, allowed } = fields.get(group)!;
  const degree = fields.get("tensor_parallel")!;
  fields.set("tensor_parallel", { ...degree, least, greatest, allowed } as FieldDescription);
  return fields;
}

/** What a flag can be typed as. */
const flags = new Map([
  ...["true", "1", "yes", "on"].map((text) => [text, true] as const),
  ...["false", "0", "no", "off"].map((text) => [text, false] as const),
]);

/** The longest text of a list: as many numbers as the widest picture shows have room in it many times over. */
const longestList = 65536;

function refuse(field: FieldDescription, text: string, message: string): Entry {
  const problem = {
    field: field.name,
    code: "malformed",
    message: `${field.name} ${message}`,
    allowed: field.allowed!,
  };
  return { text, value: undefined, problem, spelled: false };
}

/** Reads the text typed for a field. Range and wholeness are the engine's to judge. */
export function readEntry(field: FieldDescription, text: string): Entry {
  switch (field.kind) {
    case "whole":
    case "real": {
      if (text.trim() === "") return refuse(field, text, `is empty; it must be ${field.allowed}`);
      const reading = readQuantity(text, field.unit);
      if (!reading.ok) return refuse(field, text, reading.message);
      return { text, value: reading.value, spelled: !reading.plain };
    }
    case "numbers": {
      if (text.length > longestList)
        return refuse(field, text, `must be ${field.allowed}; got ${text.length} characters`);
      // "5 us, 7 us" as well as "5 7".
      const readings = text
        .split(/[,;]/.test(text) ? /[,;]/ : /\s+/)
        .map((part) => part.trim())
        .filter(Boolean)
        .map((part) => readQuantity(part, field.unit));
      const refused = readings.find((reading) => !reading.ok);
      if (refused) return refuse(field, text, `must be ${field.allowed}; got “${text.slice(0, 40)}”`);
      return { text, value: readings.flatMap((reading) => (reading.ok ? [reading.value] : [])), spelled: false };
    }
    case "list": {
      if (!field.choices) return { text, value: text, spelled: false };
      if (text.length > longestList)
        return refuse(field, text, `must be ${field.allowed}; got ${text.length} characters`);
      const names = text.split(/[\s,;]+/).filter(Boolean);
      return { text, value: names, spelled: false };
    }
    case "flag": {
      const flag = flags.get(text);
      if (flag === undefined) return refuse(field, text, `must be ${field.allowed}; got “${text.slice(0, 40)}”`);
      return { text, value: flag, spelled: false };
    }
    default:
      return { text, value: text, spelled: false };
  }
}

/** Whether `text` can stand for a field, as far as its table tells: kind, range and choices. */
export function isAcceptable(field: FieldDescription, text: string): boolean {
  const { value, problem } = readEntry(field, text);
  if (problem) return field.required !== true && text === "";
  if (field.choices) return field.choices.includes(text);
  if (typeof value !== "number") return true;
  return (
    (field.kind !== "whole" || Number.isInteger(value)) &&
    value >= (field.least ?? -Infinity) &&
    value <= (field.greatest ?? Infinity)
  );
}

/** What was chosen to fill fields: it belongs to a scenario as they do. */
export const presetNames = ["model", "system", "calibration"] as const;
const isPreset = (name: string): boolean => (presetNames as readonly string[]).includes(name);

/** Emitted whenever an input changes; `names` are those that did. */
export class ScenarioEvent extends Event {
  constructor(
    readonly names: string[],
    /** Whether another scenario took this one's place, rather than one input another value. */
    readonly whole = names.length > 1,
  ) {
    super("change");
  }
}

/** The one state of all views: every input as typed. What a view does not set stays at its default. */
export class Scenario extends EventTarget {
  private readonly entries = new Map<string, Entry>();
  private other: Scenario | undefined;
  private locked = false;
  /** Whether it is that of one view in somebody's page: then there are no other views to lead to. */
  alone = false;

  constructor(
    readonly engine: Engine,
    readonly fields: Fields,
    /** Texts that hold where nothing is set, for fields without a default of their own or with a better one here. */
    readonly defaults: Readonly<Record<string, string>>,
  ) {
    super();
  }

  /** Takes the fields as the engine tells them now: with their help, once all of it is there. */
  describeAnew(): void {
    for (const [name, field] of allFields(this.engine)) this.fields.set(name, field);
    this.dispatchEvent(new Event("arrived"));
  }

  /** The text that holds for a field nobody has touched. */
  defaultText(given: string): string {
    const name = scenarioName(given);
    const field = this.fields.get(name);
    return (
      followedText(this, name) ??
      filledText(this, name) ??
      this.defaults[name] ??
      (field?.default === undefined ? "" : String(field.default))
    );
  }

  /** What each field's text was last read as. */
  private readonly readings = new Map<string, Entry>();

  private made(name: string, text: string): Entry {
    const known = this.readings.get(name);
    if (known?.text === text) return known;
    const field = this.fields.get(name);
    const entry = field ? readEntry(field, text) : { text, value: text, spelled: false };
    this.readings.set(name, entry);
    return entry;
  }

  /** The entry of a field; one that follows another is that one's while it is empty. */
  entry(given: string): Entry {
    const name = scenarioName(given);
    const held = this.entries.get(name);
    return held && !(held.text === "" && follows(name)) ? held : this.made(name, this.defaultText(name));
  }

  /** The text of a field as typed. */
  text(name: string): string {
    return this.entry(name).text;
  }

  /** The number of a field; NaN where it has none. */
  number(name: string): number {
    const { value } = this.entry(name);
    return typeof value === "number" ? value : NaN;
  }

  /** The number that a text would stand for; NaN where it stands for none. */
  read(name: string, text: string): number {
    const { value } = this.made(name, text);
    return typeof value === "number" ? value : NaN;
  }

  /** Sets fields, each to the text typed for it. */
  set(texts: Record<string, string>): void {
    this.change(texts, []);
  }

  /** Sets fields and forgets others, as one change; the layout stays one that multiplies. */
  change(given: Record<string, string>, forgotten: readonly string[]): void {
    const named = Object.fromEntries(Object.entries(given).map(([name, text]) => [scenarioName(name), text]));
    const readable = (name: string, text: string) => isAcceptable(this.fields.get(name)!, text);
    const { texts, released } = settled(this, named, readable);
    const touched = [...new Set([...Object.keys(named), ...Object.keys(texts), ...released, ...forgotten])];
    const before = touched.map((name) => this.text(name));
    for (const name of [...released, ...forgotten]) this.entries.delete(name);
    for (const [name, text] of Object.entries(texts)) this.entries.set(name, this.made(name, text));
    const changed = touched.filter((name, index) => this.text(name) !== before[index]);
    if (changed.length > 0)
      this.dispatchEvent(new ScenarioEvent(changed, Object.keys(given).length !== 1 || forgotten.length > 0));
  }

  /** Whether somebody has said what a field is, be it by a preset. */
  given(input: string): boolean {
    const name = scenarioName(input);
    const filler = fillerOf(this, name);
    return this.entries.has(name) || (filler !== undefined && this.given(filler));
  }

  /** Whether the reader may change inputs; whoever holds the scenario always may. */
  get readonly(): boolean {
    return this.locked;
  }

  set readonly(locked: boolean) {
    if (locked === this.locked) return;
    this.locked = locked;
    this.refresh();
  }

  /** Forgets `name`: its default holds again. */
  unset(name: string): void {
    if (this.entries.delete(scenarioName(name))) this.dispatchEvent(new ScenarioEvent([name]));
  }

  /** Forgets everything set but `texts`. */
  reset(texts: Record<string, string> = {}): void {
    const names = [...new Set([...this.entries.keys(), ...Object.keys(texts)])];
    this.fill(texts);
    this.dispatchEvent(new ScenarioEvent(names, true));
  }

  private fill(texts: Record<string, string>): void {
    this.entries.clear();
    for (const [name, text] of Object.entries(texts)) this.entries.set(name, this.made(name, text));
  }

  /** Whether a name is of the scenario itself; the rest are settings of the page. */
  owns(name: string): boolean {
    return this.fields.has(name) || isPreset(name);
  }

  /** All that is set and no default, as text: fields and chosen presets. */
  texts(): Record<string, string> {
    return Object.fromEntries(
      [...this.entries]
        .filter(([name, { text }]) => this.owns(name) && text !== this.defaultText(name))
        .map(([name, { text }]) => [name, text]),
    );
  }

  /** Puts `texts` in the place of all that is the scenario's own; settings of the page stay. */
  replace(texts: Record<string, string>): void {
    const settings = [...this.entries].filter(([name]) => !this.owns(name)).map(([name, { text }]) => [name, text]);
    this.reset({ ...Object.fromEntries(settings), ...texts });
  }

  /** The scenario that this one is compared with: A, where one is pinned. */
  get pinned(): Scenario | undefined {
    return this.other;
  }

  /** Holds `texts` to compare with, the present scenario unless told; undefined lets go. */
  pin(texts: Record<string, string> | undefined = this.texts()): void {
    this.hold(texts);
    this.dispatchEvent(new ScenarioEvent(["pin"], true));
  }

  unpin(): void {
    this.hold(undefined);
    this.dispatchEvent(new ScenarioEvent(["pin"], true));
  }

  private hold(texts: Record<string, string> | undefined): void {
    this.other = texts && new Scenario(this.engine, this.fields, this.defaults);
    this.other?.fill(texts!);
  }

  /** The pinned scenario becomes the present one, and the present one is pinned. */
  swap(): void {
    if (!this.other) return;
    const theirs = this.other.texts();
    this.hold(this.texts());
    this.replace(theirs);
  }

  /** A scenario with settings and the one to compare it with, in the place of all that was. */
  load(texts: Record<string, string>, pinned: Record<string, string> | undefined): void {
    this.hold(pinned);
    this.reset(texts);
  }

  /** The same, but for settings of the page, which stay. */
  restore(texts: Record<string, string>, pinned: Record<string, string> | undefined): void {
    this.hold(pinned);
    this.replace(texts);
  }

  /** Has everything shown anew: what is shown has changed, not what is calculated. */
  refresh(): void {
    this.dispatchEvent(new ScenarioEvent([], false));
  }

  /** The fields that differ from their defaults, as typed, in the order of the tables; a layout names its cluster. */
  changes(): [string, string][] {
    const degrees: readonly string[] = degreeNames;
    const typed = (name: string) => {
      const held = this.entries.get(name);
      return held !== undefined && held.text !== this.defaultText(name);
    };
    const divided = degrees.some(typed);
    return [...presetNames, ...this.fields.keys()].flatMap((name): [string, string][] =>
      typed(name) || (divided && name === "cluster_gpus" && this.text("gives_way") !== name)
        ? [[name, this.text(name)]]
        : [],
    );
  }

  /** A calculation's problem by the scenario's name of its field. */
  renamed(calculation: string, problem: Problem): Problem {
    return renamed(problem, namesFor(this.engine.describe()[calculation]!.inputs)(problem.field) ?? problem.field);
  }

  /** The inputs of a calculation as the engine takes them, and the problems of those that could not be read. */
  inputs(calculation: string): { values: Record<string, unknown>; problems: Problem[] } {
    const values: Record<string, unknown> = {};
    const problems: Problem[] = [];
    const { inputs } = this.engine.describe()[calculation]!;
    const named = namesFor(inputs);
    for (const field of inputs) {
      const name = named(field.name);
      if (name === undefined || !this.fields.has(name)) continue;
      const { text, value, problem } = this.entry(name);
      // A default that this calculation does not know: its own holds.
      if (field.choices && !this.given(name) && !field.choices.includes(text)) continue;
      if (problem && (text !== "" || field.required)) problems.push(renamed(problem, field.name));
      else if (value !== undefined && text !== "") values[field.name] = value;
    }
    return { values, problems };
  }
}

/** A problem in the words of whoever knows its field by another name. */
const renamed = (problem: Problem, field: string): Problem => ({
  ...problem,
  field,
  message: problem.message.replace(new RegExp(`\\b${problem.field}\\b`), field),
});
