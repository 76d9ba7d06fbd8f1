import { noChange, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { answerFrame, frameStyles } from "../../elements/answer-frame.js";
import "../../elements/missing-part.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { modelWords } from "../../elements/scenario-words.js";
import { siteAddress } from "../../elements/site.js";
import { Status } from "../../elements/status.js";
import { base, theme } from "../../elements/theme.js";
import { figureNamed } from "../../figures/catalog.js";
import "../../figures/figure.js";
// The article's first figure comes with it.
import "../../figures/fit-figure.js";
import { Part } from "../../engine/part.js";
import { newestEdition } from "../../exercise/edition.js";
import { machineName } from "../../state/machine.js";
import { protagonist } from "../../state/page-scenario.js";
import { arrived, restOf } from "../../state/parts.js";
import { run } from "../../state/run.js";
import { settingNames, writeLink } from "../../state/link.js";
import { citation, published, version } from "./citation.js";
import { type Facts, factsOf } from "./facts.js";
import { heldNumber } from "./held-number.js";
import { plainText, type Prose } from "./prose.js";
import { card, type Chapter, chapters, lead, rule } from "./story.js";
import styles from "./learn-view.css?inline";
import { define } from "../../elements/define.js";
import { opening } from "../../elements/view-link.js";

/** How high a picture may get, px; the ring, in which every chunk has a number and a row, gets more. */
const room = 460;
const ringRoom = 640;

/** The longest time that content further down waits for the first figure, which may be out of sight, ms. */
const longest_ms = 2000;

/** Chapters out of sight follow once no number has been moved for this long, ms. */
const pause_ms = 150;

/** The chapter that an address asks for, by its id. */
const chapterIn = (hash: string): string | undefined => new URLSearchParams(hash.slice(1)).get("chapter") ?? undefined;

/** The code that poses a chapter's question; loaded only when one is opened. */
const exercises = new Part("The exercise", () => import("../../exercise/track-exercise.js"));

const calculation = "tensor_parallel_allreduce_cost";

/** "What it costs to split a model": an article whose figures and numbers can be dragged. */
export class LearnView extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    begun: { state: true },
    unfolded: { state: true },
    posing: { state: true },
  };

  /** Whether the first figure is drawn, or out of sight: content further down loads after it. */
  declare begun: boolean;
  /** The questions that were opened, by the ids of their places, and whether they can be posed. */
  declare private unfolded: ReadonlySet<string>;
  declare private posing: boolean;
  private readonly first = new Promise<void>((resolve) => (this.begin = resolve));
  declare private begin: () => void;
  private readonly status = new Status(this, 4000);
  /**
   * The chapters on the screen or near it, by id; those that have been rendered; and whether all must be rendered
   * again.
   */
  private readonly near = new Set<string>();
  private readonly drawnOnce = new Set<string>();
  private all = true;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private readonly sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        this.near[isIntersecting ? "add" : "delete"]((target as HTMLElement).dataset["chapter"]!);
    },
    { rootMargin: "400px" },
  );
  /** The chapter that the address asks for, until it has been shown. */
  private asked: string | undefined;
  /** The last text, while inputs are wrong. */
  private lastFacts: Facts | undefined;

  constructor() {
    super();
    this.begun = false;
    this.unfolded = new Set();
    this.posing = false;
    void this.first.then(() => {
      this.begun = true;
      this.fetchOthers();
    });
  }

  override get outcome() {
    return run(this.scenario, calculation);
  }

  override get opened(): Promise<unknown> {
    return this.first;
  }

  protected override firstUpdated(): void {
    setTimeout(this.begin, longest_ms);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("beforeprint", this.writeAll);
    addEventListener("hashchange", this.onAddress);
    this.asked = chapterIn(location.hash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("beforeprint", this.writeAll);
    removeEventListener("hashchange", this.onAddress);
    clearTimeout(this.pause);
    this.sight.disconnect();
    this.near.clear();
  }

  private readonly writeAll = (): void => {
    this.all = true;
    this.requestUpdate();
  };

  protected override updated(): void {
    for (const section of this.renderRoot.querySelectorAll(".chapter")) this.sight.observe(section);
    clearTimeout(this.pause);
    if (!this.all) this.pause = setTimeout(this.writeAll, pause_ms);
    this.all = false;
    this.goTo();
  }

  private readonly onAddress = ({ newURL }: HashChangeEvent): void => {
    this.asked = chapterIn(new URL(newURL).hash);
    this.requestUpdate();
  };

  /** Goes to the chapter that the address asks for, without waiting for any figure above it. */
  private goTo(): void {
    const heading = this.asked && this.renderRoot.querySelector<HTMLElement>(`#chapter-${CSS.escape(this.asked)}`);
    if (!heading) return;
    this.asked = undefined;
    this.begin();
    heading.scrollIntoView();
    heading.querySelector("a")?.focus({ preventScroll: true });
  }

  /** Whether a chapter out of sight stays as it is for now. */
  private waits(id: string): boolean {
    const waits = !this.all && this.drawnOnce.has(id) && !this.near.has(id);
    this.drawnOnce.add(id);
    return waits;
  }

  /** It is to be painted before anything else loads. */
  private readonly onDrawn = (): void => {
    requestAnimationFrame(() => setTimeout(this.begin));
  };

  private fetchOthers(): void {
    const fetchAll = () =>
      chapters.forEach(
        ({ figure }) =>
          void figureNamed(figure ?? "")
            ?.load()
            .catch(() => undefined),
      );
    const whenIdle = () =>
      "requestIdleCallback" in globalThis ? requestIdleCallback(fetchAll) : setTimeout(fetchAll, 1000);
    void Promise.resolve(restOf(this.scenario.engine)?.here).then(whenIdle);
  }

  private written(prose: Prose): unknown {
    return prose.map((part) => (typeof part === "string" ? part : heldNumber(this.scenario, part)));
  }

  /** The article's subject, and how to change it. */
  private margin(): TemplateResult {
    const { scenario } = this;
    const words = `Told with ${modelWords(scenario)} on ${machineName(scenario)}, ${scenario.text("batch_size")} × ${scenario.text("sequence_length")} tokens at a time.`;
    if (scenario.alone) return html`<p class="margin small soft">${words}</p>`;
    const change = () =>
      this.dispatchEvent(new CustomEvent("focus-field", { detail: "model", bubbles: true, composed: true }));
    const isFirst = Object.entries(protagonist).every(([name, text]) => scenario.text(name) === text);
    return html`<p class="margin small soft">${words} <button class="plain" @click=${change}>Change the model</button>${
      isFirst
        ? nothing
        : html`<button class="plain" @click=${() => scenario.set({ ...protagonist })}>Use our example</button>`
    }</p>`;
  }

  private readonly onFold = (event: Event): void => {
    const { open, id } = event.currentTarget as HTMLDetailsElement;
    if (!open || this.unfolded.has(id)) return;
    this.unfolded = new Set([...this.unfolded, id]);
    void exercises.ask();
    void Promise.all([exercises.here, arrived(this.scenario.engine, "pose_exercise")]).then(() => (this.posing = true));
  };

  /** The question after a chapter, in place; the four numbers, which take more room, in Practice. */
  private questions(chapter: Chapter, facts: Facts, index: number): TemplateResult | typeof nothing {
    if (this.scenario.alone) return nothing;
    const { id, practice, riddle } = chapter;
    const { ask, answer } = riddle?.(facts) ?? {};
    return html`${answer ? html`<details id="try-${id}" class="question no-print"><summary>Your turn: ${ask}</summary><p>${this.written(answer)}</p></details>` : nothing}
      ${practice ? this.exercise(id, practice, index) : nothing}`;
  }

  private exercise(id: string, { track, words }: NonNullable<Chapter["practice"]>, index: number): TemplateResult {
    if (!track) return html`<p class="question small no-print">Practice: ${this.toPractice(undefined, words)}</p>`;
    const which = { seed: index + 1, level: 1, edition: newestEdition(this.scenario) };
    const asked = this.unfolded.has(`try-${id}`);
    return html`<details id="try-${id}" class="question no-print" @toggle=${this.onFold}><summary>Your turn: ${words}</summary>
      ${
        asked && this.posing
          ? html`<commcost-track-exercise .scenario=${this.scenario} .track=${track} .seed=${which.seed} .level=${which.level} .edition=${which.edition}></commcost-track-exercise>
        <p class="small">${this.toPractice(track, "More of these, and harder ones")}</p>`
          : asked
            ? html`<p class="soft small" role="status">…</p><commcost-missing .of=${exercises}></commcost-missing>`
            : nothing
      }</details>`;
  }

  /** The link to Practice, at its kind. */
  private toPractice(track: string | undefined, words: string): TemplateResult {
    const page = siteAddress("practice.html");
    const pose = () => {
      const { scenario } = this;
      if (track)
        scenario.set({
          track,
          ...(scenario.text("seed") === "" ? { seed: "1", edition: String(newestEdition(scenario)) } : {}),
        });
      else scenario.unset("track");
    };
    return html`<a @click=${opening("exercise", pose)} href=${page ? `${page}${track ? `#track=${track}` : ""}` : "#view=exercise"}>${words}</a>`;
  }

  private figure(of: string, first: boolean): TemplateResult {
    return html`<commcost-figure data-of=${of} .of=${of} .scenario=${this.scenario} .room=${of === "ring" ? ringRoom : room} .asks=${true}
      .waits=${!first && !this.begun} @drawn=${first ? this.onDrawn : nothing}></commcost-figure>`;
  }

  /** A heading as the link to its chapter, with the current numbers. */
  private anchor(id: string, title: TemplateResult): TemplateResult {
    if (this.scenario.alone) return title;
    const follow = (event: Event) => {
      const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario.text(name)]));
      const link = writeLink(this.scenario, { ...settings, view: "learn" });
      (event.currentTarget as HTMLAnchorElement).href = `${link}&chapter=${id}`;
    };
    return html`<a class="anchor" href=${`#chapter=${id}`} @pointerdown=${follow} @focus=${follow} @click=${follow}>${title}</a>`;
  }

  private chapter(chapter: Chapter, facts: Facts, index: number): TemplateResult | typeof noChange {
    const { id, figure } = chapter;
    if (this.waits(id)) return noChange;
    return html`<section class="chapter" aria-labelledby=${`chapter-${id}`} data-chapter=${id}>
      <h3 id=${`chapter-${id}`}>${this.anchor(id, html`<span class="soft number">${index + 1}</span> ${chapter.title(facts)}`)}</h3>
      <p class="ask">${this.written(chapter.ask(facts))}</p>
      ${figure ? this.figure(figure, index === 0) : nothing}
      ${chapter.explain(facts).map((prose) => html`<p>${this.written(prose)}</p>`)}
      ${id === "home" ? this.card(facts) : nothing}
      ${this.questions(chapter, facts, index)}
    </section>`;
  }

  private card(facts: Facts): TemplateResult {
    const rows = card(facts);
    const last = rule(facts);
    const text = [...rows.map(([name, value]) => `${name}: ${value}`), plainText(last)].join("\n");
    return html`<div class="card"><dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`)}</dl>
      <p>${this.written(last)}</p>
      <p class="no-print"><button @click=${() => void this.status.copy(text, "Card copied", "Copy the card")}>Copy the card</button>
        <span role="status" class="small">${this.status.text}</span></p></div>`;
  }

  /** The author, the date, and where to go on. */
  private end(): TemplateResult {
    const formulas = siteAddress("formulas/index.html");
    return html`<footer class="end small soft">
      ${this.scenario.alone ? nothing : html`<p class="no-print">Read on: <a data-view="projection" @click=${opening("projection")} href="#v=2&view=projection">From a few GPUs to many</a></p>`}
      ${formulas ? html`<p class="no-print"><a href=${formulas}>Where every number comes from</a> · <a href=${siteAddress("scoreboard.html")!}>How accurate our predictions are</a></p>` : nothing}
      <details><summary>Cite this</summary><pre class="code" tabindex="0">${citation(this.scenario)}</pre></details>
      <p>Written ${published.words}, commcost ${version}. Every number is computed as you read, on your machine.</p></footer>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) {
      this.drawnOnce.clear();
      return nothing;
    }
    const { problems, stale } = this.answer(calculation);
    const facts = (this.lastFacts = factsOf(this.scenario) ?? this.lastFacts);
    return answerFrame(this, {
      headline: html`<h2 part="headline" class="headline">What it costs to split a model</h2>`,
      under: facts ? html`<p class="under">${this.written(lead(facts))}</p>${this.margin()}` : nothing,
      rest: facts
        ? html`<article>${chapters.map((chapter, index) => this.chapter(chapter, facts, index))}${this.end()}</article>`
        : nothing,
      problems,
      stale,
      calculations: [calculation, "predict_collective"],
    });
  }

  static override styles = [theme, base, frameStyles, unsafeCSS(styles)];
}

define("commcost-learn", LearnView);
// The view's former name.
define("commcost-start", class extends LearnView {});
