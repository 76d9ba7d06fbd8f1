import type { Engine, Problem } from "#engine";
import { type Entry, isAcceptable, readEntry } from "./entry.js";
import { type Fields, isPreset, namesFor, presetNames, scenarioName } from "./fields.js";
import { degreeNames, evenDegree, settled } from "./layout.js";
import { fillerOf } from "./presets.js";
import { follows, resolvedText } from "./resolver.js";
import { withoutTyped } from "./settings.js";
import { Sizes } from "./sizes.js";
import type { Texts } from "./texts.js";

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

/** Every input as typed. Inputs that are not set have their default. */
export class Scenario extends EventTarget implements Texts {
  private readonly entries = new Map<string, Entry>();
  /** Whether it belongs to one view in another page: then there are no other views to lead to. */
  alone = false;
  /** How its sizes are written. */
  sizes = new Sizes();

  constructor(
    readonly engine: Engine,
    readonly fields: Fields,
    /** Texts that hold where nothing is set, for fields without a default of their own or with a better one here. */
    readonly defaults: Readonly<Record<string, string>>,
  ) {
    super();
  }

  /** The text of a field that was not touched. */
  defaultText(given: string): string {
    const name = scenarioName(given);
    const field = this.fields.get(name);
    const resolved = resolvedText(this, name);
    if (resolved === undefined && name === "tensor_parallel" && this.defaults[name] !== undefined)
      return String(evenDegree(Number(this.defaults[name]), this.number("num_heads")));
    return resolved ?? this.defaults[name] ?? (field?.default === undefined ? "" : String(field.default));
  }

  /** The usual tensor degree, where a text is what stands in for it, since the model's heads cannot be split over it. */
  unevenDegree(text: string): string | undefined {
    const usual = this.defaults["tensor_parallel"];
    return text !== usual && text === this.defaultText("tensor_parallel") ? usual : undefined;
  }

  /** What each field's text was last read as, here and in those that `saying` makes. */
  private readings = new Map<string, Entry>();

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

  /** How often the shown step was set. */
  stepsSaid = 0;

  /** Sets fields, each to the text typed for it. */
  set(texts: Record<string, string>): void {
    this.change(texts, []);
  }

  /** Sets fields and forgets others, as one change; the layout stays one that multiplies. */
  change(given: Record<string, string>, forgotten: readonly string[]): void {
    const named = Object.fromEntries(Object.entries(given).map(([name, text]) => [scenarioName(name), text]));
    const { texts: laidOut, released } = settled(this, named, (name, text) =>
      isAcceptable(this.fields.get(name)!, text),
    );
    const texts = withoutTyped(this, laidOut);
    // What a configuration left out is of the model that was read from it.
    const stale = forgotten.includes("model") || ("model" in named && !("left_out" in named)) ? ["left_out"] : [];
    const dropped = [...released, ...forgotten, ...stale];
    const touched = [...new Set([...Object.keys(named), ...Object.keys(texts), ...dropped])];
    const before = touched.map((name) => this.text(name));
    for (const name of dropped) this.entries.delete(name);
    for (const [name, text] of Object.entries(texts)) this.entries.set(name, this.made(name, text));
    // A step that is said once more is gone back to: its figure may have been moved by hand.
    const again = "step" in named;
    if (again) this.stepsSaid++;
    const changed = touched.filter((name, index) => this.text(name) !== before[index] || (again && name === "step"));
    if (changed.length > 0)
      this.dispatchEvent(new ScenarioEvent(changed, Object.keys(given).length !== 1 || forgotten.length > 0));
  }

  /** Whether a field was set, if only by a preset. */
  given(input: string): boolean {
    const name = scenarioName(input);
    const filler = fillerOf(this, name);
    return this.entries.has(name) || (filler !== undefined && this.given(filler));
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

  /** Another scenario of the same fields, which says `texts` and nothing else. */
  saying(texts: Readonly<Record<string, string>>): Scenario {
    const other = new Scenario(this.engine, this.fields, this.defaults);
    other.alone = this.alone;
    other.sizes = this.sizes;
    other.readings = this.readings;
    other.fill(texts);
    return other;
  }

  /** Replaces everything that is set by texts, without an event. */
  protected fill(texts: Readonly<Record<string, string>>): void {
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

  /** All that is set, settings of the page too. */
  everything(): Record<string, string> {
    return Object.fromEntries([...this.entries].map(([name, { text }]) => [name, text]));
  }

  /** Puts `texts` in the place of all that is the scenario's own; settings of the page stay. */
  replace(texts: Record<string, string>): void {
    const settings = [...this.entries].filter(([name]) => !this.owns(name)).map(([name, { text }]) => [name, text]);
    this.reset({ ...Object.fromEntries(settings), ...texts });
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

/** A problem with its field under another name. */
const renamed = (problem: Problem, field: string): Problem => ({
  ...problem,
  field,
  message: problem.message.replace(new RegExp(`\\b${problem.field}\\b`), field),
});
