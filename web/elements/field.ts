import type { FieldDescription, Problem } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import { understood } from "../state/format.js";
import type { Scenario } from "../state/scenario.js";
import { labelOf } from "./labels.js";

/** What a control may be told beyond its field. */
export interface FieldOptions {
  label?: string;
  /** Texts to offer beside typing, as a datalist. */
  suggestions?: readonly string[];
  /** Words for the choices, where their names are not enough. */
  choiceLabels?: Readonly<Record<string, string>>;
  /** Choices to offer, where not all make sense. */
  choices?: readonly string[];
  /** What holds while nobody has typed: another input's text, shown in its place. */
  follows?: string;
}

/** Counts that grow by one; other whole numbers step through powers of two. */
const counted = new Set(["num_layers", "allreduces_per_layer", "zero_stage", "virtual_stages", "root"]);

function stepped(field: FieldDescription, value: number, up: boolean): number {
  const clamp = (next: number) => Math.min(field.greatest!, Math.max(field.least!, next));
  if (field.kind === "real") return clamp(Number((up ? value * 1.25 : value / 1.25).toPrecision(4)));
  if (counted.has(field.name)) return clamp(Math.round(value) + (up ? 1 : -1));
  const power = Math.log2(Math.max(1, value));
  return clamp(up ? 2 ** Math.floor(power + 1) : 2 ** Math.ceil(power - 1));
}

function onStep(scenario: Scenario, field: FieldDescription, event: KeyboardEvent): void {
  if ((event.key !== "ArrowUp" && event.key !== "ArrowDown") || event.altKey || event.ctrlKey || event.metaKey) return;
  const value = scenario.number(field.name);
  if (!Number.isFinite(value)) return;
  event.preventDefault();
  scenario.set({ [field.name]: String(stepped(field, value, event.key === "ArrowUp")) });
}

const problemOf = (problems: readonly Problem[], name: string) => problems.find((problem) => problem.field === name);

function select(
  scenario: Scenario,
  field: FieldDescription,
  id: string,
  described: string,
  bad: boolean,
  options: FieldOptions,
) {
  const text = scenario.text(field.name);
  const choices = options.choices ?? field.choices!;
  const known = choices.includes(text);
  return html`<select id=${id} name=${field.name} ?disabled=${scenario.readonly} aria-describedby=${described}
      aria-invalid=${bad ? "true" : nothing} .value=${text}
      @change=${(event: Event) => scenario.set({ [field.name]: (event.target as HTMLSelectElement).value })}>
    ${known ? nothing : html`<option value=${text} selected>${text}</option>`}
    ${choices.map(
      (choice) => html`<option value=${choice} ?selected=${choice === text}>
      ${options.choiceLabels?.[choice] ?? choice.replaceAll("_", " ")}</option>`,
    )}
  </select>`;
}

/** Whether a field stands empty for what it follows. */
const following = (scenario: Scenario, name: string, options: FieldOptions) =>
  options.follows !== undefined && ["", scenario.defaultText(name)].includes(scenario.text(name));

function input(
  scenario: Scenario,
  field: FieldDescription,
  id: string,
  described: string,
  bad: boolean,
  options: FieldOptions,
) {
  const list = options.suggestions ? `${id}-list` : undefined;
  return html`<input id=${id} name=${field.name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false"
      .value=${following(scenario, field.name, options) ? "" : scenario.text(field.name)} placeholder=${options.follows ?? nothing} ?readonly=${scenario.readonly} list=${list ?? nothing} aria-describedby=${described}
      aria-invalid=${bad ? "true" : nothing}
      @input=${(event: Event) => scenario.set({ [field.name]: (event.target as HTMLInputElement).value })}
      @keydown=${(event: KeyboardEvent) => !scenario.readonly && onStep(scenario, field, event)} />
    ${list ? html`<datalist id=${list}>${options.suggestions!.map((text) => html`<option value=${text}></option>`)}</datalist>` : nothing}`;
}

