import type { FieldDescription } from "#engine";
import type { Texts } from "./texts.js";

/** Software settings that a search decides if its reader lets it; what is typed is no longer searched. */

/** The field that lists them. */
export const searchedName = "searched_settings";

type Fields = ReadonlyMap<string, FieldDescription>;

/** Those that a search may decide. */
export const searchable = (fields: Fields): readonly string[] => fields.get(searchedName)?.choices ?? [];

const listed = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** Those that it decides. */
export const searchedSettings = (scenario: Texts): string[] => listed(scenario.text(searchedName));

/** Lets the search decide one more. */
export const letSearch = (scenario: Texts, name: string): Record<string, string> => ({
  [searchedName]: [...new Set([...searchedSettings(scenario), name])].join(","),
});

/** What is set, so that a setting with a value of its own is not searched. */
export function withoutTyped(scenario: Texts, texts: Readonly<Record<string, string>>): Record<string, string> {
  const searched = searchedSettings(scenario);
  const left = searched.filter((name) => !(name in texts));
  if (searchedName in texts || left.length === searched.length) return { ...texts };
  return { ...texts, [searchedName]: left.join(",") };
}
