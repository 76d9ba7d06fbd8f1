import { LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { fieldStyles } from "../elements/field.js";
import "../elements/missing-part.js";
import { base, theme } from "../elements/theme.js";
import { Part } from "../engine/part.js";
import { lapsPicture, lapsStyles } from "../figures/laps.js";
import { capital, exact, plain, significant } from "../state/format.js";
import { arrived, partWith } from "../state/parts.js";
import type { Scenario } from "../state/scenario.js";
import { entryStyles } from "./entry-styles.js";
import type { ProgressDetail, TrackAnswerDetail } from "./events.js";
import { readAnswer } from "./expression.js";
import { hintKinds } from "./hints.js";
import type { Place } from "../figures/layout-board.js";
import type { Board, GivenOfLayout, LayoutVerdict } from "./layout-grade.js";
import { answersPicture, kindPicture, kindPictureStyles } from "./kind-picture.js";
import { noteSolved, solvedOf } from "./progress.js";
import { topicFigure } from "./topic-figure.js";
import type { Posed, Track } from "./track.js";
import styles from "./track-exercise.css?inline";
import { define } from "../elements/define.js";

type Asked = Posed["asked"][number];

/** The separator that the engine puts between mistakes that all give the number. */
const or = "; or ";

/** A known mistake as a sentence; several as a question. */
function said(mistakes: string): string {
  const all = mistakes.split(or);
  return all.length === 1
    ? `${capital(mistakes)}.`
    : `${all.length === 2 ? "Two slips give" : "Several slips give"} this number. Which was yours: ${all.map((one) => `“${one}”`).join(", or ")}?`;
}
const unknownSlip = "Not right, and not a slip we recognize. Check the first number that isn’t right, or take a hint.";

/** If a layout is chosen, all of them are priced: no other exercise needs that. */
let layouts: typeof import("./layout-grade.js") | undefined;
const board = new Part("The board of layouts", async () => (layouts = await import("./layout-grade.js")));
const pricing = "training_step";
const boardLegend =
  "Outlined: the given layout. +10 %: a step takes so much longer than the fastest. GiB: what a GPU would need where it doesn’t fit. Times are our predictions for Megatron-Core with ZeRO-1, sequence parallelism and selective recomputation.";
/** What is chosen on the board, as hints and events name it. */
const theLayout = { name: "layout", label: "The layout" };

/** One exercise of the track: its question, up to three answers judged together, hints, the link to its view. */
export class TrackExercise extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    track: { attribute: false },
    seed: { attribute: false },
    level: { attribute: false },
    edition: { attribute: false },
    hintsAllowed: { attribute: false },
    texts: { state: true },
    checked: { state: true },
    errors: { state: true },
    hints: { state: true },
    solved: { state: true },
    message: { state: true },
    board: { state: true },
    flag: { state: true },
    tried: { state: true },
    judged: { state: true },
  };

  declare scenario: Scenario;
  declare track: Track;
  declare seed: number;
  declare level: number;
  declare edition: number;
  /** How many hints there are to one exercise. */
  declare hintsAllowed: number;
  declare texts: Record<string, string>;
  /** The feedback on the answers when they were last checked, by name. */
  declare checked: Map<string, Asked>;
  /** The feedback on texts that are no numbers, by name. */
  declare errors: Map<string, string>;
  declare hints: Record<string, number>;
  declare solved: boolean;
  declare message: string;
  /** The layouts to choose from, priced; nothing until the engine can. */
  declare private board: Board | undefined;
  declare private flag: Place | undefined;
  /** The layouts that were checked, and the feedback on the last one, while the flag is there. */
  declare private tried: readonly Place[];
  declare private judged: LayoutVerdict | undefined;
  private attempts = 0;
  private posed!: Posed;
  /** The illustration of its topic, once it is solved; the same one until another exercise is posed. */
  private figure: TemplateResult | typeof nothing | undefined;

  constructor() {
    super();
    this.hintsAllowed = Infinity;
    this.forget();
  }

  private forget(): void {
    this.texts = {};
    this.checked = new Map();
    this.errors = new Map();
    this.hints = {};
    this.solved = false;
    this.message = "";
    this.attempts = 0;
    this.figure = undefined;
    this.board = this.flag = this.judged = undefined;
    this.tried = [];
  }

  private get which() {
    return { track: this.track, seed: this.seed, level: this.level, edition: this.edition };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!["track", "seed", "level", "edition"].some((name) => changed.has(name))) return;
    this.forget();
    this.posed = this.scenario.engine.pose_exercise(this.which);
    if (this.choosing) void this.price();
  }

  /** Whether a layout is chosen as well. */
  private get choosing(): boolean {
    return this.posed.choice_tolerance_percent > 0;
  }

  private get given(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.posed.given.map(({ name, value }) => [name, value]));
  }

  private async price(): Promise<void> {
    const { posed } = this;
    void board.ask();
    const { engine } = this.scenario;
    await Promise.all([board.here, arrived(engine, pricing)]);
    if (posed === this.posed) this.board = layouts!.boardOf(engine, this.given as GivenOfLayout);
  }

  protected override updated(changed: PropertyValues): void {
    if (!["track", "seed", "level", "edition"].some((name) => changed.has(name))) return;
    this.tell("exercise", { ...this.which, inputs: this.given });
  }

  private tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  private get hinted(): number {
    return Object.values(this.hints).reduce((all, count) => all + count, 0);
  }

  /** Reads the texts. */
  private read(): (number | undefined)[] {
    this.errors = new Map();
    return this.posed.asked.map(({ name, unit, choices }) => {
      const text = this.texts[name]?.trim() ?? "";
      if (text === "") return undefined;
      if (choices !== "") return Number(text);
      const read = readAnswer({ unit }, text);
      if (typeof read === "number") return read;
      this.errors.set(name, read);
      return undefined;
    });
  }

  /** The engine judges the layout under the flag. */
  private judge(): LayoutVerdict | undefined {
    const { board: priced, flag } = this;
    if (!priced || !flag) return undefined;
    this.tried = [...this.tried, flag];
    const cell = layouts!.cellOf(priced, flag.tensor, flag.pipeline);
    return layouts!.judgeLayout(priced, cell, this.posed.choice_tolerance_percent);
  }

  /** An event's words for a chosen layout: its degrees, and those of the fastest. */
  private degrees(flag: Place): Record<string, number> {
    return { tensor_parallel: flag.tensor, pipeline_parallel: flag.pipeline };
  }

  private check(): void {
    const [answer_1, answer_2, answer_3, answer_4] = this.read();
    const given = { answer_1, answer_2, answer_3, answer_4 };
    const answers = Object.entries(given).filter(([, value]) => value !== undefined);
    this.checked = new Map();
    if (answers.length === 0 && !this.flag) {
      this.message = this.errors.size > 0 ? "No answer could be read" : "Type an answer first";
      return;
    }
    const { asked } = this.scenario.engine.pose_exercise({ ...this.which, ...Object.fromEntries(answers) });
    const values = Object.values(given);
    const rows = asked.filter((_, index) => values[index] !== undefined);
    this.checked = new Map(rows.map((row) => [row.name, row]));
    const choice = (this.judged = this.judge());
    const all = asked.length + (this.choosing ? 1 : 0);
    const right = rows.filter(({ verdict }) => verdict === "right").length + (choice?.right ? 1 : 0);
    const correct = right === all;
    this.attempts++;
    this.message = correct ? "All right" : `${right} of ${all} right`;
    const by = <Value>(value: (row: Asked) => Value) => Object.fromEntries(rows.map((row) => [row.name, value(row)]));
    const chosen = <Value>(value: Value) => (choice ? { [theLayout.name]: value } : {});
    this.tell("answer", {
      ...this.which,
      answers: {
        ...by(({ name }) => values[asked.findIndex((row) => row.name === name)]!),
        ...(choice && this.degrees(this.flag!)),
      },
      expected: { ...by(({ expected }) => expected), ...(choice && this.degrees(this.board!.fastest)) },
      right: { ...by(({ verdict }) => verdict === "right"), ...chosen(choice?.right ?? false) },
      verdicts: { ...by(({ verdict }) => verdict), ...chosen(choice?.right ? "right" : "mistaken") },
      asked: all,
      correct,
      mistake: rows.find(({ mistake }) => mistake !== "")?.mistake ?? (choice?.right === false ? choice.words : null),
      ...(choice?.slower === undefined ? {} : { slower_percent: choice.slower }),
      attempt: this.attempts,
      hints: this.hinted,
      solution_shown: this.solved,
    } satisfies TrackAnswerDetail);
    if (!correct) return;
    if (!this.solved) {
      const solved = noteSolved(this.track, this.level, this.seed);
      this.tell("progress", { track: this.track, level: this.level, solved } satisfies ProgressDetail);
    }
    this.solved = true;
  }

  private hint(): void {
    const row = this.puzzling;
    if (!row) return;
    this.hints = { ...this.hints, [row.name]: (this.hints[row.name] ?? 0) + 1 };
    this.message = `Hint for “${row.label}”`;
    this.tell("hint", { ...this.which, result: row.name, step: this.hints[row.name]!, hints: this.hinted });
  }

  /** The first answer that is not known to be right and has hints left. */
  private get puzzling(): { name: string; label: string } | undefined {
    if (this.hinted >= this.hintsAllowed) return undefined;
    const open = [
      ...this.posed.asked.filter(({ name }) => this.checked.get(name)?.verdict !== "right"),
      ...(this.board && !this.judged?.right ? [theLayout] : []),
    ];
    return open.find(({ name }) => (this.hints[name] ?? 0) < hintKinds.length);
  }

  /** The advice about unknown slips is given once. */
  private isFirstUnknown(name: string): boolean {
    return (
      [...this.checked.values()].find(({ verdict, mistake }) => verdict === "unknown" && mistake === "")?.name === name
    );
  }

  private verdict(name: string): TemplateResult | typeof nothing {
    if (this.errors.has(name)) return html`<span class="bad">${this.errors.get(name)}</span>`;
    const row = this.checked.get(name);
    switch (row?.verdict) {
      case undefined:
        return nothing;
      case "right":
        return html`<span class="good">✓ right</span>`;
      case "rounded":
        return html`<span class="close">≈ right as far as it goes: give three digits</span>`;
      case "follows":
        return html`<span class="close">→ correct, given your earlier answer: fix that, and this follows</span>`;
      default:
        return html`<span class="bad">✗ ${row!.mistake ? said(row!.mistake) : this.isFirstUnknown(name) ? unknownSlip : "Not right."}</span>`;
    }
  }

  private type(name: string, text: string): void {
    this.texts = { ...this.texts, [name]: text };
    this.checked.delete(name);
    this.errors.delete(name);
  }

  /** A judgement: one of its answers is chosen. */
  private choice({ name, label, choices }: Asked): TemplateResult {
    return html`<fieldset aria-describedby="${name}-verdict"><legend class="judged">${label}</legend>
      <div class="choices">${choices.split("|").map((words, index) => {
        const value = String(index + 1);
        return html`<label><input type="radio" name=${name} value=${value} .checked=${this.texts[name] === value} @change=${() => this.type(name, value)} /> ${words}</label>`;
      })}</div></fieldset>`;
  }

  private number({ name, label, unit }: Asked): TemplateResult {
    const wrong = this.errors.has(name) || (this.checked.has(name) && this.checked.get(name)!.verdict !== "right");
    return html`<label for=${name}>${label} <span class="soft">${unit}</span></label>
      <input id=${name} type="text" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${this.texts[name] ?? ""}
        aria-describedby="${name}-verdict" aria-invalid=${wrong ? "true" : nothing}
        @input=${(event: Event) => this.type(name, (event.target as HTMLInputElement).value)}
        @keydown=${(event: KeyboardEvent) => event.key === "Enter" && this.check()} />`;
  }

  private entry(asked: Asked): TemplateResult {
    const { name, idea, formula, numbers } = asked;
    return html`<div class=${asked.choices === "" ? "answer" : "answer judgement"}>
      ${asked.choices === "" ? this.number(asked) : this.choice(asked)}
      <div part="verdict" class="verdict" id="${name}-verdict">${this.verdict(name)}</div>
      ${this.hintsOf(name, [idea, formula, numbers])}
    </div>`;
  }

  private hintsOf(name: string, texts: readonly string[]): TemplateResult[] {
    return texts
      .slice(0, this.hints[name] ?? 0)
      .map((text, index) => html`<p class="hint small"><b>${hintKinds[index]}.</b> ${text}</p>`);
  }

  private readonly onPlant = ({ detail }: CustomEvent<Place>): void => {
    this.flag = detail;
    this.judged = undefined;
  };

  /** A layout is chosen on a board of all of them. */
  private layout(): TemplateResult {
    const { board: priced, judged } = this;
    if (!priced)
      return html`<p class="soft small" role="status">…</p><commcost-missing .of=${board}></commcost-missing>
        <commcost-missing .of=${partWith(this.scenario.engine, pricing)}></commcost-missing>`;
    const { t = 1, p = 1 } = this.given;
    const given = { tensor: t, pipeline: p };
    const { solved: open, tried } = this;
    const tiles = layouts!.tilesOf(priced, { open, tried, given, tolerance: this.posed.choice_tolerance_percent });
    return html`<p class="plant">Which layout would you run? Plant your flag.</p>
      <commcost-layout-board .tiles=${tiles} .given=${given} .planted=${this.flag} .asked=${"Which layout would you run?"} .told=${"The layouts to choose from"}
        .legend=${boardLegend} @plant=${this.onPlant}></commcost-layout-board>
      <div part="verdict" class="verdict" id="layout-verdict">${
        judged
          ? html`<span class=${judged.right ? "good" : "bad"}>${judged.right ? "✓" : "✗"} ${judged.words}</span>`
          : nothing
      }</div>${this.hintsOf(theLayout.name, layouts!.layoutHints(this.given as GivenOfLayout))}`;
  }

  private solution(): TemplateResult {
    const gpus = this.posed.given.find(({ name }) => name === "n")?.value;
    return html`<section part="solution" aria-labelledby="solution-title"><h2 id="solution-title">Worked solution</h2>
    ${answersPicture(this.posed)}
    <dl>${this.posed.asked.map(
      ({ name, label, unit, expected, formula, numbers, choices }) => html`<div><dt>${label}</dt>
      <dd>${
        choices === ""
          ? html`<b class="number" data-result=${name}>${plain(Number(significant(expected, 6)))}</b> ${unit} <span class="soft">= ${numbers}</span>`
          : html`<b data-result=${name}>${choices.split("|")[expected - 1]}</b> <span class="soft">(${formula})</span>`
      }</dd></div>`,
    )}${
      this.board
        ? html`<div><dt>The fastest layout</dt><dd>${layouts!.fastestWords(this.board, this.posed.choice_tolerance_percent)}</dd></div>`
        : nothing
    }</dl>
    ${this.posed.ring_messages > 0 ? lapsPicture(gpus!, this.posed.ring_messages) : nothing}
    ${this.choosing ? nothing : (this.figure ??= topicFigure(this.scenario, this.track, this.posed))}</section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.posed) return nothing;
    const solved = solvedOf(this.track, this.level);
    return html`<p part="headline" class="headline">${this.posed.question}</p>
      ${kindPicture(this.track, this.posed)}
      <dl class="given">${this.posed.given.map(
        ({ name, label, unit, value }) =>
          html`<div><dt>${label} <code>${name}</code></dt><dd class="number">${exact(value)} ${unit}</dd></div>`,
      )}</dl>
      <form part="answers" class="answers" @submit=${(event: Event) => event.preventDefault()} aria-label="Your answers">
        <p class="small soft">Work from top to bottom. Three significant digits are enough, and you can type expressions: “2*7*128/8”.</p>
        <div class="entries">${this.posed.asked.map((row) => this.entry(row))}
          ${this.choosing ? html`<div class="answer judgement">${this.layout()}</div>` : nothing}</div>
        <p class="actions"><button type="button" class="main" @click=${this.check}>Check</button>
          ${this.puzzling && !this.solved ? html`<button type="button" @click=${this.hint}>Hint</button>` : nothing}
          ${this.attempts > 0 && !this.solved ? html`<button type="button" @click=${() => (this.solved = true)}>Show the solution</button>` : nothing}
          <span role="status" class="small">${this.message}</span></p>
        ${solved > 0 ? html`<p class="small soft">Solved on this device, at this level: ${solved}.</p>` : nothing}
      </form>
      ${this.solved ? this.solution() : nothing}`;
  }

  static override styles = [theme, base, fieldStyles, lapsStyles, kindPictureStyles, entryStyles, unsafeCSS(styles)];
}

define("commcost-track-exercise", TrackExercise);
