import "../embed/own-scenario.js";
import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import appStyles from "../app/app.css?inline";
import { keepForOffline } from "../app/keep-for-offline.js";
import { renew } from "../app/renew.js";
import { partsOf, tabs, type TabId } from "../app/views.js";
import { define } from "../elements/define.js";
import { base, theme } from "../elements/theme.js";
import { passOn, say, sayHeight } from "../embed/speak.js";
import { version } from "../embed/protocol.js";
import { loadEngine } from "../engine/index.js";
import { Part } from "../engine/part.js";
import { newestEdition } from "../exercise/edition.js";
import type { ExerciseDetail } from "../exercise/events.js";
import { lessonOf, type Lesson } from "../exercise/lesson.js";
import { theFunction } from "../exercise/progress.js";
import "../views/exercise/practice-view.js";

const framed = parent !== window;

/** The fields in a link to an exercise, after its #. */
const named = ["track", "seed", "level", "edition"] as const;
type Which = Partial<Record<(typeof named)[number], string>>;

/**
 * Practice as a page of its own: for links to one exercise or to a lesson, and for frames, to which it reports events.
 */
class PracticePage extends LitElement {
  static override properties = { lesson: { state: true }, which: { state: true } };

  declare private lesson: Lesson | undefined;
  declare private which: Which | undefined;
  private written = "";

  override connectedCallback(): void {
    super.connectedCallback();
    if (framed) this.setAttribute("embed", "");
    addEventListener("hashchange", () => {
      if (location.hash !== this.written) void this.read();
    });
    this.addEventListener("exercise", (event) => this.write((event as CustomEvent<ExerciseDetail>).detail));
    void this.read();
  }

  private async read(): Promise<void> {
    const engine = await loadEngine("draw_exercise");
    this.lesson = lessonOf(engine, location.search);
    const asked = new URLSearchParams(location.hash.slice(1));
    const given = Object.fromEntries(named.flatMap((name) => (asked.has(name) ? [[name, asked.get(name)!]] : [])));
    // A link that names an exercise without an edition was made for the first.
    this.which =
      "seed" in given ? given : { seed: "1", level: "1", edition: String(newestEdition({ engine })), ...given };
  }

  /** The address says which exercise is shown, but not in a frame, nor in a lesson, which says it itself. */
  private write(detail: ExerciseDetail): void {
    if (framed || this.lesson) return;
    const said = new URLSearchParams(
      named.flatMap((name) => (detail[name] === undefined ? [] : [[name, String(detail[name])]])),
    );
    this.written = `#${said}`;
    history.replaceState(null, "", this.written);
  }

  private header(): TemplateResult {
    return html`<header><h1>commcost</h1><nav aria-label="Views"><ul>${(Object.keys(tabs) as TabId[]).map((tab) => {
      const own = tab === "practice";
      return html`<li><a href=${own ? "./practice.html" : `./index.html#view=${partsOf(tab)[0]!.id}`} aria-current=${own ? "page" : nothing}>${tabs[tab]}</a></li>`;
    })}</ul></nav></header>`;
  }

  private footer(): TemplateResult {
    return html`<footer class="small soft">
      <p><a href="./formulas/exercise.html">Where the formulas come from</a> · <a href="./formulas/glossary.html">What the words mean</a></p>
      <details><summary>Use these exercises in your own page</summary>
        <p>One tag poses an exercise; events say what was asked, answered and likely missed. Or put this page into a frame, with
          <code>?lesson=four_numbers:1:3,ring_rounds:2:7</code> for a sequence of your own.</p>
        <pre class="code" tabindex="0" role="group" aria-label="The tag and the listener">${example}</pre>
      </details></footer>`;
  }

  override render(): TemplateResult {
    const { which, lesson } = this;
    const writing = which?.track === theFunction;
    const practice = which
      ? html`<commcost-practice path .lesson=${lesson} ?readonly=${lesson !== undefined} track=${writing ? nothing : (which.track ?? nothing)} show=${writing ? theFunction : nothing} seed=${which.seed ?? nothing}
          level=${which.level ?? nothing} edition=${which.edition ?? nothing}></commcost-practice>`
      : html`<p class="soft" role="status">Loading…</p>`;
    return framed ? practice : html`${this.header()}<main id="main" tabindex="-1">${practice}</main>${this.footer()}`;
  }

  static override styles = [theme, base, unsafeCSS(appStyles)];
}

const example = `<script type="module" src="commcost-element.js"></script>
<commcost-calculator exercise seed="1" level="1" edition="2"></commcost-calculator>

addEventListener("answer", ({ detail }) => {
  // detail: seed, level, edition, inputs, answers, expected, right, asked, verdicts,
  //         mistakes, correct, mistake, attempt, hints, solution_shown
});
addEventListener("hint", ({ detail }) => {
  // detail: seed, level, result, step (1 the idea, 2 the formula, 3 with the numbers), hints
});`;

// A browser may keep a script that was refused as long as the page is open.
Part.renew = renew;

if (framed) {
  sayHeight();
  passOn(window);
  addEventListener("exercise", () => say({ type: "commcost:ready", v: version }), { once: true });
} else {
  // In a frame, the page around it decides what is kept.
  addEventListener("exercise", () => void keepForOffline(), { once: true });
}

define("commcost-practice-page", PracticePage);
