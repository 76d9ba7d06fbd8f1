import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { define } from "../../elements/define.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { newestEdition } from "../../exercise/edition.js";
import type { AnswerDetail, FunctionDetail, LessonDetail, TrackAnswerDetail } from "../../exercise/events.js";
import type { Lesson } from "../../exercise/lesson.js";
import { kindShown, kindSteps, lessonSteps, nextOf, type Step } from "../../exercise/path.js";
import { fourNumbers, theFunction } from "../../exercise/progress.js";
import "./exercise-view.js";
import { trackOf } from "../../exercise/track.js";
import styles from "./practice-view.css?inline";

/** Practice: the kinds of exercises in their order, or a lesson's exercises, which of them are solved, and the one that is posed. */
export class PracticeView extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    lesson: { attribute: false },
    path: { type: Boolean },
    hints: {},
    unfolded: { state: true },
  };

  /** The exercises that a link fixes. */
  declare lesson: Lesson | undefined;
  /** Whether it leads through all kinds, as it does on its own; in a frame there is one exercise. */
  declare path: boolean;
  declare hints: string | number | undefined;
  /** Whether the list is unfolded if there is no room for it next to the exercise. */
  declare unfolded: boolean;
  private steps: Step[] = [];
  private at = 0;
  private begun = false;

  constructor() {
    super();
    this.path = false;
    this.unfolded = false;
  }

  /** Whether the function is asked for, not an exercise's numbers. */
  private get writing(): boolean {
    return this.scenario.text("show") === theFunction && trackOf(this.scenario) === undefined;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.scenario) return;
    if (!this.begun) {
      this.begun = true;
      this.steps = this.lesson ? lessonSteps(this.scenario, this.lesson) : kindSteps(this.scenario);
      if (this.lesson && this.steps.length > 0) this.show(Math.max(0, nextOf(this.steps, -1)));
    }
    if (!this.lesson) this.at = kindShown(this.scenario, this.steps, this.writing);
  }

  private show(at: number): void {
    const { track, level, seed } = this.steps[at]!;
    this.at = at;
    this.unfolded = false;
    const { scenario } = this;
    const writing = track === theFunction;
    const untracked = writing || track === fourNumbers;
    if (untracked) scenario.unset("track");
    if (writing) scenario.set({ show: theFunction });
    else if (scenario.text("show") === theFunction) scenario.unset("show");
    const given = seed === undefined ? scenario.text("seed") : String(seed);
    const edition = this.lesson?.edition ?? (given === "" ? newestEdition(scenario) : undefined);
    // The four numbers are also asked for the reader's own scenario, which has no seed.
    if (track !== fourNumbers || given !== "")
      scenario.set({
        seed: given === "" ? "1" : given,
        ...(untracked ? {} : { track }),
        ...(level === undefined ? {} : { level: String(level) }),
        ...(edition === undefined ? {} : { edition: String(edition) }),
      });
    this.tellLesson();
    this.requestUpdate();
  }

  private tellLesson(): void {
    if (!this.lesson) return;
    const solved = this.steps.map((step) => step.solved);
    const detail: LessonDetail = {
      exercises: this.lesson.exercises.map((exercise, index) => ({ ...exercise, solved: solved[index]! })),
      at: this.at + 1,
      solved: solved.filter(Boolean).length,
    };
    this.dispatchEvent(new CustomEvent("lesson", { detail, bubbles: true, composed: true }));
  }

  private readonly onAnswer = ({ detail }: CustomEvent<AnswerDetail | TrackAnswerDetail>): void => {
    const step = this.steps[this.at];
    if (!step || this.writing || !detail.correct || detail.solution_shown) return;
    this.solve([step]);
  };

  /** A correct function solves its step, even if it was written under the four numbers. */
  private readonly onFunction = ({ detail }: CustomEvent<FunctionDetail>): void => {
    if (!detail.correct) return;
    this.solve(
      this.steps.filter(
        ({ track, level = detail.level, seed = detail.seed }) =>
          track === theFunction && level === detail.level && seed === detail.seed,
      ),
    );
  };

  private solve(steps: readonly Step[]): void {
    if (steps.length === 0) return;
    for (const step of steps) step.solved = true;
    this.tellLesson();
    this.requestUpdate();
  }

  private list(): TemplateResult {
    const { steps, at } = this;
    const solved = steps.filter((step) => step.solved).length;
    const name = steps[at]?.words ?? "";
    return html`<nav id="lesson" aria-label="Exercises" class="no-print">
      <button class="fold" aria-expanded=${this.unfolded ? "true" : "false"} @click=${() => (this.unfolded = !this.unfolded)}>
        <span class="number">${at + 1} of ${steps.length}</span> ${name} <span aria-hidden="true">▾</span></button>
      <div class=${this.unfolded ? "" : "folded"}>
        <ol>${steps.map(
          (
            { words, track, solved: done },
            index,
          ) => html`<li class=${done ? "done" : ""}><button class="plain" data-track=${track}
            aria-current=${index === at ? "step" : nothing} @click=${() => this.show(index)}>${words}${done ? html`<span class="tick"> ✓</span>` : nothing}</button></li>`,
        )}</ol>
        <p class="small soft" role="status">${solved} of ${steps.length} solved.</p>
      </div></nav>`;
  }

  /** On to the next, as soon as this one is solved. */
  private onward(): TemplateResult | typeof nothing {
    const { steps, at } = this;
    const next = nextOf(steps, at);
    if (!steps[at]?.solved) return nothing;
    return html`<p class="onward no-print">${
      next < 0
        ? "You have solved all of them. Take a higher level."
        : html`<button class="main" @click=${() => this.show(next)}>Next: ${steps[next]!.words}</button>`
    }</p>`;
  }

  private exercise(led: boolean): TemplateResult {
    return html`<commcost-exercise exportparts="statement, headline, inputs, answers, verdict, solution, derivation" data-view ?led=${led} ?writing=${this.writing}
      .scenario=${this.scenario} .hints=${this.hints} ?compact=${this.compact} .parts=${this.parts} @answer=${this.onAnswer} @function=${this.onFunction}></commcost-exercise>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    if (this.scenario.alone && !this.path && !this.lesson) return this.exercise(false);
    const refused = this.lesson?.refused ?? [];
    const none = this.lesson !== undefined && this.steps.length === 0;
    return html`${refused.map((sentence) => html`<p class="refused">${sentence}</p>`)}
      ${
        none
          ? html`<p class="refused">This link asks for no exercise that we know.</p>`
          : html`<div class="desk">${this.list()}
        <div>${this.exercise(true)}
          ${this.onward()}</div></div>`
      }`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-practice", PracticeView);
