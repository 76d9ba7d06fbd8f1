import type { Engine } from "#engine";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { perhapsBlocked } from "../elements/export.js";
import { define, type ScenarioView } from "../elements/scenario-view.js";
import type { ScenarioPanel } from "../elements/scenario-panel.js";
import { siteAddress } from "../elements/site.js";
import { base, theme } from "../elements/theme.js";
import { loadEngine } from "../engine/index.js";
import { sizeUnits, writeSizes, type SizeUnits } from "../state/format.js";
import { colorChoices, readLink, saysNothing, settingNames, writeLink, type Colors } from "../state/link.js";
import { pageScenario } from "../state/page-scenario.js";
import { ready } from "../state/parts.js";
import type { CalculationName } from "../state/run.js";
import { modernized, modernizedLink } from "../state/old-links.js";
import type { Scenario, ScenarioEvent } from "../state/scenario.js";
import { recall, remember } from "../state/storage.js";
import { Undo } from "../state/undo.js";
import { frameOptions, type FrameOptions } from "./frame-options.js";
import { commandOf, type Command } from "./keys.js";
import type { KeysDialog } from "./keys-dialog.js";
import { linkNotes } from "./link-notes.js";
import { firstView, usualView, viewNamed, views, type View } from "./views.js";
import styles from "./app.css?inline";

/** The views that are tabs: those that calculate. */
const tabs = views.filter(({ calculation }) => calculation);

/** The colours in the order of their button; none are the system's. */
const colorCycle = ["", ...colorChoices] as const;
const colorNames: Record<Colors | "", string> = {
  "": "Colours: system",
  light: "Colours: light",
  dark: "Colours: dark",
};

const unitNames: Record<SizeUnits, string> = {
  usual: "Sizes in MiB and GB",
  decimal: "Sizes in MB and GB",
  binary: "Sizes in MiB and GiB",
};

