import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { exact, gpus } from "../state/format.js";
import { run } from "../state/run.js";
import "./playback.js";
import type { Run } from "./playback.js";
import { Replay } from "./replay.js";
import { standsForOne } from "./group-stops.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./ring-figure.css?inline";
import { define } from "../elements/define.js";

/** The greatest group whose ring is drawn as it is, and the one that represents larger ones. */
const mostDrawn = 12;
const standsForMore = 6;

/** An all-reduce on a ring of the scenario's own group, turned by hand or by its buttons. */
export class RingFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    watch: { attribute: false },
    step: { state: true },
    mark: { state: true },
    guess: { state: true },
  };

  /** The GPU that its sentences follow, if one is given. */
  declare watch: number | undefined;
  declare step: number;
  /** The number of rounds that the reader expects, and the guess once it is compared, for that many GPUs. */
  declare mark: number | undefined;
  declare guess: { ranks: number; rounds: number } | undefined;
  private kept: Run | undefined;

  constructor() {
    super();
    this.step = 0;
  }

  protected override showStep(step: number): void {
    this.step = Math.min(2 * (this.ranks - 1), Math.max(0, step));
  }

  private get joined(): number {
    return this.scenario.number("tensor_parallel") || 1;
  }

  private get ranks(): number {
    return this.joined === 1 ? standsForOne : this.joined > mostDrawn ? standsForMore : this.joined;
  }

  /** The same object while the ring is the same: another starts at its beginning. */
  private get run(): Run | undefined {
    const { ranks } = this;
    if (this.kept?.replay.ranks === ranks) return this.kept;
    const inputs = { collective: "all_reduce", algorithm: "ring", ranks, group_size: 0, pieces: 0 };
    const schedule = run(this.scenario, "collective_schedule", inputs).results;
    this.kept = schedule && {
      title: "ring all-reduce",
      collective: "all_reduce",
      algorithm: "ring",
      replay: new Replay(schedule, ranks),
      rowName: "chunk",
      chunkBytes: 1,
    };
    return this.kept;
  }

  /** Whether the reader is to guess the rounds before it turns. */
  private get guessing(): boolean {
    return this.asking && this.guess === undefined;
  }

  /** The ring itself is turned for a guess. */
  protected override get moved(): boolean {
    return this.guessing;
  }

  /** The range of guesses: up to a message to every other GPU, one after the other. */
  private get guesses(): number[] {
    const { ranks } = this;
    return Array.from({ length: ranks * (ranks - 1) }, (_, index) => index + 1);
  }

  private get guessed(): string {
    const { guess, ranks } = this;
    if (guess?.ranks !== ranks) return "";
    const rounds = 2 * (ranks - 1);
    return guess.rounds === rounds
      ? "Your guess is right. "
      : `You guessed ${some(guess.rounds)}; it takes ${some(rounds)}. `;
  }

  private get rounds(): string {
    const { joined, ranks } = this;
    if (joined === 1) return `One GPU sends nothing: this is a ring of ${ranks}.`;
    const rounds = `2 · (${ranks} − 1) = ${2 * (ranks - 1)} rounds of 1/${ranks} of the message`;
    return joined === ranks
      ? `${gpus(ranks)}: ${rounds}.`
      : `Drawn with ${ranks} GPUs instead of your ${exact(joined)}: ${rounds}.`;
  }

  protected override told(): string {
    if (this.guessing)
      return `${this.joined === this.ranks ? gpus(this.ranks) : `Drawn with ${this.ranks} GPUs`}, one chunk of 1/${this.ranks} to the next GPU in every round: after how many rounds has every GPU every total? Turn the ring so far, then compare.`;
    return this.joined === 1 ? this.rounds : `${this.guessed}${this.rounds} Drag the ring, or press play.`;
  }

  /** A still cannot be dragged. */
  override get drawn() {
    return super.drawn && { ...super.drawn, lines: [this.rounds] };
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { run: shown } = this;
    return shown
      ? html`<commcost-playback bare .runs=${[shown]} .room=${this.room} .step=${this.guessing ? 0 : this.step}
      .asked=${this.guessing ? { rounds: this.mark, most: this.guesses.length } : undefined} @guess=${({ detail }: CustomEvent<number>) => (this.mark = detail)} @step=${({ detail }: CustomEvent<number>) => (this.step = detail)}
      .watched=${Math.min(this.ranks - 1, Math.max(0, this.watch ?? 2))}></commcost-playback>`
      : nothing;
  }

  /** Once it turns, the ring has its own control. */
  protected override control(): TemplateResult | typeof nothing {
    if (!this.guessing) return nothing;
    const now = this.mark ?? 1;
    const choose = (rounds: number) => (this.mark = rounds);
    return this.comparing({ label: "Rounds", stops: this.guesses, now, text: some(now), choose }, () => {
      this.guess = { ranks: this.ranks, rounds: now };
    });
  }

  override get shown(): Record<string, string> {
    const link = { collective: "all_reduce", algorithm: "ring" };
    return this.ranks === this.joined ? link : { ...link, ranks: String(this.ranks) };
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

const some = (rounds: number): string => `${exact(rounds)} ${rounds === 1 ? "round" : "rounds"}`;

define("commcost-ring-figure", RingFigure);
