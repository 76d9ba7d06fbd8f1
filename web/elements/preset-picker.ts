import { nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { choose, putBack, typedOver } from "../state/chosen.js";
import { chosenPreset, presetsOf, type FillingKind, type Preset } from "../state/presets.js";
import type { Session } from "../state/session.js";
import { fieldStyles, fileMark } from "./field.js";
import { labelOf } from "./labels.js";
import { ScenarioView } from "./scenario-view.js";
import { base, theme } from "./theme.js";
import styles from "./preset-picker.css?inline";
import { define } from "./define.js";

/** All texts that a preset can be found by, in lower case; digits with and without their groups. */
function haystack({ name, id, group, figures, aliases = [] }: Preset): string {
  const text = `${name} ${id} ${group} ${figures} ${aliases.join(" ")}`.toLowerCase();
  return `${text} ${text.replace(/(?<=\d),(?=\d)/g, "")}`;
}

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Presets of one kind, searchable by any words of name, vendor, memory or bandwidth. Choosing one fills its fields;
 * what is typed over them is listed, with one click back.
 */
export class PresetPicker extends ScenarioView {
  static override shadowRootOptions = { ...ScenarioView.shadowRootOptions, delegatesFocus: true };
  static override properties = {
    ...ScenarioView.properties,
    kind: {},
    label: {},
    query: { state: true },
    at: { state: true },
  };

  declare kind: FillingKind;
  declare label: string;
  /** The search text while the list is open. */
  declare query: string | undefined;
  /** The option that Enter selects. */
  declare at: number;
  private readonly sought = new WeakMap<Preset, string>();

  constructor() {
    super();
    this.at = -1;
  }

  private get presets(): readonly Preset[] {
    return presetsOf[this.kind](this.scenario);
  }

  private get chosen(): Preset | undefined {
    return chosenPreset(this.scenario, this.kind);
  }

  private textOf(preset: Preset): string {
    const text = this.sought.get(preset) ?? haystack(preset);
    this.sought.set(preset, text);
    return text;
  }

  /** Those that contain every word, group by group, first those that have them in their names. */
  private get options(): Preset[] {
    const words = wordsOf(this.query ?? "");
    if (words.length === 0) return [...this.presets];
    const elsewhere = ({ name }: Preset) => words.filter((word) => !name.toLowerCase().includes(word)).length;
    const found = this.presets
      .filter((preset) => words.every((word) => this.textOf(preset).includes(word)))
      .sort((one, other) => elsewhere(one) - elsewhere(other));
    return [...new Set(found.map(({ group }) => group))].flatMap((group) =>
      found.filter((preset) => preset.group === group),
    );
  }

  private open(query = ""): void {
    const { top, bottom } = this.getBoundingClientRect();
    this.toggleAttribute("above", innerHeight - bottom < 200 && top > innerHeight - bottom);
    this.query = query;
    this.at = query ? 0 : Math.max(0, this.chosen ? this.options.indexOf(this.chosen) : 0);
  }

  private close(): void {
    this.query = undefined;
    this.at = -1;
  }

  private choose(preset: Preset): void {
    this.close();
    choose(this.scenario, this.kind, preset.id);
  }

  private onKey(event: KeyboardEvent): void {
    const isOpen = this.query !== undefined;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) return this.open();
      const count = this.options.length;
      if (count > 0) this.at = (this.at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    } else if (isOpen && event.key === "Enter") {
      event.preventDefault();
      if (this.at in this.options) this.choose(this.options[this.at]!);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      this.close();
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("at"))
      this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  private option(preset: Preset, index: number): TemplateResult {
    return html`<div role="option" id="option-${index}" aria-selected=${index === this.at ? "true" : "false"} data-preset=${preset.id}
        @pointerdown=${(event: Event) => event.preventDefault()} @click=${() => this.choose(preset)}>
      ${preset.name}<span class="figures">${preset.figures}</span></div>`;
  }

  private list(): TemplateResult {
    const { options } = this;
    const groups = [...new Set(options.map(({ group }) => group))];
    return html`<div id="list" role="listbox" aria-label=${this.label} ?hidden=${this.query === undefined || options.length === 0}>
        ${
          this.query === undefined
            ? nothing
            : groups.map((group) => {
                const members = options
                  .map((preset, index) => ({ preset, index }))
                  .filter(({ preset }) => preset.group === group);
                const shown = members.map(({ preset, index }) => this.option(preset, index));
                return html`<div role="group" aria-label=${group}><div class="group" aria-hidden="true">${group}</div>${shown}</div>`;
              })
        }</div>
      ${this.query !== undefined && options.length === 0 ? html`<p class="none">No ${this.kind} has all of these words.</p>` : nothing}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { chosen, query } = this;
    const over = typedOver(this.scenario, this.kind);
    const isOpen = query !== undefined;
    const mark = fileMark(this.scenario, this.kind);
    return html`<div class="field">
      <label for="box">${this.label}${mark?.dot ?? nothing}</label>
      <input id="box" type="text" role="combobox" autocomplete="off" spellcheck="false" aria-autocomplete="list" aria-haspopup="listbox"
        aria-controls="list" aria-expanded=${isOpen ? "true" : "false"} aria-activedescendant=${isOpen && this.options.length > 0 ? `option-${this.at}` : nothing}
        aria-describedby="note" .value=${query ?? chosen?.name ?? ""} placeholder=${isOpen ? "name, vendor, memory, bandwidth" : "as typed"}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()} @blur=${() => this.close()} @click=${() => !isOpen && this.open()}
        @input=${(event: Event) => this.open((event.target as HTMLInputElement).value)} @keydown=${this.onKey} />
      <span class="mark" aria-hidden="true"></span>
      ${this.list()}
      <span class="visually-hidden" role="status">${isOpen && query ? `${this.options.length} found` : ""}</span>
      <span class="note" id="note">${mark?.words ?? nothing}${
        over.length > 0
          ? html`Typed over: ${over.map((name) => labelOf(this.scenario, name)).join(", ")}. <button type="button" class="plain back"
            @click=${() => putBack(this.scenario, this.kind)}>Back to ${chosen?.name ?? "the GPU’s own"}</button>`
          : nothing
      }</span>
    </div>`;
  }

  static override styles = [theme, base, fieldStyles, unsafeCSS(styles)];
}

define("commcost-preset", PresetPicker);

/** The control for a kind of presets; if it is read-only, the name of the chosen one. */
export function presetControl(scenario: Session, kind: FillingKind, label: string): TemplateResult {
  if (scenario.readonly)
    return html`<p class="chosen"><span class="soft">${label}</span> ${chosenPreset(scenario, kind)?.name ?? "as typed"}</p>`;
  return html`<commcost-preset class="preset" .scenario=${scenario} .kind=${kind} .label=${label}></commcost-preset>`;
}
