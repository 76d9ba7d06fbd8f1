import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { base, theme } from "./theme.js";
import styles from "./copied-text.css?inline";
import { Status } from "./status.js";
import { define } from "./define.js";

/** A text to copy: shown as it is, with a button that copies it. */
export class CopiedText extends LitElement {
  static override properties = {
    text: { attribute: false },
    name: { attribute: false },
  };

  declare text: string;
  /** What it is: "code", "call". */
  declare name: string;
  private readonly status = new Status(this);

  constructor() {
    super();
    this.text = "";
    this.name = "text";
  }

  private copy(): void {
    void this.status.copy(this.text, "Copied", "Copying is not allowed here: select the text instead");
  }

  override render(): TemplateResult | typeof nothing {
    if (this.text === "") return nothing;
    return html`<pre tabindex="0" role="group" aria-label=${`The ${this.name}`}><code>${this.text}</code></pre>
      <p class="no-print"><button type="button" @click=${this.copy}>Copy the ${this.name}</button>
        <span role="status" class="small">${this.status.text}</span></p>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-copied-text", CopiedText);
