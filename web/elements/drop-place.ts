import { css, html, LitElement, type TemplateResult } from "lit";
import { define } from "./scenario-view.js";
import { base, theme } from "./theme.js";

/** What was dropped or chosen: a file, or text that was dragged here. */
export class GivenEvent extends Event {
  static readonly type = "given";

  constructor(readonly given: File | string) {
    super(GivenEvent.type);
  }
}

/** A place that takes a file, dropped or chosen, and says so with a `given`. What stands in it is its own affair. */
export class DropPlace extends LitElement {
  static override properties = { name: {}, label: {}, accept: {}, over: { state: true } };

  /** Names its control: `log` has #log-file. */
  declare name: string;
  declare label: string;
  declare accept: string;
  declare over: boolean;

  private give(given: File | string | undefined): void {
    if (given !== undefined && given !== "") this.dispatchEvent(new GivenEvent(given));
  }

  private readonly onDrop = (event: DragEvent): void => {
    event.preventDefault();
    this.over = false;
    this.give(event.dataTransfer?.files[0] ?? event.dataTransfer?.getData("text"));
  };

  override render(): TemplateResult {
    const id = `${this.name}-file`;
    return html`<div class="drop ${this.over ? "over" : ""}" @drop=${this.onDrop} @dragleave=${() => (this.over = false)}
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.over = true;
        }}>
      <slot></slot>
      <p class="row no-print"><label for=${id}>${this.label}</label>
        <input id=${id} type="file" accept=${this.accept} @change=${(event: Event) => this.give((event.target as HTMLInputElement).files?.[0])} />
        <slot name="actions"></slot></p></div>`;
  }

  static override styles = [
    theme,
    base,
    css`
    :host { display: block; min-width: 0; }
    .drop { padding: 0.5rem 0.75rem; border: 1px dashed var(--rule-strong); border-radius: 3px; }
    .over { border-color: var(--accent); background: var(--paper-raised); }
    .row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.75rem; max-width: none; margin: 0.35rem 0 0; font-family: var(--sans); font-size: var(--small); }
    .row input { min-width: 0; max-width: 100%; border: 0; padding-inline: 0; }
  `,
  ];
}

define("commcost-drop-place", DropPlace);
