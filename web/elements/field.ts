import type { FieldDescription, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { follows } from "../state/resolver.js";
import { understood } from "../state/format.js";
import { choose } from "../state/chosen.js";
import { fieldChoices } from "../state/fields.js";
import { fileOf } from "../state/job-files.js";
import { chosenPreset, filledText, fillerOf } from "../state/presets.js";
import type { Session } from "../state/session.js";
import { servingRecipe } from "../state/serving.js";
import { descriptionOf, helpWords } from "./help-words.js";
import { choiceWord, labelOf } from "./labels.js";
import { saidProblem } from "./problem-words.js";
import styles from "./field.css?inline";

/** Options of a control beyond its field. */
export interface FieldOptions {
  label?: string;
  /** Words for the choices, if this view has its own. */
  choiceLabels?: Readonly<Record<string, string>>;
  /** The choices to offer, if not all make sense. */
  choices?: readonly string[];
  /** The default: another input's text, shown in its place. */
  follows?: string;
  /** Shown in the control instead of the field's own text. */
  stands?: string;
  /** What is offered next to it. */
  aside?: TemplateResult;
}

/** Counts that step by one; other whole numbers step through powers of two. */
const counted = new Set(["num_layers", "allreduces_per_layer", "virtual_stages"]);

function stepped(field: FieldDescription, value: number, up: boolean): number {
  const clamp = (next: number) => Math.min(field.greatest!, Math.max(field.least!, next));
  if (field.kind === "real") return clamp(Number((up ? value * 1.25 : value / 1.25).toPrecision(4)));
  if (counted.has(field.name)) return clamp(Math.round(value) + (up ? 1 : -1));
  const power = Math.log2(Math.max(1, value));
  return clamp(up ? 2 ** Math.floor(power + 1) : 2 ** Math.ceil(power - 1));
}

/** The number that a field shows: its own, or what it follows. */
const shownNumber = (scenario: Session, { name }: FieldDescription, options: FieldOptions): number =>
  options.follows !== undefined && following(scenario, name, options) ? Number(options.follows) : scenario.number(name);

function onStep(scenario: Session, field: FieldDescription, event: KeyboardEvent, options: FieldOptions): void {
  if ((event.key !== "ArrowUp" && event.key !== "ArrowDown") || event.altKey || event.ctrlKey || event.metaKey) return;
  const value = shownNumber(scenario, field, options);
  if (!Number.isFinite(value)) return;
  event.preventDefault();
  scenario.set({ [field.name]: String(stepped(field, value, event.key === "ArrowUp")) });
}

/** How far a label is dragged, px, for one step of its number. */
const scrubbed = 14;

/** Dragging a number's label steps it; a click still goes to the field. */
function onScrub(scenario: Session, field: FieldDescription, down: PointerEvent, options: FieldOptions): void {
  if (down.button !== 0 || scenario.readonly) return;
  const label = down.currentTarget as HTMLElement;
  let from = down.clientX;
  const move = (event: PointerEvent) => {
    const value = shownNumber(scenario, field, options);
    if (Math.abs(event.clientX - from) < scrubbed || !Number.isFinite(value)) return;
    const up = event.clientX > from;
    from = event.clientX;
    label.setPointerCapture(event.pointerId);
    scenario.set({ [field.name]: String(stepped(field, value, up)) });
  };
  const end = () => label.removeEventListener("pointermove", move);
  label.addEventListener("pointermove", move);
  label.addEventListener("lostpointercapture", end, { once: true });
  addEventListener("pointerup", end, { once: true });
}

const problemOf = (problems: readonly Problem[], name: string) => problems.find((problem) => problem.field === name);

/** A choice that fills other fields does so. */
function pick(scenario: Session, name: string, value: string): void {
  if (name === "accelerator" || name === "recipe" || name === servingRecipe) choose(scenario, name, value);
  else scenario.set({ [name]: value });
}

function select(
  scenario: Session,
  field: FieldDescription,
  id: string,
  described: string,
  bad: boolean,
  options: FieldOptions,
) {
  const text = options.stands ?? scenario.text(field.name);
  const choices = options.choices ?? fieldChoices(field)!;
  const known = choices.includes(text);
  return html`<select id=${id} name=${field.name} ?disabled=${scenario.readonly} aria-describedby=${described}
      aria-invalid=${bad ? "true" : nothing} .value=${text}
      @change=${(event: Event) => pick(scenario, field.name, (event.target as HTMLSelectElement).value)}>
    ${known ? nothing : html`<option value=${text} selected>${choiceWord(scenario, field.name, text)}</option>`}
    ${choices.map(
      (choice) => html`<option value=${choice} ?selected=${choice === text}>
      ${options.choiceLabels?.[choice] ?? choiceWord(scenario, field.name, choice)}</option>`,
    )}
  </select>`;
}

/** Whether a field is empty because it follows another. */
const following = (scenario: Session, name: string, options: FieldOptions) =>
  (options.follows !== undefined || follows(name)) &&
  ["", scenario.defaultText(name)].includes(options.stands ?? scenario.text(name));

function input(
  scenario: Session,
  field: FieldDescription,
  id: string,
  described: string,
  bad: boolean,
  options: FieldOptions,
) {
  const standIn = options.follows ?? (follows(field.name) ? scenario.defaultText(field.name) : nothing);
  return html`<input id=${id} name=${field.name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
      .value=${following(scenario, field.name, options) ? "" : (options.stands ?? scenario.text(field.name))} placeholder=${standIn} ?readonly=${scenario.readonly} aria-describedby=${described}
      aria-invalid=${bad ? "true" : nothing}
      @input=${(event: Event) => scenario.set({ [field.name]: (event.target as HTMLInputElement).value })}
      @keydown=${(event: KeyboardEvent) => !scenario.readonly && onStep(scenario, field, event, options)} />`;
}

/** A field that a preset fills and that was typed over: its original value, one click away. */
function typedOver(scenario: Session, name: string): TemplateResult | undefined {
  const filled = filledText(scenario, name);
  if (filled === undefined || filled === scenario.text(name)) return undefined;
  const from = chosenPreset(scenario, fillerOf(scenario, name)!)!
    .name.replace(/[,(].*/, "")
    .trim();
  const was = scenario.fields.get(name)!.choices ? choiceWord(scenario, name, filled) : filled;
  return scenario.readonly
    ? html`${from}: ${was}`
    : html`<button type="button" class="plain back" @click=${() => scenario.unset(name)}><span class="visually-hidden">${labelOf(scenario, name)}, back to </span>${from}: ${was} ↺</button>`;
}

/** A field whose text comes from a file of the reader’s, and which file: a dot on screen, words in its description. */
export function fileMark(scenario: Session, name: string): { dot: TemplateResult; words: TemplateResult } | undefined {
  const file = fileOf(scenario, name);
  return file === undefined
    ? undefined
    : {
        dot: html` <span class="from-file" title=${`From ${file}`} aria-hidden="true">●</span>`,
        words: html`<span class="visually-hidden">From ${file}.</span>`,
      };
}

/** The control of one input: label, what was typed, what was understood, what is wrong. */
export function fieldControl(
  scenario: Session,
  name: string,
  problems: readonly Problem[],
  options: FieldOptions = {},
): TemplateResult {
  const field = scenario.fields.get(name);
  if (!field) throw new Error(`No calculation has an input ${name}`);
  const id = `field-${name}`;
  const entry = scenario.entry(name);
  const problem = problemOf(problems, name);
  const described = `${id}-help ${id}-note`;
  const label = options.label ?? labelOf(scenario, name);
  const wrong = (message: string) =>
    html`<span class="error">${saidProblem(scenario, options.label ? message.replaceAll(name, label) : message)}</span>`;
  // "GPUs GPUs" would repeat itself; a degree is its own unit.
  const said = /^[A-Z]+$/.test(label) || label.toLowerCase().includes(field.unit.toLowerCase());
  const unit = said ? "" : field.unit === "us" ? "µs" : field.unit;
  const mark = fileMark(scenario, name);
  if (field.kind === "flag" && !options.choices) {
    return html`<div class="field flag"><label for=${id}>
        <input id=${id} name=${name} type="checkbox" .checked=${entry.value === true} ?disabled=${scenario.readonly}
          aria-describedby=${described}
          @change=${(event: Event) => scenario.set({ [name]: String((event.target as HTMLInputElement).checked) })} />
        ${label}${mark?.dot ?? nothing}</label>
      <span id="${id}-help" class="visually-hidden">${descriptionOf(scenario, field)}</span>
      <span id="${id}-note" class="note">${mark?.words ?? nothing}${problem ? wrong(problem.message) : (typedOver(scenario, name) ?? nothing)} ${options.aside ?? nothing}</span></div>`;
  }
  const chooses = (options.choices ?? fieldChoices(field)) !== undefined;
  const control = chooses ? select : input;
  const note = problem
    ? wrong(problem.message)
    : options.stands !== undefined || following(scenario, name, options)
      ? nothing
      : html`${entry.spelled && typeof entry.value === "number" ? understood(entry.value, field.unit) : nothing} ${typedOver(scenario, name) ?? nothing}`;
  const drags = !chooses && (field.kind === "whole" || field.kind === "real");
  const scrub = (event: PointerEvent) => drags && onScrub(scenario, field, event, options);
  const unitWords = unit
    ? html` <span class="unit ${/^[a-z]{4,}/.test(unit) ? "counted" : ""}">${unit}</span>`
    : nothing;
  return html`<div class="field ${drags ? "drags" : ""}">
    <label for=${id} title=${helpWords(scenario, field)} @pointerdown=${scrub}>${label}${unitWords}${mark?.dot ?? nothing}</label>
    ${control(scenario, field, id, described, problem !== undefined, options)}
    <span id="${id}-help" class="visually-hidden">${descriptionOf(scenario, field)}</span>
    <span id="${id}-note" class="note number">${mark?.words ?? nothing}${note} ${options.aside ?? nothing}</span>
  </div>`;
}

/** All problems in one place, each linking to its field; those of fields in this form are shown only there. */
export function problemSummary(
  scenario: Session,
  problems: readonly Problem[],
  shown: readonly string[],
  when: "always" | "beyond the fields" = "beyond the fields",
): TemplateResult | typeof nothing {
  const elsewhere = problems.filter((problem) => !shown.includes(problem.field));
  const listed = when === "always" || problems.length > 1 ? problems : elsewhere;
  if (listed.length === 0) return nothing;
  return html`<div class="problems" role=${when === "always" ? nothing : "alert"}>
    <ul>${listed.map(
      (problem) =>
        html`<li>${
          shown.includes(problem.field)
            ? html`<a href="#field-${problem.field}" @click=${focusField}>${saidProblem(scenario, problem.message)}</a>`
            : saidProblem(scenario, problem.message)
        }</li>`,
    )}</ul>
  </div>`;
}

function focusField(event: Event): void {
  event.preventDefault();
  const anchor = event.currentTarget as HTMLAnchorElement;
  const id = anchor.getAttribute("href")!;
  const here = (anchor.getRootNode() as ShadowRoot).querySelector<HTMLElement>(id);
  if (here) {
    here.closest("details")?.setAttribute("open", "");
    here.focus();
  }
  // The field is in the scenario's own form, whose owner leads there.
  else
    anchor.dispatchEvent(
      new CustomEvent("focus-field", { detail: id.slice("#field-".length), bubbles: true, composed: true }),
    );
}

export const fieldStyles = unsafeCSS(styles);
