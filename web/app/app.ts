import type { Engine } from "#engine";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { define } from "../elements/scenario-view.js";
import { siteAddress } from "../elements/site.js";
import { base, theme } from "../elements/theme.js";
import { loadEngine } from "../engine/index.js";
import { sizeUnits, writeSizes, type SizeUnits } from "../state/format.js";
import { colorChoices, readLink, settingNames, writeLink, type Colors } from "../state/link.js";
import { pageScenario } from "../state/page-scenario.js";
import { filledBy } from "../state/presets.js";
import type { Scenario, ScenarioEvent } from "../state/scenario.js";
import { recall, remember } from "../state/storage.js";
import { Undo } from "../state/undo.js";
import "./compare-bar.js";
import { commandOf, type Command } from "./keys.js";
import "./keys-dialog.js";
import type { KeysDialog } from "./keys-dialog.js";
import { linkNotes } from "./link-notes.js";
import { views, type View } from "./views.js";

/** The views that are tabs: those that calculate. */
const tabs = views.filter(({ calculation }) => calculation);

/** The colours in the order of their button; none are the system's. */
const colorCycle = ["", ...colorChoices] as const;
const colorNames: Record<Colors | "", string> = { "": "Auto", light: "Light", dark: "Dark" };

const unitNames: Record<SizeUnits, string> = { usual: "MiB and GB", decimal: "GB alone", binary: "GiB alone" };

/** The page: one scenario, a tab for each view, the address that holds it all. */
export class App extends LitElement {
  static override properties = {
    embed: { type: Boolean, reflect: true },
    view: { state: true },
    ready: { state: true },
    unknown: { state: true },
    wrong: { state: true },
    embedding: { state: true },
    status: { state: true },
    failure: { state: true },
    colors: { state: true },
    units: { state: true },
    singles: { state: true },
    welcomed: { state: true },
  };

  /** Without header, tabs and address: for a frame in somebody's page. */
  declare embed: boolean;
  declare view: View;
  declare ready: boolean;
  /** What the link says that is not understood, and values of it that cannot be. */
  declare unknown: string[];
  declare wrong: string[];
  declare status: string;
  declare failure: string;
  declare colors: Colors | "";
  /** Whether the reader is shown how to embed what they see. */
  declare embedding: boolean;
  declare units: SizeUnits;
  /** Whether single characters are keys. */
  declare singles: boolean;
  declare welcomed: boolean;
  private scenario: Scenario | undefined;
  private history: Undo | undefined;
  private writing: ReturnType<typeof setTimeout> | undefined;
  private saying: ReturnType<typeof setTimeout> | undefined;
  /** Whether what is to be written deserves an entry of its own in the browser's history. */
  private entry = false;
  /** Whether a change comes from the address, or from undoing: it makes no entry. */
  private following = false;

  constructor() {
    super();
    this.embed = false;
    this.view = views[0]!;
    this.ready = false;
    this.unknown = [];
    this.wrong = [];
    this.status = "";
    this.failure = "";
    this.colors = colorChoices.find((known) => known === recall("colors")) ?? "";
    this.embedding = false;
    this.units = sizeUnits.find((units) => units === recall("units")) ?? "usual";
    this.singles = recall("keys") !== "off";
    this.welcomed = recall("welcomed") === "yes";
  }

  /** Kept once the page can calculate. */
  readonly started = new Promise<void>((resolve) => (this.begin = resolve));
  declare private begin: () => void;

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
      this.history = new Undo(this.scenario);
      this.scenario.addEventListener("change", (event) => this.onChange(event as ScenarioEvent));
      addEventListener("hashchange", () => void this.readAddress());
      if (!this.embed) addEventListener("keydown", (event) => this.onKey(event));
      this.ready = true;
      this.begin();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  private async readAddress(): Promise<void> {
    const scenario = this.scenario!;
    const { texts, settings, pinned, unknown, wrong } = readLink(location, scenario.fields);
    const { view, units, colors, ...rest } = settings;
    const filled = filledBy(scenario, rest);
    const beside = pinned && filledBy(scenario, pinned);
    for (const name of filled.unknown) delete rest[name];
    const left = [
      ...filled.unknown.map((name) => `${name}=${settings[name]}`),
      ...(beside?.unknown ?? []).map((name) => `pin.${name}=${pinned![name]}`),
      ...(view === undefined || views.some(({ id }) => id === view) ? [] : [`view=${view}`]),
    ];
    for (const name of beside?.unknown ?? []) delete pinned![name];
    this.unknown = [...unknown, ...left];
    this.wrong = wrong;
    this.following = true;
    if (colors) this.colors = colors as Colors;
    this.chooseUnits((units as SizeUnits | undefined) ?? this.units);
    scenario.load({ ...filled.texts, ...rest, ...texts }, beside && { ...beside.texts, ...pinned });
    this.following = false;
    await this.open(this.linkedView(view), false);
  }

