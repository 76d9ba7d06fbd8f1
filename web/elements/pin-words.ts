import type { FieldDescription } from "#engine";
import { choiceWord, labelOf } from "./labels.js";
import { searchedInputs } from "../state/pins.js";
import type { Scenario } from "../state/scenario.js";

/** What is pinned of a layout, as sentences say it. */

/** The parts of a layout that a search decides. */
export const searched = ({ engine }: Scenario): readonly FieldDescription[] =>
  searchedInputs(engine.describe()["plan"]!.inputs);

/** A part's value in words. */
export function worded(scenario: Scenario, { name, kind }: FieldDescription, value: unknown): string {
  if (kind === "flag") return String(value) === "true" ? "on" : "off";
  return kind === "choice" ? choiceWord(scenario, name, String(value)) : String(value);
}

/** A label within a sentence: "micro-batch", but "TP" and "ZeRO stage". */
const inSentence = (label: string): string => label.replace(/^[A-Z](?=[a-z-]+( |$))/, (letter) => letter.toLowerCase());

/** What is pinned, in words: "TP 4, ZeRO stage 1, no recomputation"; empty where nothing is. */
export const inWords = (scenario: Scenario, pins: readonly (readonly [FieldDescription, unknown])[]): string =>
  pins
    .map(([field, value]) => {
      const label = inSentence(labelOf(scenario, field.name));
      return value === "none" ? `no ${label}` : `${label} ${worded(scenario, field, value)}`;
    })
    .join(", ");

/** The same of a search's inputs. */
export const pinsInWords = (scenario: Scenario, sought: Readonly<Record<string, unknown>>): string =>
  inWords(
    scenario,
    searched(scenario).flatMap((field) => (sought[field.name] === undefined ? [] : [[field, sought[field.name]]])),
  );
