import { LitElement, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { base, theme } from "./theme.js";
import given from "./given.css?inline";
import styles from "./drop-place.css?inline";
import { define } from "./define.js";

/** What was dropped or chosen: a file, or text that was dragged here. */
export class GivenEvent extends Event {
  static readonly type = "given";

  constructor(readonly given: File | string) {
    super(GivenEvent.type);
  }
}

/** A place that takes a file, dropped or chosen, and reports it by a `given` event. Its content is up to the caller. */
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

  static override styles = [theme, base, unsafeCSS(given), unsafeCSS(styles)];
}

define("commcost-drop-place", DropPlace);