  /** Changes what a query names, read as a link is; the rest stays. */
  take(query: string): void {
    const { texts, settings } = readLink({ search: query, hash: "" }, this.scenario!.fields);
    const { view, units, colors, ...rest } = settings;
    if (colors) this.colors = colors as Colors;
    if (units) this.chooseUnits(units as SizeUnits);
    this.scenario!.set({ ...filledBy(this.scenario!, rest).texts, ...rest, ...texts });
    if (view !== undefined) void this.open(this.linkedView(view));
  }

  private linkedView(id: string | null | undefined): View {
    return views.find((view) => view.id === id) ?? views[0]!;
  }

  private onChange({ whole }: ScenarioEvent): void {
    this.requestUpdate();
    this.writeAddress(whole && !this.following);
  }

  /** An edit changes the present entry of the browser's history; another view, or another scenario, makes a new one. */
  private writeAddress(entry: boolean): void {
    // A frame's address is its host's business.
    if (this.embed) return;
    this.entry ||= entry;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const address = this.address();
      if (this.entry && address !== location.pathname + location.hash) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
      this.entry = false;
    }, 250);
  }

  private address(): string {
    const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario!.text(name)]));
    settings["view"] = this.view === views[0] ? "" : this.view.id;
    settings["units"] = this.units === "usual" ? "" : this.units;
    return (
      location.pathname + location.search.replace(/^\?.*/, "") + writeLink(this.scenario!, settings) ||
      location.pathname
    );
  }

  private async open(view: View, entry = true): Promise<void> {
    try {
      await view.load();
    } catch {
      this.say("This view could not be fetched; reload the page to try again");
      return;
    }
    const another = view !== this.view;
    this.view = view;
    this.writeAddress(entry && another);
  }

  private say(message: string): void {
    this.status = message;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.status = ""), 4000);
  }

  private async share(): Promise<void> {
    try {
      await navigator.clipboard.writeText(new URL(this.address(), location.href).href);
      this.say("Link copied");
    } catch {
      this.say("Copy the address of this page");
    }
  }

  private undo(): void {
    this.following = true;
    this.say(this.history!.undo() ? "Undone" : "Nothing to undo");
    this.following = false;
  }

  private redo(): void {
    this.following = true;
    this.say(this.history!.redo() ? "Done again" : "Nothing to do again");
    this.following = false;
  }

  private togglePin(): void {
    const scenario = this.scenario!;
    if (scenario.pinned) scenario.unpin();
    else scenario.pin();
    this.say(scenario.pinned ? "Pinned as A" : "Unpinned");
  }

  private chooseUnits(units: SizeUnits): void {
    this.units = units;
    writeSizes(units);
    this.scenario!.refresh();
  }

  private cycleColors(): void {
    this.colors = colorCycle[(colorCycle.indexOf(this.colors) + 1) % colorCycle.length]!;
    remember("colors", this.colors);
  }

  private focusPreset(): void {
    const root = this.renderRoot.querySelector("main > *")?.shadowRoot;
    root?.querySelector<HTMLElement>("commcost-preset, form :is(input, select)")?.focus();
  }

  private get keysDialog(): KeysDialog {
    return this.renderRoot.querySelector<KeysDialog>("commcost-keys")!;
  }

  private get commands(): readonly Command[] {
    return [
      ...tabs.map((view, index) => ({
        keys: [String(index + 1)],
        label: `The ${view.title} view`,
        run: () => void this.open(view),
      })),
      { keys: ["/"], label: "Search the presets", run: () => this.focusPreset() },
      { keys: ["p"], label: "Pin this scenario to compare with, or unpin it", run: () => this.togglePin() },
      { keys: ["x"], label: "Swap this scenario and the pinned one", run: () => this.scenario!.swap() },
      { keys: ["u", "Ctrl+Z"], label: "Undo", run: () => this.undo() },
      { keys: ["r", "Ctrl+Shift+Z", "Ctrl+Y"], label: "Do again", run: () => this.redo() },
      { keys: ["c"], label: "Copy the link", run: () => void this.share() },
      { keys: ["t"], label: "Colours: as the system, light, dark", run: () => this.cycleColors() },
      { keys: ["?"], label: "These keys", run: () => this.keysDialog.open() },
    ];
  }

  private onKey(event: KeyboardEvent): void {
    if (!this.ready || this.keysDialog.isOpen) return;
    const command = commandOf(event, this.commands, this.singles);
    if (!command) return;
    event.preventDefault();
    command.run();
  }

  protected override updated(): void {
    document.documentElement.style.setProperty("color-scheme", this.colors || "light dark");
  }

  private async toggleEmbedding(): Promise<void> {
    await import("./embed-code.js");
    this.embedding = !this.embedding;
  }

  private bar(): TemplateResult {
    return html`<div class="bar no-print">
      <nav aria-label="Views"><ul>${tabs.map(
        (view) => html`<li>
        <a href="#view=${view.id}" aria-current=${view === this.view ? "page" : nothing}
          @click=${(event: MouseEvent) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            void this.open(view);
          }}>${view.title}</a></li>`,
      )}</ul></nav>
      <div class="actions">
        <button class="plain" ?disabled=${!this.history?.canUndo} @click=${this.undo}>Undo</button>
        <button class="plain" ?disabled=${!this.history?.canRedo} @click=${this.redo}>Redo</button>
        <button class="plain" aria-pressed=${this.scenario!.pinned ? "true" : "false"} @click=${this.togglePin}
          title="Keep this scenario as A, and compare with it in every view">Pin</button>
      </div>
    </div>`;
  }

  private header(): TemplateResult {
    return html`<header>
        <a class="skip" href="#main" @click=${(event: Event) => {
          event.preventDefault();
          this.renderRoot.querySelector<HTMLElement>("#main")!.focus();
        }}>Skip to the answer</a>
        <div class="brand"><h1>commcost</h1><p>${this.view.about}</p></div>
        <div class="actions no-print">
          <span role="status" class="small">${this.status}</span>
          <button class="plain" @click=${this.share}>Copy link</button>
          <button class="plain" aria-expanded=${this.embedding} @click=${this.toggleEmbedding}>Embed</button>
          <button class="plain" @click=${() => this.scenario!.reset()}>Reset</button>
          <select class="plain" aria-label="Units of sizes" title="Usual: messages in powers of two (MiB), volumes in powers of ten (GB)" @change=${(
            event: Event,
          ) => {
            this.chooseUnits((event.target as HTMLSelectElement).value as SizeUnits);
            remember("units", this.units);
          }}>${sizeUnits.map((units) => html`<option value=${units} ?selected=${units === this.units}>${unitNames[units]}</option>`)}</select>
          <button class="plain" @click=${this.cycleColors} title="Colours: as the system, light or dark">
            ${colorNames[this.colors]}<span class="visually-hidden"> colours</span></button>
          <button class="plain" @click=${() => this.keysDialog.open()}>Keys</button>
        </div>
      </header>
      ${
        this.welcomed
          ? nothing
          : html`<aside class="welcome no-print" aria-label="What this is">Describe a model and the GPUs it is split over, once: the six views tell what the splitting
        costs in communication, from one call’s bytes to the best layout of a cluster, and this page’s address keeps what you typed.
        <button class="plain" @click=${() => {
          this.welcomed = true;
          remember("welcomed", "yes");
        }}>Got it</button></aside>`
      }
      ${this.embedding ? html`<commcost-embed-code class="no-print" .scenario=${this.scenario!} .view=${this.view}></commcost-embed-code>` : nothing}
      ${this.bar()}`;
  }

  private misunderstood(): TemplateResult | typeof nothing {
    if (this.unknown.length + this.wrong.length === 0) return nothing;
    return html`<p class="unknown small" role="status">${linkNotes(this.unknown, this.wrong).join(" ")}</p>`;
  }

  override render(): TemplateResult {
    if (this.failure) return html`<p role="alert">The calculator could not start: ${this.failure}</p>`;
    if (!this.ready) return html`<p class="soft" role="status">Loading the calculator…</p>`;
    const formulas = siteAddress("formulas/index.html");
    return html`
      ${this.embed ? nothing : this.header()}
      ${this.misunderstood()}
      <commcost-compare-bar .scenario=${this.scenario!}></commcost-compare-bar>
      <main id="main" tabindex="-1" @open-view=${(event: CustomEvent<string>) => void this.open(views.find(({ id }) => id === event.detail) ?? this.view)}>${this.view.render(this.scenario!)}</main>
      ${
        this.embed
          ? html`<p class="small open-full"><a href=${`index.html${this.address().replace(/^[^#]*/, "")}`} target="_blank" rel="noopener">Open in commcost</a></p>`
          : html`<footer class="small soft"><p>Everything is computed on your machine; nothing is sent anywhere. Bandwidths are one way, per GPU; 1 GB/s is 10⁹ B/s.</p>
          ${
            formulas
              ? html`<p class="no-print"><a href=${formulas}>Where every number comes from</a> · <a href="practice.html">Practice</a> ·
            <a href="licenses.txt">Licences</a></p>`
              : nothing
          }</footer>
          <commcost-keys .commands=${this.commands} .singles=${this.singles} @singles=${(
            event: CustomEvent<boolean>,
          ) => {
            this.singles = event.detail;
            remember("keys", this.singles ? "on" : "off");
          }}></commcost-keys>`
      }`;
  }

  static override styles = [
    theme,
    base,
    css`
    :host { display: block; background: var(--paper); padding: 1.1rem clamp(0.9rem, 3vw, 2.5rem) 2rem; max-width: 76rem; margin-inline: auto; }
    :host([embed]) { padding: 0.75rem; max-width: none; background: transparent; }
    .skip { position: absolute; inset-block-start: 0; background: var(--paper); padding: 0.4rem 0.6rem; clip-path: inset(50%); z-index: 6; font-family: var(--sans); }
    .skip:focus { clip-path: none; }
    #main:focus { outline: none; }
    header { display: flex; justify-content: space-between; align-items: baseline; gap: 0.25rem 1rem; flex-wrap: wrap; border-bottom: 2px solid var(--ink); padding-bottom: 0.4rem; margin-bottom: 0.65rem; }
    .brand { flex: 1 1 22rem; display: flex; align-items: baseline; gap: 0.25rem 1rem; flex-wrap: wrap; }
    h1 { font-size: 1.35rem; margin: 0; letter-spacing: 0.01em; }
    .brand p { margin: 0; font-style: italic; color: var(--ink-soft); }
    .actions { display: flex; flex-wrap: wrap; align-items: baseline; }
    .actions [role="status"]:not(:empty) { padding-inline-end: 0.5rem; font-family: var(--sans); }
    select.plain { border-color: transparent; background: none; color: var(--accent); min-height: 1.75rem; max-width: 11rem; padding-inline: 0.1rem; }
    select.plain option { background: var(--paper); color: var(--ink); }
    .welcome { max-width: none; margin: 0 0 0.65rem; padding: 0.45rem 0.75rem; background: var(--paper-raised); font-size: 0.9375rem; }
    .bar { display: flex; justify-content: space-between; align-items: center; flex-wrap: wrap; gap: 0 1rem; margin-bottom: 1rem; }
    nav ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
    nav a { display: inline-block; padding: 0.3rem 0; min-height: 1.75rem; color: var(--ink-soft); text-decoration: none; }
    nav a[aria-current] { color: var(--ink); border-bottom: 2px solid var(--accent); }
    nav a:hover { color: var(--accent); }
    [aria-pressed="true"] { text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 0.3em; }
    .unknown { border-inline-start: 3px solid var(--warn); padding-inline-start: 0.75rem; font-family: var(--sans); overflow-wrap: anywhere; max-width: none; }
    footer { border-top: 1px solid var(--rule); margin-top: 2.5rem; }
    .open-full { text-align: end; }
    @media print { :host { padding: 0; max-width: none; } footer { display: none; } }
  `,
  ];
}

define("commcost-app", App);
