import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { perhapsBlocked } from "../elements/export.js";
import "../elements/missing-part.js";
import type { ScenarioPanel } from "../elements/scenario-panel.js";
import type { EmbedCode } from "./embed-code.js";
import type { ScenarioView } from "../elements/scenario-view.js";
import { siteAddress } from "../elements/site.js";
import { Status } from "../elements/status.js";
import { base, theme } from "../elements/theme.js";
import { Part } from "../engine/part.js";
import type { Colors } from "../state/link.js";
import { pageScenario } from "../state/page-scenario.js";
import { helpOf, ready, restOf } from "../state/parts.js";
import type { Session } from "../state/session.js";
import { sizeUnits, type SizeUnits } from "../state/sizes.js";
import { allPinned, trained } from "../state/trained.js";
import { Address } from "./address.js";
import styles from "./app.css?inline";
import { fileNews, type FileNews } from "./file-news.js";
import { HostWishes } from "./host-wishes.js";
import { Keyboard, type Command } from "./keys.js";
import type { KeysDialog } from "./keys-dialog.js";
import { countedAs } from "../elements/scenario-words.js";
import { layoutNote } from "../elements/layout-note.js";
import { linkNotes } from "./link-notes.js";
import { Loading } from "./loading.js";
import { Media } from "./media.js";
import { Opened } from "./opened.js";
import { Past } from "./past.js";
import { Preferences } from "./preferences.js";
import { subjectOf } from "./subject.js";
import { hasPins, partsOf, type TabId, tabs, type View, viewNamed } from "./views.js";
import { define } from "../elements/define.js";
import { opensElsewhere } from "../elements/view-link.js";

const tabIds = Object.keys(tabs) as TabId[];

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

/** The page: one scenario, a tab for each view, an address that holds it all. Its controllers do the work. */
export class App extends LitElement {
  static override properties = {
    embed: { type: Boolean, reflect: true },
    embedding: { state: true },
    news: { state: true },
  };

  /** Without header, tabs and address: for a frame in another page. */
  declare embed: boolean;
  /** Whether the reader is shown how to embed what they see. */
  declare embedding: boolean;
  /** The outcome of the last file. */
  declare private news: FileNews | undefined;
  private scenario: Session | undefined;
  private readonly status = new Status(this, 4000);
  private readonly preferences = new Preferences(this, (sizes) => this.scenario?.write(sizes));
  private readonly wishes = new HostWishes(this);
  private readonly opened = new Opened(this, this.wishes);
  private readonly address = new Address(this, this.opened, this.preferences, this.wishes);
  private readonly past = new Past(this.address, this.status);
  private readonly loading = new Loading(this);
  private readonly ownFilesPart = new Part("The reader of your own files", () => import("./own-files.js"));
  private readonly leftOutPart = new Part("What the model leaves out", () => import("./left-out.js"));
  private readonly embeddingPart = new Part("The code for embedding", () => import("./embed-code.js"));
  /** From this width on the scenario is next to the answer. */
  private readonly wide = new Media(this, "(min-width: 60rem)");

  /** The page's address as it is to be, with the edits that it hasn't taken yet. */
  get link(): string {
    return this.address.link();
  }

  constructor() {
    super();
    this.embed = false;
    this.embedding = false;
    new Keyboard(
      this,
      () => (this.embed || !this.loading.ready || this.keysDialog.isOpen ? [] : this.commands),
      () => this.preferences.singles,
    );
  }

  /** Kept once the page can calculate, and once all of it is there. */
  get started(): Promise<void> {
    return this.loading.started;
  }

  get whole(): Promise<void> {
    return this.loading.whole;
  }

  /** Changes what a query names, read as a link is; the rest stays. */
  take(query: string): void {
    this.address.take(query);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.wishes.read(location);
    const asked = this.opened.asked(new URLSearchParams(location.hash.slice(1)).get("view"));
    // The view's script loads while the engine starts; a failure is reported to the reader who opened the view.
    this.opened.scripts(asked).catch(() => undefined);
    if (this.embed)
      addEventListener(perhapsBlocked, () =>
        this.status.say("Nothing saved? Then the page around this forbids it: open in commcost"),
      );
    void this.loading.start(this.opened.needed(asked), {
      first: async (engine) => {
        this.scenario = pageScenario(engine);
        this.scenario.alone = this.embed;
        this.scenario.sizes = this.preferences.sizes;
        await this.address.follow(this.scenario);
        if (!this.embed)
          for (const event of ["change", "progress"])
            trained(this.scenario).addEventListener(event, () => this.requestUpdate());
        this.past.follow(this.scenario);
      },
      opened: async () => this.shown?.opened,
      rest: async (engine) => {
        const [rest, help] = [restOf(engine), helpOf(engine)];
        for (const part of [rest, help]) part?.addEventListener("change", () => this.requestUpdate());
        // A figure requests what it needs itself.
        if (this.wishes.figure === undefined) {
          ready(engine).catch(() => undefined);
          await rest?.settled();
          void this.scenario!.explain();
          await help?.settled();
        }
        // Readers' own files, too, load after the first answer.
        if (!this.embed) await this.ownFilesPart.settled();
      },
    });
  }

