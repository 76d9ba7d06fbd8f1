import type { Problem } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "./html.js";
import type { Session } from "../state/session.js";
import { letSearch, searchable, searchedSettings } from "../state/settings.js";
import { fieldControl } from "./field.js";
import { labelOf } from "./labels.js";
import { autoOptions, type Chosen } from "./pins.js";

/** Settings of the software that Train's search may decide. */

/** Whether a field is one of them. */
export const isSearchable = (scenario: Session, name: string): boolean => searchable(scenario.fields).includes(name);

/** A setting's control: one word lets the search decide it and then shows the choice; typing pins it. */
export function settingControl(
  scenario: Session,
  name: string,
  problems: readonly Problem[],
  chosen: Chosen,
): TemplateResult {
  if (searchedSettings(scenario).includes(name))
    return fieldControl(scenario, name, problems, {
      ...autoOptions(scenario, scenario.fields.get(name)!, chosen(name)),
      stands: "",
    });
  if (scenario.readonly) return fieldControl(scenario, name, problems);
  const label = `auto: let the search decide ${labelOf(scenario, name)}`;
  const aside = html`<button type="button" class="plain let no-print" title="Let the search decide" aria-label=${label}
    @click=${() => scenario.set(letSearch(scenario, name))}>auto</button>`;
  return fieldControl(scenario, name, problems, { aside });
}
