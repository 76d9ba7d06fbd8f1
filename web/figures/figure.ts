import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { download } from "../elements/export.js";
import { standaloneSvg, type StillColors } from "../charts/still.js";
import { provenanceOf } from "../elements/provenance.js";
import "../elements/missing-part.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { backLink, hashOf } from "../elements/back-link.js";
import { base, theme } from "../elements/theme.js";
import { WhenSeen } from "../elements/when-seen.js";
import { Part } from "../engine/part.js";
import { partWith, ready } from "../state/parts.js";
import { run } from "../state/run.js";
import { figureNamed, stillName, unknownFigure, type FigureKind } from "./catalog.js";
import type { SmallFigure } from "./small-figure.js";
import styles from "./figure.css?inline";
import { define } from "../elements/define.js";
import { openView, opensElsewhere } from "../elements/view-link.js";

/** The greatest height of the picture in an article, px. */
const articleRoom = 214;

/** The number that an author typed; invalid ones are ignored. */
const finite = (text: string | null): number | undefined =>
  text !== null && Number.isFinite(Number(text)) ? Number(text) : undefined;

/** One figure with its caption, its one control, and a link to the view that shows more. */
export class Figure extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    of: {},
    room: { attribute: "size", converter: finite },
    watch: { converter: finite },
    say: {},
    asks: { attribute: false },
    waits: { attribute: false },
    script: { state: true },
  };

  /** Which figure: one of the catalog's names. */
  declare of: string;
  /** How high its picture may get, px. */
  declare room: number | undefined;
  /** The GPU that a ring follows. */
  declare watch: number | undefined;
  /** Its caption, in its author's words. */
  declare say: string | undefined;
  /** Whether it asks for the reader's guess before it shows anything. */
  declare asks: boolean;
  /** Whether another one goes first. */
  declare waits: boolean;
  /** The fetched figure, and which one that is. */
  declare script: Part | undefined;
  private asked: FigureKind | undefined;
  private readonly sight = new WhenSeen(this);

  constructor() {
    super();
    this.of = "";
    this.asks = false;
    this.waits = false;
  }

  override get outcome() {
    return run(this.scenario, "tensor_parallel_allreduce_cost");
  }

  /** A removed attribute is null. */
  private get named(): string {
    return this.of ?? "";
  }

  private get kind(): FigureKind | undefined {
    return figureNamed(this.named);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { kind } = this;
    // On its own, the scenario comes with the engine.
    if (!this.scenario || !kind || kind === this.asked || !this.sight.seen || this.waits) return;
    this.asked = kind;
    const { engine } = this.scenario;
    const part = (this.script = new Part("This figure", (attempt) =>
      Promise.all([kind.load(), ...(kind.needs ?? []).map((name) => ready(engine, name, attempt > 1))]),
    ));
    part.addEventListener("change", () => this.requestUpdate());
    void part.ask();
  }

  /** Immediately if its script is loaded: printing does not wait. */
  private isHere({ id, needs = [] }: FigureKind): boolean {
    if (this.asked?.id !== id || customElements.get(`commcost-${id}-figure`) === undefined) return false;
    return !needs.some((name) => partWith(this.scenario.engine, name));
  }

  private get figure(): SmallFigure | null {
    return this.renderRoot.querySelector<SmallFigure>(".figure > *");
  }

  protected override updated(): void {
    const { figure } = this;
    if (figure) figure.asks = this.asks;
  }

  /** The present scenario, as the figure shows it, in the view that shows more. */
  private link(view: string): string {
    return hashOf(this.scenario, view);
  }

  private open(event: MouseEvent, view: string): void {
    const { shown = {} } = this.figure ?? {};
    this.scenario.set(shown);
    if (opensElsewhere(event)) {
      (event.currentTarget as HTMLAnchorElement).href = this.link(view);
      return;
    }
    event.preventDefault();
    openView(this, view);
  }

  /** In the page, to another of its views; from an article, to the page. */
  private way({ view, tab, title }: FigureKind): TemplateResult | typeof nothing {
    if (!this.scenario.alone)
      return html`<a href=${this.link(view)} @click=${(event: MouseEvent) => this.open(event, view)}>Open in ${tab}</a>`;
    const hash = () => {
      const asked = new Map([
        ...new URLSearchParams(this.link(view).slice(1)),
        ...Object.entries(this.figure?.shown ?? {}),
      ]);
      return new URLSearchParams([...asked]).toString();
    };
    return backLink(this.base, hash, title);
  }

  /** On the page: how to show it in another page. */
  private use({ id, title }: FigureKind): TemplateResult | typeof nothing {
    if (this.scenario.alone) return nothing;
    const ask = () => this.dispatchEvent(new CustomEvent("use-figure", { detail: id, bubbles: true, composed: true }));
    return html`<button class="plain" @click=${ask} aria-label=${`Use this figure: ${title}`}>Use this figure</button>`;
  }

  /** The figure as a still SVG without scripts; nothing before it is drawn. */
  still(colors: StillColors = "auto"): string | undefined {
    const { kind, figure } = this;
    if (!kind || !figure?.drawn) return undefined;
    const { scenario, source } = provenanceOf(this.scenario);
    return figure.answering(() => {
      const drawn = figure.drawn!;
      const lines = [...drawn.lines, ...(scenario ? [scenario] : [])];
      return standaloneSvg({ ...drawn, title: this.say ?? kind.title, lines, source }, colors);
    });
  }

  private save(): void {
    const still = this.still(this.colors ?? "auto");
    if (still) download(stillName(this.kind!), still, "image/svg+xml");
  }

  private content(): TemplateResult {
    const { kind } = this;
    if (!kind) return html`<p role="alert">${unknownFigure(this.named)}</p>`;
    const room = this.room! > 0 ? this.room! : articleRoom;
    if (!this.isHere(kind)) return this.meanwhile();
    const inside = kind.render({ scenario: this.scenario, room, watch: this.watch });
    return html`<figure><figcaption>${this.say ?? kind.title}</figcaption><div class="figure">${inside}</div>
      <p class="way small no-print">${this.way(kind)}${this.use(kind)}<button class="plain" @click=${this.save} aria-label=${`Save as SVG: ${kind.title}`}>SVG</button></p></figure>`;
  }

  /** What its author has put into the tag, such as a still picture; until it can be drawn, and where scripts do not come. */
  private meanwhile(): TemplateResult {
    const missing = html`<commcost-missing .of=${this.script}></commcost-missing>`;
    return this.script?.state === "missing"
      ? html`<slot></slot>${missing}`
      : html`<slot><div class="figure"><p class="soft small" role="status">…</p></div></slot>${missing}`;
  }

  override render(): TemplateResult {
    return this.scenario ? this.content() : html`<slot></slot>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-figure", Figure);