/** The control of one input: label, what was typed, what was understood, what is wrong. */
export function fieldControl(
  scenario: Scenario,
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
  const label = options.label ?? labelOf(name);
  // "GPUs GPUs" says it twice.
  const unit = label.toLowerCase().includes(field.unit.toLowerCase()) ? "" : field.unit;
  if (field.kind === "flag") {
    return html`<div class="field flag"><label for=${id}>
        <input id=${id} name=${name} type="checkbox" .checked=${entry.value === true} ?disabled=${scenario.readonly}
          aria-describedby=${described}
          @change=${(event: Event) => scenario.set({ [name]: String((event.target as HTMLInputElement).checked) })} />
        ${label}</label>
      <span id="${id}-help" class="visually-hidden">${field.help}</span>
      <span id="${id}-note" class="note">${problem ? html`<span class="error">${problem.message}</span>` : nothing}</span></div>`;
  }
  const control = field.kind === "choice" ? select : input;
  const note = problem
    ? html`<span class="error">${problem.message}</span>`
    : following(scenario, name, options)
      ? nothing
      : entry.spelled && typeof entry.value === "number"
        ? understood(entry.value, field.unit)
        : nothing;
  return html`<div class="field">
    <label for=${id} title=${field.help}>${label}${unit ? html` <span class="unit">${unit}</span>` : nothing}</label>
    ${control(scenario, field, id, described, problem !== undefined, options)}
    <span id="${id}-help" class="visually-hidden">${field.help}; ${field.allowed}</span>
    <span id="${id}-note" class="note number">${note}</span>
  </div>`;
}

/** All problems in one place, each leading to its field; shown where there is more than one, or none of a field. */
export function problemSummary(
  problems: readonly Problem[],
  shown: readonly string[],
): TemplateResult | typeof nothing {
  const elsewhere = problems.filter((problem) => !shown.includes(problem.field));
  const listed = problems.length > 1 ? problems : elsewhere;
  if (listed.length === 0) return nothing;
  return html`<div class="problems" role="alert">
    <p>${listed.length === 1 ? "One thing stands in the way:" : `${listed.length} things stand in the way:`}</p>
    <ul>${listed.map(
      (problem) =>
        html`<li>${
          shown.includes(problem.field)
            ? html`<a href="#field-${problem.field}" @click=${focusField}>${problem.message}</a>`
            : problem.message
        }</li>`,
    )}</ul>
  </div>`;
}

function focusField(event: Event): void {
  event.preventDefault();
  const anchor = event.currentTarget as HTMLAnchorElement;
  (anchor.getRootNode() as ShadowRoot).querySelector<HTMLElement>(anchor.getAttribute("href")!)?.focus();
}

export const fieldStyles = css`
  .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11.5rem, 100% / 2 - 0.9rem), 1fr)); gap: 0.3rem 0.9rem; align-items: start; }
  .field { display: grid; gap: 0.15rem; min-width: 0; }
  .field label { font-family: var(--sans); font-size: var(--small); }
  .field .unit { color: var(--ink-soft); }
  .field :is(input[type="text"], select) { width: 100%; min-width: 0; }
  .field.flag label { display: flex; gap: 0.5rem; align-items: center; min-height: 2rem; }
  .field [aria-invalid] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
  .note { font-family: var(--sans); font-size: 0.75rem; color: var(--ink-soft); min-height: 1.1em; overflow-wrap: anywhere; }
  .calibrated { max-width: none; margin: 0; font-family: var(--sans); }
  .error { color: var(--bad); }
  .problems { border-inline-start: 3px solid var(--bad); background: var(--bad-wash); padding: 0.35rem 0.75rem; font-family: var(--sans); font-size: var(--small); }
  .problems p, .problems ul { margin: 0.15rem 0; max-width: none; }
  .problems ul { padding-inline-start: 1.1rem; }
  .problems a { color: var(--bad); }
  @media print {
    .fields { gap: 0.15rem 0.9rem; }
    .field.flag label { min-height: 0; }
    .note { min-height: 0; }
  }
`;
