import type { Engine } from "#engine";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { define } from "../elements/scenario-view.js";
import { base, theme } from "../elements/theme.js";
import { loadEngine } from "../engine/index.js";
import { readLink, settingNames, writeLink } from "../state/link.js";
import { pageScenario } from "../state/page-scenario.js";
import { presetTexts } from "../state/preset-texts.js";
import type { Scenario } from "../state/scenario.js";
import { recall, remember } from "../state/storage.js";
import { views, type View } from "./views.js";

const themes = ["", "light", "dark"] as const;
/** Whether other pages lie beside this one: the page in one file may lie alone. */
const hosted = /^https?:$/.test(location.protocol);

/** The page: one scenario, a tab for each view, the address that holds it all. */
export class App extends LitElement {
  static override properties = {
    embed: { type: Boolean, reflect: true },
    view: { state: true }, ready: { state: true }, unknown: { state: true }, status: { state: true }, failure: { state: true },
    scheme: { state: true }, embedding: { state: true },
  };

  /** Without header, tabs and address: for a frame in somebody's page. */
  declare embed: boolean;
  declare view: View;
  declare ready: boolean;
  declare unknown: string[];
  declare status: string;
  declare failure: string;
  declare scheme: string;
  /** Whether the reader is shown how to embed what they see. */
  declare embedding: boolean;
  private scenario: Scenario | undefined;
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.embed = false;
    this.view = views[0]!;
    this.ready = false;
    this.unknown = [];
    this.status = "";
    this.failure = "";
    const scheme = new URLSearchParams(location.search).get("scheme") ?? recall("scheme");
    this.scheme = themes.find((known) => known === scheme) ?? "";
    this.embedding = false;
  }

  /** Kept once the page can calculate. */
  readonly started = new Promise<void>((resolve) => (this.begin = resolve));
  private declare begin: () => void;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  private async start(): Promise<void> {
    // The view's script comes in while the engine starts.
    void this.linkedView(new URLSearchParams(location.hash.slice(1)).get("view")).load();
    try {
      const engine: Engine = await loadEngine();
      this.scenario = pageScenario(engine);
      await this.readAddress();
      this.scenario.addEventListener("change", () => this.writeAddress());
      addEventListener("hashchange", () => void this.readAddress());
      this.ready = true;
      this.begin();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  private async readAddress(): Promise<void> {
    const { texts, settings, unknown } = readLink(location, this.scenario!.fields);
    this.unknown = unknown;
    const { view, ...presets } = settings;
    this.scenario!.reset({ ...presetTexts(this.scenario!, presets), ...presets, ...texts });
    await this.open(this.linkedView(view));
  }

  /** Changes what a query names, read as a link is; the rest stays. */
  take(query: string): void {
    const { texts, settings } = readLink({ search: query, hash: "" }, this.scenario!.fields);
    const { view, ...presets } = settings;
    this.scenario!.set({ ...presetTexts(this.scenario!, presets), ...presets, ...texts });
    if (view !== undefined) void this.open(this.linkedView(view));
  }

  private linkedView(id: string | null | undefined): View {
    return views.find((view) => view.id === id) ?? views[0]!;
  }

  private writeAddress(): void {
    // A frame's address is its host's business.
    if (this.embed) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      history.replaceState(null, "", this.address());
    }, 250);
  }

  private address(): string {
    const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario!.text(name)]));
    settings["view"] = this.view === views[0] ? "" : this.view.id;
    return location.pathname + location.search.replace(/^\?.*/, "") + writeLink(this.scenario!, settings) || location.pathname;
  }

  private async open(view: View): Promise<void> {
    try {
      await view.load();
    } catch {
      this.status = "This view could not be fetched; reload the page to try again";
      return;
    }
    this.view = view;
    this.writeAddress();
  }

  private async share(): Promise<void> {
    try {
      await navigator.clipboard.writeText(new URL(this.address(), location.href).href);
      this.status = "Link copied";
    } catch {
      this.status = "Copy the address of this page";
    }
    setTimeout(() => (this.status = ""), 4000);
  }

  private cycleScheme(): void {
    this.scheme = themes[(themes.indexOf(this.scheme as never) + 1) % themes.length]!;
    remember("scheme", this.scheme);
  }

  protected override updated(): void {
    document.documentElement.style.setProperty("color-scheme", this.scheme || "light dark");
  }

  private async toggleEmbedding(): Promise<void> {
    await import("./embed-code.js");
    this.embedding = !this.embedding;
  }

  private tabs(): TemplateResult {
    return html`<nav aria-label="Views" class="no-print"><ul>${views.filter(({ calculation }) => calculation).map((view) => html`<li>
      <a href="#view=${view.id}" aria-current=${view === this.view ? "page" : nothing}
        @click=${(event: MouseEvent) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void this.open(view);
        }}>${view.title}</a></li>`)}</ul></nav>`;
  }

  override render(): TemplateResult {
    if (this.failure) return html`<p role="alert">The calculator could not start: ${this.failure}</p>`;
    if (!this.ready) return html`<p class="soft" role="status">Loading the calculator…</p>`;
    return html`
      ${this.embed ? nothing : html`<header>
        <div class="brand"><h1>commcost</h1><p>${this.view.about}</p></div>
        <div class="actions no-print">
          <span role="status" class="small">${this.status}</span>
          <button class="plain" @click=${this.share}>Copy link</button>
          <button class="plain" aria-expanded=${this.embedding} @click=${this.toggleEmbedding}>Embed</button>
          <button class="plain" @click=${() => this.scenario!.reset()}>Reset</button>
          <button class="plain" @click=${this.cycleScheme} title="Colours: as the system, light or dark">
            ${this.scheme === "dark" ? "Dark" : this.scheme === "light" ? "Light" : "Auto"}<span class="visually-hidden"> colours</span></button>
        </div>
      </header>
      ${this.embedding ? html`<commcost-embed-code class="no-print" .scenario=${this.scenario!} .view=${this.view}></commcost-embed-code>` : nothing}
      ${this.tabs()}`}
      ${this.unknown.length > 0 ? html`<p class="unknown small" role="status">The link says something that is not understood and was left out:
        ${this.unknown.map((name) => name.slice(0, 40)).join(", ")}.</p>` : nothing}
      <main id="main" @open-view=${(event: CustomEvent<string>) => void this.open(views.find(({ id }) => id === event.detail) ?? this.view)}>${this.view.render(this.scenario!)}</main>
      ${this.embed
        ? html`<p class="small open-full"><a href=${`index.html${this.address().replace(/^[^#]*/, "")}`} target="_blank" rel="noopener">Open in commcost</a></p>`
        : html`<footer class="small soft"><p>Everything is computed on your machine; nothing is sent anywhere. Bandwidths are one way, per GPU; 1 GB/s is 10⁹ B/s.</p>
          ${hosted ? html`<p class="no-print"><a href="formulas/index.html">Where every number comes from</a> · <a href="practice.html">Practice</a> ·
            <a href="licenses.txt">Licences</a></p>` : nothing}</footer>`}`;
  }

  static override styles = [theme, base, css`
    :host { display: block; background: var(--paper); padding: 1.1rem clamp(0.9rem, 3vw, 2.5rem) 2rem; max-width: 76rem; margin-inline: auto; }
    :host([embed]) { padding: 0.75rem; max-width: none; background: transparent; }
    header { display: flex; justify-content: space-between; align-items: baseline; gap: 0.25rem 1rem; flex-wrap: wrap; border-bottom: 2px solid var(--ink); padding-bottom: 0.4rem; margin-bottom: 1rem; }
    .brand { display: flex; align-items: baseline; gap: 0.25rem 1rem; flex-wrap: wrap; }
    h1 { font-size: 1.35rem; margin: 0; letter-spacing: 0.01em; }
    .brand p { margin: 0; font-style: italic; color: var(--ink-soft); }
    nav ul { list-style: none; margin: -0.35rem 0 1rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
    nav a { display: inline-block; padding: 0.3rem 0; min-height: 1.75rem; color: var(--ink-soft); text-decoration: none; }
    nav a[aria-current] { color: var(--ink); border-bottom: 2px solid var(--accent); }
    nav a:hover { color: var(--accent); }
    .unknown { border-inline-start: 3px solid var(--warn); padding-inline-start: 0.75rem; font-family: var(--sans); }
    footer { border-top: 1px solid var(--rule); margin-top: 2.5rem; }
    .open-full { text-align: end; }
    @media print { :host { padding: 0; max-width: none; } footer { display: none; } }
  `];
}

define("commcost-app", App);