  protected override updated(): void {
    if (this.embed && this.loading.ready) this.wishes.apply(this.shown, this.scenario!);
  }

  /** The view that is open. */
  private get shown(): ScenarioView | null {
    return this.renderRoot.querySelector<ScenarioView>("#main > *");
  }

  private get panel(): ScenarioPanel {
    return this.renderRoot.querySelector<ScenarioPanel>("commcost-scenario")!;
  }

  private get keysDialog(): KeysDialog {
    return this.renderRoot.querySelector<KeysDialog>("commcost-keys")!;
  }

  private get menu(): HTMLDetailsElement | null {
    return this.renderRoot.querySelector<HTMLDetailsElement>(".menu");
  }

  private share(): void {
    void this.status.copy(this.address.link(), "Link copied", "Copy the address of this page");
  }

  private reset(): void {
    this.scenario!.reset();
    this.status.say("Reset; Undo brings it back");
  }

  private togglePin(): void {
    const scenario = this.scenario!;
    if (scenario.pinned) scenario.unpin();
    else scenario.pin();
    this.status.say(scenario.pinned ? "Pinned as A" : "Unpinned");
  }

  private toggleEmbedding(): void {
    void this.embeddingPart.ask();
    this.embedding = !this.embedding;
    this.menu!.open = false;
  }

  private async useFigure(id: string): Promise<void> {
    this.embedding = true;
    void this.embeddingPart.ask();
    await this.embeddingPart.here;
    await this.updateComplete;
    this.renderRoot.querySelector<EmbedCode>("commcost-embed-code")?.show(id);
  }

  private get commands(): readonly Command[] {
    return [
      ...tabIds.map((tab, index) => ({
        keys: [String(index + 1)],
        label: tabs[tab],
        run: () => void this.address.open(this.opensWith(tab)),
      })),
      { keys: ["/"], label: "Search the presets", run: () => void this.panel.focusPreset() },
      { keys: ["p"], label: "Pin this scenario to compare with, or unpin it", run: () => this.togglePin() },
      { keys: ["x"], label: "Swap this scenario and the pinned one", run: () => this.scenario!.swap() },
      { keys: ["u", "Ctrl+Z"], label: "Undo", run: () => this.past.undo() },
      { keys: ["r", "Ctrl+Shift+Z", "Ctrl+Y"], label: "Redo", run: () => this.past.redo() },
      { keys: ["c"], label: "Copy the link", run: () => this.share() },
      { keys: ["t"], label: "Colours: as the system, light, dark", run: () => this.preferences.cycleColors() },
      { keys: ["?"], label: "These keys", run: () => this.keysDialog.open() },
    ];
  }

  /** What opens with a tab: its open part, otherwise its first; for a pinned layout, one step. */
  private opensWith(tab: TabId): View {
    const { view } = this.opened;
    if (view?.tab === tab && !view.aside) return view;
    return tab === "train" && trained(this.scenario!).isPinned ? viewNamed("step")! : partsOf(tab)[0]!;
  }

  private linkTo(view: View, words: string, current: unknown): TemplateResult {
    return html`<a href=${this.address.link(view)} data-view=${view.id} title=${view.about} aria-current=${current}
        @click=${(event: MouseEvent) => {
          if (opensElsewhere(event)) return;
          event.preventDefault();
          void this.address.open(view);
        }}>${words}</a>`;
  }

  private tabs(): TemplateResult {
    return html`<nav aria-label="Views" class="no-print"><ul>${tabIds.map(
      (tab) =>
        html`<li>${this.linkTo(this.opensWith(tab), tabs[tab], tab === this.opened.view?.tab ? "page" : nothing)}</li>${
          // A phone has no room for a second row.
          tab === this.opened.view?.tab && !this.wide.matches ? this.partLinks() : nothing
        }`,
    )}</ul></nav>`;
  }

  /** The parts of the tab that is open, where it has several. */
  private partLinks(): readonly TemplateResult[] {
    const { view } = this.opened;
    const parts = view && !view.aside ? partsOf(view.tab) : [];
    if (parts.length < 2) return [];
    return parts.map(
      (part) => html`<li class="part">${this.linkTo(part, part.title, part === view ? "true" : nothing)}</li>`,
    );
  }

