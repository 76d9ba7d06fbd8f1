import type { FieldDescription, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { fieldControl, type FieldOptions } from "./field.js";
import { labelOf } from "./labels.js";
import { inWords, searched, worded } from "./pin-words.js";
import { fieldChoices } from "../state/fields.js";
import { pinName } from "../state/pins.js";
import type { Scenario } from "../state/scenario.js";
import type { Session } from "../state/session.js";
import { unpinned } from "../state/trained.js";
import styles from "./pins.css?inline";

/** Every part of a layout: the search chooses what is left empty, and keeps the rest. */

/** Whether an input is part of what a search decides. */
export const isSearchedPart = (scenario: Scenario, name: string): boolean =>
  searched(scenario).some((field) => field.name === name);

const isPinned = (scenario: Scenario, name: string): boolean => scenario.text(pinName(name)) !== "";

/** Whether any of it is pinned. */
export const isAnyPinned = (scenario: Scenario): boolean =>
  searched(scenario).some(({ name }) => isPinned(scenario, name));

/** The search's choice for a part of the layout; nothing while it is not known. */
export type Chosen = (name: string) => unknown;

/** A control's text while the search decides its field. */
export function autoOptions(scenario: Scenario, field: FieldDescription, found: unknown): FieldOptions {
  const auto = found === undefined ? "auto" : `auto: ${worded(scenario, field, found)}`;
  const choices = field.kind === "flag" ? ["true", "false"] : fieldChoices(field);
  // The style shows that a number was not typed: a box of a column has no room for more.
  if (!choices) return { follows: found === undefined ? "auto" : String(found) };
  const words = choices.map((choice) => [choice, worded(scenario, field, choice)] as const);
  return { choices: ["", ...choices], choiceLabels: { "": auto, ...Object.fromEntries(words) } };
}

/** The control that pins a part of the layout; if empty, it shows the search's choice. */
export function pinControl(
  scenario: Session,
  name: string,
  problems: readonly Problem[],
  chosen: Chosen,
): TemplateResult {
  const field = searched(scenario).find((one) => one.name === name)!;
  return fieldControl(scenario, pinName(field.name), problems, autoOptions(scenario, field, chosen(name)));
}

/** Fields that exist only for a model with experts. */
const ofExperts: readonly string[] = ["expert_parallel", "expert_tensor_parallel"];

const pinnedOf = (scenario: Scenario): FieldDescription[] =>
  searched(scenario).filter(({ name }) => isPinned(scenario, name));

/** The pins, as typed: "TP 4, ZeRO stage 1". */
const pinnedInWords = (scenario: Scenario): string =>
  inWords(
    scenario,
    pinnedOf(scenario).map((field) => [field, scenario.text(pinName(field.name))]),
  );

/** Returns the layout to the search. */
export function unpinButton(scenario: Session): TemplateResult | typeof nothing {
  const pinned = pinnedOf(scenario);
  if (pinned.length === 0 || scenario.readonly) return nothing;
  return html`<button type="button" class="plain no-print" @click=${() => scenario.set(unpinned(scenario))}>Unpin ${pinned.length === 1 ? labelOf(scenario, pinned[0]!.name) : `all ${pinned.length}`}</button>`;
}

/** The layout as a form, with what the search chose where nothing is pinned; folded away unless `open`. */
export function pinForm(
  scenario: Session,
  problems: readonly Problem[],
  chosen: Chosen,
  open: boolean,
): TemplateResult {
  const pinned = pinnedOf(scenario);
  const shown = searched(scenario).filter(
    (field) => !ofExperts.includes(field.name) || scenario.number("num_experts") > 1 || pinned.includes(field),
  );
  const words = pinnedInWords(scenario);
  return html`<details class="pins" ?open=${open}>
    <summary>Layout: ${words ? html`<b>${words}</b> pinned, the rest searched` : "all of it searched"}</summary>
    <p class="small soft">Type a value or choose one to pin it: the search keeps it and finds the rest.
      ${unpinButton(scenario)}</p>
    <div class="controls">${shown.map(({ name }) => pinControl(scenario, name, problems, chosen))}</div>
  </details>`;
}

export const pinStyles = unsafeCSS(styles);
