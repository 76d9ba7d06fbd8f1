import { nothing, type TemplateResult } from "lit";
import {
  offered,
  ofCheckpoint,
  type Precision,
  precisionOf,
  servingPrecisions,
  trainingPrecisions,
} from "../state/precision.js";
import type { Session } from "../state/session.js";
import { letSearch, searchedSettings } from "../state/settings.js";
import { html } from "./html.js";
import { autoOptions, type Chosen } from "./pins.js";

/** Options besides the precisions: text, whether it is active, what it sets. */
interface Other {
  name: string;
  now: boolean;
  sets: Readonly<Record<string, string>>;
}

/** One choice for all fields of a precision. */
function control(
  scenario: Session,
  precisions: readonly Precision[],
  nameOf: (one: Precision) => string,
  auto?: Other,
): TemplateResult {
  const now = auto?.now ? undefined : precisionOf(scenario, precisions);
  const choices = offered(scenario, precisions);
  const pick = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    const picked = value === "auto" ? auto?.sets : precisions.find(({ id }) => id === value)?.fields;
    if (picked) scenario.set(picked);
  };
  return html`<div class="field"><label for="precision">Precision</label>
    <select id="precision" name="precision" ?disabled=${scenario.readonly} @change=${pick}>
      ${now || auto?.now ? nothing : html`<option value="" selected>as set below</option>`}
      ${auto ? html`<option value="auto" ?selected=${auto.now}>${auto.name}</option>` : nothing}
      ${choices.map((one) => html`<option value=${one.id} ?selected=${one === now}>${nameOf(one)}</option>`)}</select>
    <span class="note"></span></div>`;
}

/** A server's precision. */
export function servingPrecisionControl(scenario: Session): TemplateResult {
  const own = ofCheckpoint(scenario);
  return control(scenario, servingPrecisions, (one) => `${one.name}${one === own ? " (checkpoint)" : ""}`);
}

/** A training run's precision, which the search may decide. */
export function trainingPrecisionControl(scenario: Session, chosen: Chosen): TemplateResult {
  const name = "matmul_precision";
  const now = searchedSettings(scenario).includes(name);
  const words = autoOptions(scenario, scenario.fields.get(name)!, now ? chosen(name) : undefined).choiceLabels![""]!;
  return control(scenario, trainingPrecisions, (one) => one.name, {
    name: words,
    now,
    sets: letSearch(scenario, name),
  });
}
