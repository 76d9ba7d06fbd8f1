import type { FieldDescription, Problem } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { fieldControl } from "../../elements/field.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { pinName, searchedInputs } from "../../state/pins.js";
import type { PlanRow } from "../../state/planned-layout.js";
import type { Scenario } from "../../state/scenario.js";
import type { Session } from "../../state/session.js";
import styles from "./pins.css?inline";

/** Every part of a layout: the search chooses what is left empty, and keeps what is not. */

const searched = ({ engine }: Scenario): FieldDescription[] => searchedInputs(engine.describe()["plan"]!.inputs);

/** The scenario's names of all pins. */
export const pinNames = (scenario: Scenario): string[] => searched(scenario).map(({ name }) => pinName(name));

const isPinned = (scenario: Scenario, name: string): boolean => scenario.text(pinName(name)) !== "";

/** Whether anything is. */
export const isAnyPinned = (scenario: Scenario): boolean =>
  searched(scenario).some(({ name }) => isPinned(scenario, name));

/** A part's value in words. */
function worded(scenario: Scenario, { name, kind }: FieldDescription, value: unknown): string {
  if (kind === "flag") return String(value) === "true" ? "on" : "off";
  return kind === "choice" ? choiceWord(scenario, name, String(value)) : String(value);
}

/** What is pinned, in words: "TP 4, ZeRO stage 1"; empty where nothing is. */
const said = (scenario: Scenario, pins: readonly (readonly [FieldDescription, unknown])[]): string =>
  pins.map(([field, value]) => `${labelOf(scenario, field.name)} ${worded(scenario, field, value)}`).join(", ");

/** The same of a search's inputs. */
export const pinsInWords = (scenario: Scenario, sought: Readonly<Record<string, unknown>>): string =>
  said(
    scenario,
    searched(scenario).flatMap((field) => (sought[field.name] === undefined ? [] : [[field, sought[field.name]]])),
  );

function pinControl(
  scenario: Session,
  field: FieldDescription,
  problems: readonly Problem[],
  best: PlanRow | undefined,
): TemplateResult {
  const found = best?.[field.name as keyof PlanRow];
  const auto = found === undefined ? "auto" : `auto: ${worded(scenario, field, found)}`;
  const choices = field.kind === "flag" ? ["true", "false"] : field.choices;
  if (!choices) return fieldControl(scenario, pinName(field.name), problems, { follows: auto });
  const words = choices.map((choice) => [choice, worded(scenario, field, choice)] as const);
  return fieldControl(scenario, pinName(field.name), problems, {
    choices: ["", ...choices],
    choiceLabels: { "": auto, ...Object.fromEntries(words) },
  });
}

/** What only a model with experts has. */
const ofExperts: readonly string[] = ["expert_parallel", "expert_tensor_parallel"];

/** The layout as a form, with what the search chose where nothing is pinned; folded away unless `open`. */
export function pinForm(
  scenario: Session,
  problems: readonly Problem[],
  best: PlanRow | undefined,
  open: boolean,
): TemplateResult {
  const pinned = searched(scenario).filter(({ name }) => isPinned(scenario, name));
  const release = () => scenario.set(Object.fromEntries(pinned.map(({ name }) => [pinName(name), ""])));
  const shown = searched(scenario).filter(
    (field) => !ofExperts.includes(field.name) || scenario.number("num_experts") > 1 || pinned.includes(field),
  );
  const words = said(
    scenario,
    pinned.map((field) => [field, scenario.text(pinName(field.name))]),
  );
  return html`<details class="pins" ?open=${open}>
    <summary>Layout: ${words ? html`<b>${words}</b> pinned, the rest searched` : "all of it searched"}</summary>
    <p class="small soft">Type a value or choose one to pin it: the search keeps it and finds the rest.
      ${
        pinned.length > 0 && !scenario.readonly
          ? html`<button type="button" class="plain no-print" @click=${release}>Unpin ${pinned.length === 1 ? labelOf(scenario, pinned[0]!.name) : `all ${pinned.length}`}</button>`
          : nothing
      }</p>
    <div class="controls">${shown.map((field) => pinControl(scenario, field, problems, best))}</div>
  </details>`;
}

export const pinStyles = unsafeCSS(styles);
