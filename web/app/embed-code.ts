import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { download } from "../elements/export.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { base, theme } from "../elements/theme.js";
import { figures, stillName, type FigureKind } from "../figures/catalog.js";
import "../figures/figure.js";
import type { Figure } from "../figures/figure.js";
import { settingNames } from "../state/link.js";
import { pageScenario } from "../state/page-scenario.js";
import type { Session } from "../state/session.js";
import { frameCode, mountCode, tagCode, wholeScript, type Embedded } from "./snippets.js";
import type { View } from "./views.js";
import styles from "./embed-code.css?inline";
import { Status } from "../elements/status.js";
import { define } from "../elements/define.js";

/** How much of a view is embedded. */
const amounts = [
  { id: "view", title: "All of this view", options: {} },
  { id: "compact", title: "This view, compact", options: { compact: true } },
  { id: "answer", title: "Its answer alone", options: { parts: "headline results" } },
] as const;

const widths = [360, 560, 720] as const;
const colors = [
  { id: "", title: "the reader’s" },
  { id: "light", title: "light" },
  { id: "dark", title: "dark" },
] as const;

/** The code to copy into a page to show there what is shown here, and a preview of it. */
export class EmbedCode extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    view: { attribute: false },
    what: { state: true },
    wide: { state: true },
    colored: { state: true },
    locked: { state: true },
  };

  declare view: View;
  /** One of the amounts, or a figure. */
  declare what: string;
  declare wide: (typeof widths)[number];
  declare colored: (typeof colors)[number]["id"];
  /** Whether readers cannot change the inputs. */
  declare locked: boolean;
  private readonly status = new Status(this, 4000);
  /** The preview's own scenario: changes in it do not affect the page's. */
  private copied: Session | undefined;
  private copiedFrom = "";

  constructor() {
    super();
    this.what = "view";
    this.wide = 560;
    this.colored = "";
    this.locked = false;
  }

  private get figure(): FigureKind | undefined {
    return figures.find(({ id }) => id === this.what);
  }

  private get pairs(): [string, string][] {
    const settings = settingNames.filter(
      (name) => name !== "view" && !this.scenario.owns(name) && this.scenario.text(name) !== "",
    );
    return [...settings.map((name): [string, string] => [name, this.scenario.text(name)]), ...this.scenario.changes()];
  }

  private get embedded(): Embedded {
    const { figure, colored, locked, view, pairs } = this;
    const amount = amounts.find(({ id }) => id === this.what);
    return {
      ...(figure ? { figure } : { view }),
      inputs: pairs,
      options: { ...amount?.options, ...(locked && { readonly: true }), ...(colored && { colors: colored }) },
    };
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const now = JSON.stringify(this.pairs);
    if (this.copied && now === this.copiedFrom) return;
    this.copiedFrom = now;
    this.copied ??= pageScenario(this.scenario.engine);
    this.copied.alone = true;
    this.copied.load(Object.fromEntries(this.pairs), undefined);
  }

  /** The menu that it was opened from is closed. */
  protected override firstUpdated(): void {
    this.renderRoot.querySelector("select")!.focus();
  }

  /** Shows what is to be copied for that figure. */
  show(figure: string): void {
    this.what = figure;
    this.renderRoot.querySelector("select")?.focus();
  }

  protected override updated(): void {
    const shown = this.renderRoot.querySelector<ScenarioView>(".paper > *");
    const { options } = this.embedded;
    this.copied!.readonly = this.locked;
    if (shown) Object.assign(shown, { compact: options.compact === true, readonly: this.locked, parts: options.parts });
  }

  private copy(text: string): void {
    void this.status.copy(text, "Copied", "Copying is not allowed here: select the text instead");
  }

  private saveStill(kind: FigureKind): void {
    const still = this.renderRoot.querySelector<Figure>("commcost-figure")!.still(this.colored || "auto");
    if (still) download(stillName(kind), still, "image/svg+xml");
    this.status.say(still ? "SVG saved" : "The figure is not drawn yet");
  }

  private choice<Id extends string | number>(
    name: string,
    label: string,
    options: readonly { id: Id; title: string }[],
    now: Id,
    choose: (id: Id) => void,
  ): TemplateResult {
    const onChange = (event: Event) => choose(options[(event.target as HTMLSelectElement).selectedIndex]!.id);
    return html`<label>${label} <select name=${name} @change=${onChange}>${options.map(
      ({ id, title }) => html`<option value=${id} ?selected=${id === now}>${title}</option>`,
    )}</select></label>`;
  }

  private choices(): TemplateResult {
    const all = [...amounts, ...figures.map(({ id, title }) => ({ id, title: `Figure: ${title}` }))];
    return html`<div class="choices">
      ${this.choice<string>("what", "Show", all, this.what, (id) => (this.what = id))}
      ${this.choice(
        "width",
        "Width",
        widths.map((id) => ({ id, title: `${id} px` })),
        this.wide,
        (id) => (this.wide = id),
      )}
      ${this.choice<EmbedCode["colored"]>("colors", "Colours", colors, this.colored, (id) => (this.colored = id))}
      <label><input type="checkbox" name="readonly" .checked=${this.locked} @change=${(event: Event) => (this.locked = (event.target as HTMLInputElement).checked)} />
        readers cannot change inputs</label>
    </div>`;
  }

  private preview(): TemplateResult {
    const { figure, view, copied, wide, colored } = this;
    // A view is on the page already, to be changed there; its headings and forms twice would be in the way.
    return html`<div class="preview scroll" role="group" aria-label="Preview" tabindex="0">
      <div class=${`paper wide-${wide} ${colored}`} ?inert=${!figure}>${
        figure
          ? html`<commcost-figure .of=${figure.id} base="./" .scenario=${copied!}></commcost-figure>`
          : view.render(copied!)
      }</div></div>`;
  }

  private snippet(title: string, text: string, note: unknown): TemplateResult {
    return html`<h3>${title}</h3>
      <pre class="code scroll" tabindex="0" role="group" aria-label=${title}><code>${text}</code></pre>
      <p class="small soft"><button @click=${() => this.copy(text)}>Copy</button> ${note}</p>`;
  }

  /** The script for pages that want its integrity checked. */
  private checked(): TemplateResult | typeof nothing {
    const script = wholeScript(site());
    if (!script) return nothing;
    return this.snippet(
      "The script in one file",
      script,
      html`In place of the tag’s script: all elements, four times the bytes, and the browser refuses it if one of them has changed.`,
    );
  }

  private stillNote(kind: FigureKind): TemplateResult {
    return html`<button @click=${() => this.saveStill(kind)}>Save the still SVG</button> Put it next to your page: the picture in the tag stands until
      scripts run, and where they never do.`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.copied) return nothing;
    const { embedded, figure } = this;
    const { origin } = new URL(site());
    return html`<section aria-labelledby="title"><h2 id="title">In your page</h2>
      ${this.choices()}
      <div class="sides">${this.preview()}<div class="codes">
      ${this.snippet(
        "As an element",
        tagCode(embedded, site()),
        html`${figure ? this.stillNote(figure) : nothing} The script loads what the tag needs and no more. A policy needs
        <code>script-src ${origin} 'wasm-unsafe-eval'</code>, no more.`,
      )}
      ${this.checked()}
      ${this.snippet("In a frame", frameCode(embedded, site()), html`A policy needs <code>frame-src ${origin}</code>.`)}
      ${this.snippet("A frame whose height follows", mountCode(embedded, site()), html`<code>mount</code> also passes on changes and answers as events.`)}
      <span role="status" class="small">${this.status.text}</span></div></div></section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

/** The address of this page's site; a single-file page uses a placeholder for a site yet to be set up. */
const site = (): string =>
  location.protocol.startsWith("http") ? new URL(".", location.href).href : "https://example.org/commcost/";

define("commcost-embed-code", EmbedCode);