/** From this width on the scenario stands beside the answer. */
const wide = matchMedia("(min-width: 60rem)");

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
    wide: { state: true },
    frame: { state: true },
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
  declare wide: boolean;
  /** What a frame's host asks of the view in it. */
  declare frame: FrameOptions;
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
    this.view = usualView;
    this.ready = false;
    this.unknown = [];
    this.wrong = [];
    this.status = "";
    this.failure = "";
    this.colors = colorChoices.find((known) => known === recall("colors")) ?? "";
    this.embedding = false;
    this.units = sizeUnits.find((units) => units === recall("units")) ?? "usual";
    this.singles = recall("keys") !== "off";
    this.wide = wide.matches;
    this.frame = {};
  }

  /** Kept once the page can calculate. */
  readonly started = new Promise<void>((resolve) => (this.begin = resolve));
  declare private begin: () => void;
  /** Kept once all of the engine is there, and what else comes in behind the first answer. */
  readonly whole = new Promise<void>((resolve) => (this.completed = resolve));
  declare private completed: () => void;
  /** Kept once what the link opens with is drawn. */
  private readonly behind = new Promise<unknown>((resolve) => (this.goOn = resolve));
  declare private goOn: (opened: unknown) => void;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  private async start(): Promise<void> {
    // The view's script comes in while the engine starts.
    this.readFrame();
    const linked = this.linkedView(new URLSearchParams(location.hash.slice(1)).get("view"));
    void this.scriptsOf(linked);
    try {
      const engine: Engine = await loadEngine(this.neededBy(linked), this.behind);
      this.scenario = pageScenario(engine);
      this.scenario.alone = this.embed;
      wide.addEventListener("change", () => (this.wide = wide.matches));
      await this.readAddress();
      this.history = new Undo(this.scenario);
      this.scenario.addEventListener("change", (event) => this.onChange(event as ScenarioEvent));
      addEventListener("hashchange", () => void this.readAddress());
      if (this.embed)
        addEventListener(perhapsBlocked, () =>
          this.say("Nothing saved? Then the page around this forbids it: open in commcost"),
        );
      if (!this.embed) addEventListener("keydown", (event) => this.onKey(event));
      this.ready = true;
      this.begin();
      await this.updateComplete;
      this.goOn(this.shown.opened);
      // The rest may come in behind the first answer, as may what readers bring of their own.
      requestAnimationFrame(() => setTimeout(() => void this.complete(engine)));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  private async complete(engine: Engine): Promise<void> {
    await this.behind;
    // A figure asks for what it needs by itself.
    if (this.figure === undefined) {
      await ready(engine, "plan");
      this.scenario!.describeAnew();
    }
    if (!this.embed) await import("./own-files.js");
    this.completed();
  }

  private async readAddress(): Promise<void> {
    const scenario = this.scenario!;
    const { texts, settings, pinned, unknown, wrong } = readLink(location, scenario.fields);
    const { view, units, colors, ...rest } = settings;
    const modern = modernizedLink(scenario, { ...rest, ...texts }, view);
    const beside = pinned && modernizedLink(scenario, pinned, view);
    this.unknown = [
      ...unknown,
      ...modern.unknown.map((name) => `${name}=${settings[name]}`),
      ...(beside?.unknown ?? []).map((name) => `pin.${name}=${pinned![name]}`),
      ...(view === undefined || viewNamed(view) ? [] : [`view=${view}`]),
    ];
    this.wrong = wrong;
    this.following = true;
    this.readFrame();
    if (colors) this.colors = colors as Colors;
    this.chooseUnits((units as SizeUnits | undefined) ?? this.units);
    scenario.load(modern.texts, beside?.texts);
    this.following = false;
    await this.open(this.linkedView(view), false);
  }

  private readFrame(): void {
    this.takeFrame({ ...frameOptions(location.search), ...frameOptions(location.hash) });
  }

  private takeFrame(options: FrameOptions): void {
    this.frame = { ...this.frame, ...options };
    if (this.figure !== undefined) void import("../figures/figure.js");
  }

  /** What a frame shows instead of a view. */
  private get figure(): string | undefined {
    return this.embed ? this.frame.figure : undefined;
  }

  private scriptsOf(view: View): Promise<unknown> {
    return this.figure === undefined ? view.load() : import("../figures/figure.js");
  }

  /** The calculation without which nothing can be drawn. */
  private neededBy(view: View): CalculationName | undefined {
    return this.figure === undefined ? (view.needs ?? view.calculation) : undefined;
  }

  /** Changes what a query names, read as a link is; the rest stays. */
  take(query: string): void {
    const { texts, settings } = readLink({ search: query, hash: "" }, this.scenario!.fields);
    const { view, units, colors, ...rest } = settings;
    this.takeFrame(frameOptions(query));
    if (colors) this.colors = colors as Colors;
    if (units) this.chooseUnits(units as SizeUnits);
    this.scenario!.set(modernized(this.scenario!, { ...rest, ...texts }, view ?? this.view.id).texts);
    if (view !== undefined) void this.open(viewNamed(view) ?? usualView);
  }

  /** The view that the address asks for. A frame shows what it was made to show. */
  private linkedView(id: string | null | undefined): View {
    return viewNamed(id) ?? (!this.embed && saysNothing(location) ? firstView : usualView);
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

  private address(view = this.view): string {
    const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario!.text(name)]));
    settings["units"] = this.units === "usual" ? "" : this.units;
    // The view is left out where an address without it opens just this one.
    const bare = writeLink(this.scenario!, { ...settings, view: "" });
    const named = view !== (bare === "" && !this.embed ? firstView : usualView);
    return location.pathname + (named ? writeLink(this.scenario!, { ...settings, view: view.id }) : bare);
  }

  /** The present scenario in that view, as another tab or another reader opens it. */
  private link(view = this.view): string {
    return new URL(this.address(view), location.href).href;
  }

  private async open(view: View, entry = true): Promise<void> {
    try {
      const needed = this.neededBy(view);
      await Promise.all([this.scriptsOf(view), needed && ready(this.scenario!.engine, needed)]);
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
      await navigator.clipboard.writeText(this.link());
      this.say("Link copied");
    } catch {
      this.say("Copy the address of this page");
    }
  }

  private reset(): void {
    this.scenario!.reset();
    this.say("Reset; Undo brings it back");
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

  private get panel(): ScenarioPanel {
    return this.renderRoot.querySelector<ScenarioPanel>("commcost-scenario")!;
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
      { keys: ["/"], label: "Search the presets", run: () => this.panel.focusPreset() },
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

  protected override updated(changed: PropertyValues): void {
    // On a phone there are more tabs than find room.
    if (changed.has("view") || changed.has("ready"))
      this.renderRoot.querySelector("nav [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    document.documentElement.style.setProperty("color-scheme", this.colors || "light dark");
    if (this.embed && this.ready) this.applyFrame();
  }

  /** The view that is open. */
  private get shown(): ScenarioView {
    return this.renderRoot.querySelector<ScenarioView>("#main > *")!;
  }

  /** Gives the view what an element has as attributes. */
  private applyFrame(): void {
    const view = this.shown;
    const { compact = false, readonly = false, parts } = this.frame;
    this.scenario!.readonly = readonly;
    Object.assign(view, { compact, readonly, parts });
  }

  private async toggleEmbedding(): Promise<void> {
    await import("./embed-code.js");
    this.embedding = !this.embedding;
    this.renderRoot.querySelector<HTMLDetailsElement>(".menu")!.open = false;
  }

  private tabs(): TemplateResult {
    return html`<nav aria-label="Views" class="no-print"><ul>${tabs.map(
      (view) => html`<li>
      <a href=${this.link(view)} data-view=${view.id} title=${view.about} aria-current=${view === this.view ? "page" : nothing}
        @click=${(event: MouseEvent) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void this.open(view);
        }}>${view.title}</a></li>`,
    )}<li><a href=${siteAddress("practice.html") ?? "#view=exercise"} @click=${(event: MouseEvent) => {
      if (siteAddress("practice.html")) return;
      event.preventDefault();
      void this.open(viewNamed("exercise")!);
    }}>Practice</a></li></ul></nav>`;
  }

  /** What is often wanted: beside the tabs where there is room, else in the menu. */
  private actions(): TemplateResult {
    return html`<button class="plain" ?disabled=${!this.history?.canUndo} @click=${this.undo}>Undo</button>
      <button class="plain" ?disabled=${!this.history?.canRedo} @click=${this.redo}>Redo</button>
      <button class="plain" aria-pressed=${this.scenario!.pinned ? "true" : "false"} @click=${this.togglePin}
        title="Keep this scenario as A, and compare with it in every view">Pin</button>
      <button class="plain" @click=${this.share}>Copy link</button>`;
  }

  private menu(): TemplateResult {
    return html`<details class="menu"><summary>More</summary><div class="items">
        ${this.wide ? nothing : this.actions()}
        <button class="plain" @click=${this.reset}>Reset</button>
        <button class="plain" aria-expanded=${this.embedding} @click=${this.toggleEmbedding}>Embed</button>
        <select class="plain" aria-label="Units of sizes" @change=${(event: Event) => {
          this.chooseUnits((event.target as HTMLSelectElement).value as SizeUnits);
          remember("units", this.units);
        }}>${sizeUnits.map((units) => html`<option value=${units} ?selected=${units === this.units}>${unitNames[units]}</option>`)}</select>
        <button class="plain" @click=${this.cycleColors}>${colorNames[this.colors]}</button>
        <button class="plain" @click=${() => this.keysDialog.open()}>Keys</button>
      </div></details>`;
  }

  private closeMenu(event: Event): void {
    const menu = this.renderRoot.querySelector<HTMLDetailsElement>(".menu");
    if (menu?.open && !event.composedPath().includes(menu)) menu.open = false;
  }

  private header(): TemplateResult {
    return html`<header>
        <a class="skip" href="#main" @click=${(event: Event) => {
          event.preventDefault();
          this.renderRoot.querySelector<HTMLElement>("#main")!.focus();
        }}>Skip to the answer</a>
        <h1>commcost</h1>
        ${this.tabs()}
        <div class="actions no-print">
          <span role="status" class="small">${this.status}</span>
          ${this.wide ? this.actions() : nothing}
          ${this.menu()}
        </div>
      </header>
      ${this.embedding ? html`<commcost-embed-code class="no-print" .scenario=${this.scenario!} .view=${this.view}></commcost-embed-code>` : nothing}`;
  }

  private scenarioForm(): TemplateResult {
    const calculations = [this.view.calculation ?? "tensor_parallel_allreduce_cost"];
    return html`<commcost-scenario .scenario=${this.scenario!} .calculations=${calculations} place=${this.wide ? "column" : "drawer"}></commcost-scenario>`;
  }

  private ownFiles(): TemplateResult {
    return html`<commcost-own-files .scenario=${this.scenario!}></commcost-own-files>`;
  }

  private misunderstood(): TemplateResult | typeof nothing {
    if (this.unknown.length + this.wrong.length === 0) return nothing;
    return html`<p class="unknown small" role="status">${linkNotes(this.scenario!, this.unknown, this.wrong).join(" ")}</p>`;
  }

  override render(): TemplateResult {
    if (this.failure) return html`<p role="alert">The calculator could not start: ${this.failure}</p>`;
    if (!this.ready) return html`<p class="soft" role="status">Loading the calculator…</p>`;
    const open = (event: CustomEvent<string>) => void this.open(viewNamed(event.detail) ?? this.view);
    const { figure } = this;
    const shown =
      figure === undefined
        ? this.view.render(this.scenario!)
        : html`<commcost-figure .of=${figure} base="./" .scenario=${this.scenario!}></commcost-figure>`;
    const main = html`<main id="main" tabindex="-1" @open-view=${(event: CustomEvent<string>) => {
      event.stopPropagation();
      open(event);
    }}>${shown}</main>`;
    if (this.embed)
      return html`${this.misunderstood()}${main}
        <p class="small open-full"><span role="status">${this.status}</span> ${
          // A figure has a link of its own.
          figure === undefined
            ? html`<a href=${`index.html${this.address().replace(/^[^#]*/, "")}`} target="_blank" rel="noopener">Open in commcost</a>`
            : nothing
        }</p>`;
    return html`<div class="page" @click=${this.closeMenu} @open-view=${open} @focus-field=${(event: CustomEvent<string>) => void this.panel.focusField(event.detail)}>
      ${this.header()}
      ${this.misunderstood()}
      <div class="sides ${this.wide ? "wide" : ""}">
        <aside aria-label="Scenario">${this.scenarioForm()}${this.wide ? this.ownFiles() : nothing}</aside>
        <div class="answers">
          <commcost-compare-bar .scenario=${this.scenario!}></commcost-compare-bar>
          ${main}
          ${this.wide ? nothing : this.ownFiles()}
        </div>
      </div>
      ${this.footer()}
      <commcost-keys .commands=${this.commands} .singles=${this.singles} @singles=${(event: CustomEvent<boolean>) => {
        this.singles = event.detail;
        remember("keys", this.singles ? "on" : "off");
      }}></commcost-keys></div>`;
  }

  private footer(): TemplateResult {
    const formulas = siteAddress("formulas/index.html");
    const glossary = siteAddress("formulas/glossary.html");
    return html`<footer class="small soft"><p>Everything is computed on your machine; nothing is sent anywhere. Bandwidths are one way, per GPU; 1 GB/s is 10⁹ B/s.</p>
      ${
        formulas
          ? html`<p class="no-print"><a href=${formulas}>Where every number comes from</a> · <a href=${glossary!}>What the words mean</a> · <a href="scoreboard.html">How wrong predictions have been</a> ·
        <a href="licenses.txt">Licences</a></p>`
          : nothing
      }</footer>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-app", App);
