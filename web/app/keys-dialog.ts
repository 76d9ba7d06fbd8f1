import { LitElement, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { base, theme } from "../elements/theme.js";
import type { Command } from "./keys.js";
import styles from "./keys-dialog.css?inline";
import { define } from "../elements/define.js";

/** The page's keys, in a dialog; and the switch for those that are a single character. */
export class KeysDialog extends LitElement {
  static override properties = { commands: { attribute: false }, singles: { type: Boolean } };

  declare commands: readonly Command[];
  declare singles: boolean;

  constructor() {
    super();
    this.commands = [];
    this.singles = true;
  }

  private get dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  open(): void {
    if (!this.isOpen) this.dialog.showModal();
    // Not by the attribute: in a frame of another origin the browser would complain of it.
    this.dialog.querySelector("button")!.focus();
  }

  private toggle(event: Event): void {
    this.dispatchEvent(new CustomEvent("singles", { detail: (event.target as HTMLInputElement).checked }));
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @click=${(event: Event) => event.target === this.dialog && this.dialog.close()}>
      <div class="inside">
        <h2 id="title">Keys</h2>
        <table>
          <thead class="visually-hidden"><tr><th scope="col">Keys</th><th scope="col">What they do</th></tr></thead>
          <tbody>${this.commands.map(
            ({
              keys,
              label,
            }) => html`<tr><td>${keys.map((key, index) => html`${index > 0 ? " " : ""}<kbd>${key}</kbd>`)}</td>
            <td class="text">${label}</td></tr>`,
          )}
            <tr><td><kbd>↑</kbd> <kbd>↓</kbd></td><td class="text">In a field: the next value; in a list of presets: the next preset</td></tr>
            <tr><td><kbd>←</kbd> <kbd>→</kbd></td><td class="text">In a chart: move the cursor and read the numbers</td></tr>
          </tbody>
        </table>
        <p><label><input type="checkbox" .checked=${this.singles} @change=${this.toggle} /> Single-character keys</label></p>
        <p class="small soft">They wait while a field has the focus. In text, Ctrl+Z is the text’s own.</p>
        <form method="dialog"><button>Close</button></form>
      </div>
    </dialog>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-keys", KeysDialog);
