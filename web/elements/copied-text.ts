import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { define } from "./scenario-view.js";
import { base, theme } from "./theme.js";

/** A text to take along: shown as it is, with a button that copies it. */
export class CopiedText extends LitElement {
  static override properties = {
    text: { attribute: false },
    name: { attribute: false },
    said: { state: true },
  };

  declare text: string;
  /** What it is: "code", "call". */
  declare name: string;
  declare said: string;

  constructor() {
    super();
    this.text = "";
    this.name = "text";
    this.said = "";
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.said = "Copied";
    } catch {
      this.said = "Copying is not allowed here: select the text instead";
    }
  }

  override render(): TemplateResult | typeof nothing {
    if (this.text === "") return nothing;
    return html`<pre tabindex="0" role="group" aria-label=${`The ${this.name}`}><code>${this.text}</code></pre>
      <p class="no-print"><button type="button" @click=${this.copy}>Copy the ${this.name}</button>
        <span role="status" class="small">${this.said}</span></p>`;
  }

  static override styles = [
    theme,
    base,
    css`
    :host { display: block; min-width: 0; }
    pre { background: var(--paper-raised); padding: 0.6rem 0.75rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem; }
    p { margin: 0.35rem 0 0; }
  `,
  ];
}

define("commcost-copied-text", CopiedText);
