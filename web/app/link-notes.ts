import { beyondLongest, colorChoices, settingNames } from "../state/link.js";
import { presetsOf } from "../state/presets.js";
import type { Scenario } from "../state/scenario.js";
import { nearest } from "../state/suggest.js";
import { views } from "./views.js";

/** The note about a link, or a tag, that asks for unknown things. */

const preset = /^(pin\.)?(model|link|system)=(.*)$/s;
const setting = /^((?:pin\.)?[a-z_]+)=(.*)$/s;
const mostNames = 12;
const mostLetters = 40;

const cut = (text: string): string => (text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);

/** As many of them as fit in a sentence, each in words. */
function listed(said: readonly string[], words: (one: string) => string): string {
  const shown = said.slice(0, mostNames).map(words).join(", ");
  return said.length > mostNames ? `${shown} and ${said.length - mostNames} more` : shown;
}

/** What a name may refer to, which values it may have, and the same in words. */
interface Vocabulary {
  names: readonly string[];
  choices: (name: string) => readonly string[];
  allowed: (name: string) => string;
}

/** The words that links and tags may use. */
function vocabularyOf(scenario: Scenario): Vocabulary {
  const presets = (kind: "model" | "link" | "system") => presetsOf[kind](scenario).map(({ id }) => id);
  const choices = (name: string): readonly string[] => {
    if (name === "view") return views.map(({ id }) => id);
    if (name === "colors") return colorChoices;
    if (name === "model" || name === "link" || name === "system") return presets(name);
    return scenario.fields.get(name)?.choices ?? [];
  };
  const allowed = (name: string): string => {
    const { choices: all = [], allowed: words = "" } = scenario.fields.get(name) ?? {};
    return all.length > mostNames ? `one of its ${all.length} choices` : words;
  };
  return { names: [...scenario.fields.keys(), ...settingNames, "colors"], choices, allowed };
}

/** In brackets, for a list; empty if nothing is close. */
function perhaps(typed: string, among: Iterable<string>): string {
  const name = nearest(typed, among);
  return name === undefined ? "" : ` (did you mean ${name}?)`;
}

/** A sentence with what was likely meant at its end. */
function sentence(text: string, typed: string, among: Iterable<string>): string {
  const name = nearest(typed, among);
  return name === undefined ? `${text}.` : `${text}; did you mean ${name}?`;
}

function noteOf(said: string, { choices }: Vocabulary): string | undefined {
  if (said === beyondLongest) return "The link is too long; its end was not read.";
  const [, pinned, kind, id] = preset.exec(said) ?? [];
  if (kind) return sentence(`There is no ${kind} “${cut(id!)}”${pinned ? " to compare with" : ""}`, id!, choices(kind));
  const [, name, value] = setting.exec(said) ?? [];
  if (name === undefined) return undefined;
  if (name === "calibration") return `There is no calibration “${cut(value!)}” in this browser.`;
  const of = choices(name.replace(/^pin\./, ""));
  if (of.includes(value!)) return `${name} cannot be “${cut(value!)}” on this hardware.`;
  if (name === "view") return sentence(`There is no view “${cut(value!)}”`, value!, of);
  return sentence(`${name} cannot be “${cut(value!)}”`, value!, of);
}

/** Where it was written: in a link, or in a tag of another page. */
type Speaker = "link" | "tag";

/** Sentences about what was left out (`unknown`: names alone, or name=value) and what its field has instead. */
export function linkNotes(
  scenario: Scenario,
  unknown: readonly string[],
  wrong: readonly string[],
  speaker: Speaker = "link",
): string[] {
  const vocabulary = vocabularyOf(scenario);
  const notes = unknown.map((said) => noteOf(said, vocabulary));
  const names = unknown.filter((_, index) => !notes[index]);
  const values = notes.filter((note) => note !== undefined);
  const guessed = (name: string) => `${cut(name)}${perhaps(name.replace(/^pin\./, ""), vocabulary.names)}`;
  const mistaken = (said: string) => {
    const [, name, value] = setting.exec(said) ?? [];
    if (name === undefined) return cut(said);
    return `${cut(said)}${perhaps(value!, vocabulary.choices(name)) || ` (must be ${vocabulary.allowed(name)})`}`;
  };
  return [
    ...(names.length > 0 ? [`The ${speaker} also says ${listed(names, guessed)}, which this page does not know.`] : []),
    ...values.slice(0, mostNames),
    ...(values.length > mostNames ? [`${values.length - mostNames} more values are unknown.`] : []),
    ...(unknown.length > 0 ? ["What is unknown was left out."] : []),
    ...(wrong.length > 0 ? [`The ${speaker} gives values that cannot be: ${listed(wrong, mistaken)}.`] : []),
  ];
}
