import { nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { fieldStyles, problemSummary } from "../../elements/field.js";
import { labelOf } from "../../elements/labels.js";
import { derivation, mathStyles } from "../../elements/math.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { plain } from "../../state/format.js";
import { answerFields, checkAnswers, type Check, type Checked } from "../../exercise/check.js";
import { costDerivation } from "../../exercise/derivation.js";
import type { AnswerDetail, ExerciseDetail, HintDetail, ProgressDetail } from "../../exercise/events.js";
import { entryStyles } from "../../exercise/entry-styles.js";
import { kindPictureStyles } from "../../exercise/kind-picture.js";
import "../../exercise/own-function.js";
import { lapsPicture, lapsStyles } from "../../figures/laps.js";
import { hint, hintKinds, hintsIn } from "../../exercise/hints.js";
import { newestEdition } from "../../exercise/edition.js";
import { fourNumbers, levelsOf, noteSolved, theFunction } from "../../exercise/progress.js";
import { trackChoice, trackOf } from "../../exercise/track.js";
import "../../exercise/track-exercise.js";
import { verdictOf } from "../../exercise/verdict.js";
import { exerciseOf, type Exercise } from "./exercise.js";
import { statement, statementStyles } from "./statement.js";
import styles from "./exercise-view.css?inline";
import { define } from "../../elements/define.js";

const levels = ["1: round numbers", "2: real models and links", "3: with a catch"];

/** Poses the exercise, keeps its results back until the learner has answered, and says what was likely missed. */
export class ExerciseView extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    texts: { state: true },
    checked: { state: true },
    solved: { state: true },
    hints: {},
    led: { type: Boolean },
    writing: { type: Boolean },
    hinting: { state: true },
    message: { state: true },
  };

  declare texts: Record<string, string>;
  declare checked: Check | undefined;
  declare solved: boolean;
  /** How many hints there are to one exercise, as set by an author: a number, or "off"; by default all. */
  declare hints: string | number | undefined;
  /** Whether a path around it leads from kind to kind. */
  declare led: boolean;
  /** Whether the function comes first, as in the path's last step. */
  declare writing: boolean;
  /** The number of hints given for each result. */
  declare hinting: Record<string, number>;
  declare message: string;
  private exercise: Exercise | undefined;
  /** Why no exercise can be posed. */
  private unposed: ReturnType<typeof exerciseOf>["problems"] = [];
  private attempts = 0;
  private posed = "";
  /** Whether the function was asked for when the last event was fired. */
  private wrote = false;
  private unsaid = false;

  constructor() {
    super();
    this.led = false;
    this.writing = false;
    this.forget();
  }

  private forget(): void {
    this.texts = {};
    this.checked = undefined;
    this.solved = false;
    this.hinting = {};
    this.message = "";
    this.attempts = 0;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.scenario) return;
    if (trackOf(this.scenario)) {
      this.posed = "";
      return;
    }
    const { exercise, problems } = exerciseOf(this.scenario);
    this.exercise = exercise;
    this.unposed = problems;
    const posed = JSON.stringify(exercise && [this.which, exercise.inputs]);
    if (posed === this.posed && this.writing === this.wrote) return;
    this.wrote = this.writing;
    this.unsaid = exercise !== undefined;
    if (posed === this.posed) return;
    this.posed = posed;
    this.forget();
  }

  protected override updated(_: PropertyValues): void {
    if (!this.unsaid) return;
    this.unsaid = false;
    this.tell("exercise", {
      ...this.which,
      ...(this.writing ? { track: theFunction } : {}),
      inputs: this.exercise!.inputs,
    } satisfies ExerciseDetail);
  }

  private tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  private get which(): Pick<AnswerDetail, "seed" | "level" | "edition"> {
    const number = (name: string) => (this.scenario.text("seed") === "" ? undefined : this.scenario.number(name));
    return { seed: number("seed"), level: number("level"), edition: number("edition") };
  }

  private another(): void {
    const greatest = this.scenario.fields.get("seed")!.greatest!;
    const seed = this.scenario.number("seed");
    this.scenario.set({ seed: String(seed < greatest ? seed + 1 : 0), edition: String(newestEdition(this.scenario)) });
  }

  // No form is submitted: a frame that may not submit forms would not even get the event.
  private check(): void {
    const inputs = { ...this.exercise!.inputs, tolerance_percent: this.scenario.entry("tolerance_percent").value };
    const checked = checkAnswers(this.scenario, inputs, this.texts);
    this.checked = checked;
    const rows = [...checked.answers.values()];
    const asked = answerFields(this.scenario).length;
    const right = rows.filter(({ agrees }) => agrees).length;
    if (rows.length === 0) {
      this.message = checked.errors.size > 0 ? "No answer could be read" : "Type an answer first";
      return;
    }
    this.attempts++;
    this.message = right === asked ? "All four are right" : `${right} of ${asked} right`;
    const by = <Value>(value: (row: Checked) => Value) => Object.fromEntries(rows.map((row) => [row.name, value(row)]));
    this.tell("answer", {
      ...this.which,
      inputs: this.exercise!.inputs,
      answers: by(({ answer }) => answer),
      expected: by(({ expected }) => expected),
      tolerance: by(({ tolerance }) => tolerance),
      right: by(({ agrees }) => agrees),
      verdicts: by(({ verdict }) => verdict),
      mistakes: by(({ mistakes }) => [...mistakes]),
      asked,
      correct: right === asked,
      mistake: rows.find(({ mistakes }) => mistakes.length > 0)?.mistakes[0] ?? null,
      attempt: this.attempts,
      hints: this.hinted,
      solution_shown: this.solved,
    } satisfies AnswerDetail);
    if (right === asked) this.finish();
  }

  private finish(): void {
    const { seed, level } = this.which;
    if (!this.solved && seed !== undefined && level !== undefined) {
      const solved = noteSolved(fourNumbers, level, seed);
      this.tell("progress", { track: fourNumbers, level, solved } satisfies ProgressDetail);
    }
    this.solved = true;
  }

  /** The output of the learner's own function counts as answers, and is judged at once. */
  private readonly onPrinted = ({ detail }: CustomEvent<Record<string, string>>) => {
    this.texts = Object.fromEntries(Object.entries(detail).map(([name, text]) => [`answer_${name}`, text]));
    if (Object.keys(this.texts).length > 0) return this.check();
    this.checked = undefined;
    this.message = "";
  };

  /** The volume that was answered, as laps of the ring. */
  private laps(result: string): TemplateResult | typeof nothing {
    if (result !== "comm_volume_per_allreduce_bytes") return nothing;
    const { inputs, results } = this.exercise!;
    const volume = this.checked?.answers.get(`answer_${result}`)?.answer;
    const message = this.checked?.answers.get("answer_message_size_bytes")?.answer ?? results.message_size_bytes;
    const gpus = inputs["num_gpus"]!;
    const drawn = volume !== undefined && volume > 0 && message > 0 && gpus > 1;
    return drawn ? lapsPicture(gpus, volume / message) : nothing;
  }

  private get hinted(): number {
    return Object.values(this.hinting).reduce((all, count) => all + count, 0);
  }

  private get hintsAllowed(): number {
    return hintsIn(this.hints);
  }

  /** The result to give a hint for: the first that is not known to be right and has hints left. */
  private get puzzling(): string | undefined {
    if (this.hinted >= this.hintsAllowed) return undefined;
    return answerFields(this.scenario)
      .filter(({ name }) => !this.checked?.answers.get(name)?.agrees)
      .map(({ name }) => name.slice("answer_".length))
      .find((result) => (this.hinting[result] ?? 0) < hintKinds.length);
  }

  private giveHint(result: string): void {
    this.hinting = { ...this.hinting, [result]: (this.hinting[result] ?? 0) + 1 };
    this.message = `Hint for the ${labelOf(this.scenario, result).toLowerCase()}`;
    this.tell("hint", {
      ...this.which,
      result,
      step: this.hinting[result]!,
      hints: this.hinted,
    } satisfies HintDetail);
  }

  private hintsTo(result: string): TemplateResult[] {
    const { inputs, results } = this.exercise!;
    const step = costDerivation(this.scenario.sizes, inputs, results).find(({ name }) => name === result)!;
    return Array.from({ length: this.hinting[result] ?? 0 }, (_, index) => hint(step, index + 1));
  }

  private entry(field: ReturnType<typeof answerFields>[number]): TemplateResult {
    const { name, unit } = field;
    const result = name.slice("answer_".length);
    const type = (event: Event) => {
      this.texts = { ...this.texts, [name]: (event.target as HTMLInputElement).value };
      // The feedback on the old answer does not apply to the new one.
      this.checked?.answers.delete(name);
      this.checked?.errors.delete(name);
    };
    return html`<div class="answer">
      <label for=${name}>${labelOf(this.scenario, result)} <span class="soft">${unit}</span> <code>${result}</code></label>
      <input id=${name} name=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${this.texts[name] ?? ""}
        aria-describedby="${name}-verdict" aria-invalid=${this.checked?.errors.has(name) || this.checked?.answers.get(name)?.agrees === false ? "true" : nothing}
        @input=${type} @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.check()} />
      <div part="verdict" class="verdict" id="${name}-verdict">${verdictOf(this.scenario, this.checked?.answers.get(name), this.checked?.errors.get(name), "right")}</div>
      ${this.laps(result)}${this.hintsTo(result)}
    </div>`;
  }

  /** Which exercise it is; if the page leaves it to the learner, another kind, level or seed. */
  private choice(track: string | undefined): TemplateResult | typeof nothing {
    const { seed, level } = this.which;
    const choose = (event: Event) => this.scenario.set({ level: (event.target as HTMLSelectElement).value });
    const shown = levels.slice(0, levelsOf(track));
    const now = Math.min(level ?? 1, shown.length);
    const chosen = this.scenario.readonly || this.led ? nothing : trackChoice(this.scenario, now);
    if (seed === undefined)
      return html`<div class="which"><span class="small soft">Your own scenario</span>${chosen}</div>`;
    return html`<div class="which">
      <span class="small soft number" role="status">Exercise ${seed}, level ${now}</span>
      ${chosen}
      ${
        this.scenario.readonly
          ? nothing
          : html`<label class="small">Level <select name="level" .value=${String(now)} @change=${choose}>
          ${shown.map((words, index) => html`<option value=${index + 1} ?selected=${index + 1 === now}>${words}</option>`)}</select></label>
        <button type="button" @click=${this.another}>New exercise</button>`
      }
    </div>`;
  }

  private solution({ inputs, results }: Exercise): TemplateResult {
    return html`<section part="solution" aria-labelledby="solution-title">
      <h2 id="solution-title">Worked solution</h2>
      <dl part="results" class="results">${answerFields(this.scenario).map(({ name, unit }) => {
        const result = name.slice("answer_".length) as keyof typeof results;
        return html`<div><dt>${labelOf(this.scenario, result)} <span class="soft">${unit}</span></dt>
          <dd class="number" data-result=${result}>${plain(results[result])}</dd></div>`;
      })}</dl>
      ${this.compact ? nothing : derivation(costDerivation(this.scenario.sizes, inputs, results))}
    </section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const track = trackOf(this.scenario);
    if (track) {
      const { seed = 1, level = 1, edition = 1 } = this.which;
      return html`${this.choice(track)}
        <commcost-track-exercise .scenario=${this.scenario} .track=${track} .seed=${seed} .level=${Math.min(level, levelsOf(track))} .edition=${edition} .hintsAllowed=${this.hintsAllowed}></commcost-track-exercise>`;
    }
    const { exercise, unposed } = this;
    if (!exercise) return html`${problemSummary(this.scenario, unposed, [])}`;
    const tolerance = this.scenario.number("tolerance_percent");
    const { puzzling } = this;
    const own = this.compact
      ? nothing
      : html`<commcost-own-function .scenario=${this.scenario} .inputs=${exercise.inputs}
        .seed=${this.which.seed ?? 1} .level=${this.which.level ?? 1} .edition=${this.which.edition ?? 1} .open=${this.writing} @printed=${this.onPrinted}></commcost-own-function>`;
    return html`
      ${this.choice(undefined)}
      ${this.writing ? own : nothing}
      <div part="statement">${statement(exercise, this.scenario, this.compact)}</div>
      <form part="answers" class="answers" @submit=${(event: Event) => event.preventDefault()} aria-label="Your answers">
        <p class="small soft">Answer any of them, ${tolerance > 0 ? `within ${tolerance} %` : "to four decimals"}. You can type units and expressions: “128 MiB”, “8*2048*4096*2”, “2^33”.</p>
        <div class="entries">${answerFields(this.scenario).map((field) => this.entry(field))}</div>
        <p class="actions"><button type="button" class="main" @click=${this.check}>Check</button>
          ${puzzling && !this.solved ? html`<button type="button" @click=${() => this.giveHint(puzzling)}>Hint</button>` : nothing}
          ${this.attempts > 0 && !this.solved ? html`<button type="button" @click=${() => (this.solved = true)}>Show the solution</button>` : nothing}
          <span role="status" class="small">${this.message}</span></p>
      </form>
      ${this.writing ? nothing : own}
      ${this.solved ? this.solution(exercise) : nothing}`;
  }

  static override styles = [
    theme,
    base,
    fieldStyles,
    mathStyles,
    statementStyles,
    lapsStyles,
    entryStyles,
    kindPictureStyles,
    unsafeCSS(styles),
  ];
}

define("commcost-exercise", ExerciseView);
