import { css, html, type TemplateResult } from "lit";
import { define, ScenarioView } from "../elements/scenario-view.js";
import { base, theme } from "../elements/theme.js";
import { usualSandbox } from "../embed/protocol.js";
import { figures } from "../figures/catalog.js";
import { settingNames } from "../state/link.js";
import type { View } from "./views.js";

/** The digest of commcost-element.js as it was built beside this page; empty where there is none beside it. */
declare const ELEMENT_INTEGRITY: string;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What is to be copied into a page to show there what is shown here: as an element, or in a frame. */
export class EmbedCode extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    view: { attribute: false },
    said: { state: true },
    figure: { state: true },
  };

  declare view: View;
  declare said: string;
  /** Which figure is shown how to be taken alone. */
  declare figure: string;

  constructor() {
    super();
    this.said = "";
    this.figure = figures.find(({ id }) => id === "ring")!.id;
  }

  /** Where this page's site lies; a file of its own stands for one that is yet to be put somewhere. */
  private get site(): string {
    return location.protocol.startsWith("http") ? new URL(".", location.href).href : "https://example.org/commcost/";
  }

  private get pairs(): [string, string][] {
    const settings = settingNames.filter(
      (name) => name !== "view" && !this.scenario.owns(name) && this.scenario.text(name) !== "",
    );
    return [...settings.map((name): [string, string] => [name, this.scenario.text(name)]), ...this.scenario.changes()];
  }

  private get inputs(): string {
    return this.pairs.map(([name, text]) => ` ${name}="${escaped(text)}"`).join("");
  }

  private get script(): string {
    const integrity = ELEMENT_INTEGRITY === "" ? "" : ` integrity="${ELEMENT_INTEGRITY}" crossorigin="anonymous"`;
    return `<script type="module" src="${this.site}commcost-element.js"${integrity}></script>`;
  }

  private get element(): string {
    return `${this.script}\n<commcost-${this.view.id}${this.inputs}></commcost-${this.view.id}>`;
  }

  private get oneFigure(): string {
    return `${this.script}\n<commcost-figure of="${this.figure}" base="${escaped(this.site)}"${this.inputs}></commcost-figure>`;
  }

  private figureChoice(): TemplateResult {
    const choose = (event: Event) => (this.figure = (event.target as HTMLSelectElement).value);
    return html`<label class="small">Figure <select name="figure" .value=${this.figure} @change=${choose}>${figures.map(
      ({ id, title }) => html`<option value=${id} ?selected=${id === this.figure}>${title}</option>`,
    )}</select></label>`;
  }

  private get frame(): string {
    const query = new URLSearchParams([["view", this.view.id], ...this.pairs]);
    return `<iframe src="${escaped(`${this.site}embed.html?${query}`)}"
  title="commcost: ${this.view.title}" sandbox="${usualSandbox}" allow="clipboard-write" loading="lazy" width="100%" height="960"></iframe>`;
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.said = "Copied";
    } catch {
      this.said = "Copying is not allowed here: select the text instead";
    }
    setTimeout(() => (this.said = ""), 4000);
  }

  private snippet(title: string, text: string, note: TemplateResult): TemplateResult {
    return html`<h3>${title}</h3>
      <pre class="code scroll" tabindex="0" role="group" aria-label=${title}><code>${text}</code></pre>
      <p class="small soft"><button @click=${() => this.copy(text)}>Copy</button> ${note}</p>`;
  }

  override render(): TemplateResult {
    return html`<section aria-labelledby="title"><h2 id="title">This view in your page</h2>
      ${this.snippet(
        "As an element",
        this.element,
        html`The browser refuses the script if a byte of it has changed. A policy needs
        <code>script-src ${new URL(this.site).origin} 'wasm-unsafe-eval'</code>, no more.`,
      )}
      ${this.snippet(
        "In a frame",
        this.frame,
        html`A policy needs <code>frame-src ${new URL(this.site).origin}</code>. To let the height follow, and to hear
        of changes and answers, use <code>mount</code> of <code>commcost-embed.js</code>.`,
      )}
      ${this.snippet(
        "One figure",
        this.oneFigure,
        html`${this.figureChoice()} About 400 px high. Its link leads to <code>base</code>, with these numbers.`,
      )}
      <span role="status" class="small">${this.said}</span></section>`;
  }

  static override styles = [
    theme,
    base,
    css`
    :host { display: block; border-bottom: 1px solid var(--rule); padding-bottom: 0.75rem; margin-bottom: 1rem; }
    h2 { margin-bottom: 0.5rem; }
    pre { background: var(--paper-raised); padding: 0.6rem 0.75rem; margin: 0.35rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    p { max-width: none; }
  `,
  ];
}

define("commcost-embed-code", EmbedCode);
