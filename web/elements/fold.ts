import { nothing, type TemplateResult } from "lit";
import { html } from "./html.js";
import type { Scenario } from "../state/scenario.js";
import { choiceWord, labelOf } from "./labels.js";

/** How many of a fold's contents are named. */
const most = 2;

/** The line of a fold: its title, and which of its contents differ from the usual. */
export function foldLine(scenario: Scenario, title: string, names: readonly string[]): TemplateResult {
  const changed = names.filter((name) => scenario.text(name) !== scenario.defaultText(name));
  const said = changed.slice(0, most).map((name) => {
    const text = scenario.text(name);
    const { kind, unit } = scenario.fields.get(name)!;
    const word = kind === "flag" ? (text === "true" ? "on" : "off") : choiceWord(scenario, name, text);
    const counted = kind === "text" ? "" : text === "1" ? unit.replace(/(?<=[a-zA-Z]{3})s$/, "") : unit;
    return `${labelOf(scenario, name)} ${word} ${counted}`.trimEnd();
  });
  const more = changed.length > most ? ` and ${changed.length - most} more` : "";
  return html`<span>${title}</span>${said.length > 0 ? html`<span data-held>: ${said.join(", ")}${more}</span>` : nothing}`;
}