  private parts(): TemplateResult | typeof nothing {
    const { view } = this.opened;
    if (view?.aside)
      return html`<nav aria-label="Where this is" class="parts no-print"><ul><li>${this.linkTo(this.opensWith(view.tab), tabs[view.tab], nothing)} › ${view.title}</li></ul></nav>`;
    const links = this.wide.matches ? this.partLinks() : [];
    if (links.length === 0) return nothing;
    return html`<nav aria-label=${tabs[view!.tab]} class="parts no-print"><ul>${links}</ul></nav>`;
  }

  /** Frequent actions: next to the tabs if there is room, otherwise in the menu. */
  private actions(): TemplateResult {
    return html`<button class="plain" ?disabled=${!this.past.canUndo} @click=${() => this.past.undo()}>Undo</button>
      <button class="plain" ?disabled=${!this.past.canRedo} @click=${() => this.past.redo()}>Redo</button>
      <button class="plain" aria-pressed=${this.scenario!.pinned ? "true" : "false"} @click=${this.togglePin}
        title="Keep this scenario as A, and compare with it in every view">Pin</button>
      <button class="plain" @click=${this.share}>Copy link</button>`;
  }

  private more(): TemplateResult {
    const { preferences } = this;
    return html`<details class="menu"><summary>More</summary><div class="items">
        ${this.wide.matches ? nothing : this.actions()}
        <button class="plain" @click=${this.reset}>Reset</button>
        <button class="plain" aria-expanded=${this.embedding} @click=${this.toggleEmbedding}>Embed</button>
        <select class="plain" aria-label="Units of sizes"
          @change=${(event: Event) => preferences.chooseUnits((event.target as HTMLSelectElement).value as SizeUnits)}>${sizeUnits.map(
            (units) =>
              html`<option value=${units} ?selected=${units === preferences.units}>${unitNames[units]}</option>`,
          )}</select>
        <button class="plain" @click=${() => preferences.cycleColors()}>${colorNames[preferences.colors]}</button>
        <button class="plain" @click=${() => this.keysDialog.open()}>Keys</button>
      </div></details>`;
  }

  private closeMenu(event: Event): void {
    const { menu } = this;
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
          <span role="status" class="small">${this.status.text}</span>
          ${this.wide.matches ? this.actions() : nothing}
          ${this.more()}
        </div>
      </header>
      ${
        this.embedding
          ? html`<commcost-missing class="no-print" .of=${this.embeddingPart}></commcost-missing>
        <commcost-embed-code class="no-print" .scenario=${this.scenario!} .view=${this.opened.wanted}></commcost-embed-code>`
          : nothing
      }`;
  }

  /** Whether the scenario is a column next to the answer. */
  private get inColumns(): boolean {
    const { article, asks } = this.opened.wanted;
    return this.wide.matches && !article && asks.length > 0;
  }

  private scenarioForm(): TemplateResult | typeof nothing {
    const { asks, asksToo = [], asksItself = [], question } = this.opened.wanted;
    if (asks.length === 0) return nothing;
    const asked = this.opened.view === this.opened.wanted ? question : undefined;
    return html`<commcost-scenario .scenario=${this.scenario!} .calculations=${asks} .alsoAsked=${asksToo}
      .askedElsewhere=${asksItself} .question=${asked} .only=${true} .pins=${hasPins(this.opened.wanted)}
      place=${this.inColumns ? "column" : "drawer"}></commcost-scenario>`;
  }

  private ownFiles(): TemplateResult {
    return html`<commcost-missing .of=${this.ownFilesPart}></commcost-missing>
      <commcost-own-files .scenario=${this.scenario!} .diagnoses=${this.opened.wanted.id === "diagnose"}></commcost-own-files>`;
  }

  private misunderstood(): TemplateResult | typeof nothing {
    const { unknown, wrong } = this.address;
    if (unknown.length + wrong.length === 0) return nothing;
    return html`<p class="unknown small" role="status">${linkNotes(this.scenario!, unknown, wrong).join(" ")}</p>`;
  }

  /**
   * What is not counted of a model, or counted as something else, whether it was read from a file or is the catalog's.
   */
  private leftOut(): TemplateResult | typeof nothing {
    const said = this.scenario!.text("left_out");
    const counted = countedAs(this.scenario!);
    if (said === "")
      return counted === undefined
        ? nothing
        : html`<p class="small soft" role="status" data-not-counted>${counted}.</p>`;
    void this.leftOutPart.settled();
    return html`<commcost-missing .of=${this.leftOutPart}></commcost-missing>
      <commcost-left-out .engine=${this.scenario!.engine} .said=${said}></commcost-left-out>`;
  }

  private readonly onOpen = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const view = viewNamed(event.detail) ?? this.opened.wanted;
    const scenario = this.scenario!;
    // A figure of the article shows the scenario's own layout, and so does the view that it leads to.
    if (view.laidOut && this.opened.view?.id === "learn") scenario.set(allPinned(scenario, scenario.texts()));
    void this.address.open(view);
  };

  /** What failed to load, or takes long: the wanted view, the engine's rest, which it may wait for, or help. */
  private missing(): TemplateResult {
    const { engine } = this.scenario!;
    const first = [this.opened.part, restOf(engine), helpOf(engine)].find((part) => part && part.state !== "here");
    return html`<commcost-missing class="no-print" .of=${first}></commcost-missing>`;
  }

  private main(): TemplateResult {
    const { figure, told } = this.wishes;
    const { view } = this.opened;
    const laidOut = view?.laidOut && !this.embed && figure === undefined;
    if (laidOut) return html`${this.missing()}${this.laidOut(view)}`;
    const shown =
      view &&
      (figure === undefined
        ? view.render(this.scenario!)
        : html`<commcost-figure .of=${figure} base="./" .watch=${told.watch} .say=${told.say} .room=${told.size} .scenario=${this.scenario!}></commcost-figure>`);
    return html`${this.missing()}<main id="main" tabindex="-1" @open-view=${this.onOpen}>${shown ?? nothing}</main>`;
  }

  /** A view of one layout: the last one's answer is dimmed while another is searched for. */
  private laidOut(view: View): TemplateResult {
    const scenario = trained(this.scenario!);
    scenario.search();
    return html`${scenario.isCurrent ? nothing : layoutNote(this.scenario!, scenario, this.address.link(viewNamed("plan")))}
      <main id="main" tabindex="-1" class=${scenario.isCurrent ? "" : "stale"} @open-view=${this.onOpen}>${scenario.known ? view.render(scenario) : nothing}</main>`;
  }

  private framed(): TemplateResult {
    return html`${this.misunderstood()}${this.leftOut()}${this.main()}
        <p class="small open-full"><span role="status">${this.status.text}</span> ${subjectOf(this.scenario!, this.opened.wanted, this.wishes.parts)} ${
          // A figure has a link of its own.
          this.wishes.figure === undefined
            ? html`<a href=${`index.html${this.address.hash()}`} target="_blank" rel="noopener">Open in commcost</a>`
            : nothing
        }</p>`;
  }

  override render(): TemplateResult {
    const { ready: there, failure } = this.loading;
    if (failure) return html`<p role="alert">The calculator could not start: ${failure}</p>`;
    if (!there)
      return html`<p class="soft" role="status">Loading the calculator…</p>
        <commcost-missing .of=${this.loading.part}></commcost-missing>`;
    if (this.embed) return this.framed();
    const wide = this.inColumns;
    return html`<div class="page" @click=${this.closeMenu} @open-view=${this.onOpen}
        @file-news=${(event: FileNews) => (this.news = event)}
        @use-figure=${(event: CustomEvent<string>) => void this.useFigure(event.detail)}
        @focus-field=${(event: CustomEvent<string>) => void this.panel.focusField(event.detail)}>
      ${this.header()}
      ${this.misunderstood()}
      <div class="sides ${wide ? "wide" : ""}">
        <aside aria-label="Scenario">${this.scenarioForm()}${wide ? this.ownFiles() : nothing}</aside>
        <div class="answers">
          ${this.parts()}
          ${fileNews(this.news)}
          ${this.leftOut()}
          <commcost-compare-bar .scenario=${this.scenario!}></commcost-compare-bar>
          ${this.main()}
          ${wide ? nothing : this.ownFiles()}
        </div>
      </div>
      ${this.footer()}
      <commcost-keys .commands=${this.commands} .singles=${this.preferences.singles}
        @singles=${(event: CustomEvent<boolean>) => this.preferences.chooseSingles(event.detail)}></commcost-keys></div>`;
  }

  private footer(): TemplateResult {
    const formulas = siteAddress("formulas/index.html");
    const glossary = siteAddress("formulas/glossary.html");
    return html`<footer class="small soft"><p>Everything is computed in your browser. Nothing is uploaded. Bandwidths are one way, per GPU; 1 GB/s is 10⁹ B/s.</p>
      ${
        formulas
          ? html`<p class="no-print"><a href=${formulas}>Where every number comes from</a> · <a href=${glossary!}>What the words mean</a> · <a href="scoreboard.html">How accurate our predictions are</a> ·
        <a href="licenses.txt">Licences</a></p>`
          : nothing
      }</footer>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-app", App);
