import type { CollectiveCostResults } from "#engine";
import { LitElement, nothing, type PropertyValues, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { OwnWidth } from "../elements/own-width.js";
import { base, theme } from "../elements/theme.js";
import { capital, exact } from "../state/format.js";
import { Sizes } from "../state/sizes.js";
import { fromRoot, givesPowers } from "./numbers.js";
import type { Replay } from "./replay.js";
import { mostOnCircle, ringPicture, ringPictureStyles } from "./ring-picture.js";
import { roundSentence } from "./sentence.js";
import { shapeOf } from "./shape.js";
import { shapePicture, shapePictureStyles } from "./shape-picture.js";
import { picture, pictureStyles } from "./bars-picture.js";
import { type Algorithm, type Collective, phaseName, timeText } from "./collective-words.js";
import styles from "./playback.css?inline";
import { define } from "../elements/define.js";

/** One schedule to play, and the engine's answer on it. */
export interface Run {
  title: string;
  collective: Collective;
  algorithm: Algorithm;
  replay: Replay;
  /** What the slices of a bar are, such as "chunk". */
  rowName: string;
  /** Of one chunk; 0 where the collective carries none. */
  chunkBytes: number;
  /** What is counted next to the picture; nothing if that is on its own. */
  counts?: Counts;
}

interface Counts {
  /** The values of the closed form. */
  formula: CollectiveCostResults;
  /** When the last rank is done with each round, from the start on. */
  doneUs: number[];
}

const icons = {
  first: "M4 3v10M13 3l-7 5 7 5z",
  back: "M11 3 4 8l7 5z",
  play: "M4 2.5 13 8l-9 5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l7 5-7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
};

const icon = (name: keyof typeof icons): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${icons[name]} />`}</svg>`;

/** Space for the counts next to a picture, px. */
const countsWidth = 340;

/** How large a circle or another shape gets, px. */
const greatestSize = 470;

/** How far a shape is dragged for a round, px. */
const dragPerRound = 70;

/** A pointer that moves less than this counts as a click, px. */
const clickRoom = 5;

/** How a schedule is drawn: on a circle, in its own shape, or as bars if there is too much to distinguish. */
type Form = "ring" | "shape" | "bars";

function formOf({ replay, algorithm }: Run): Form {
  if (replay.nodes > mostOnCircle + 1 || replay.rows > 2 * mostOnCircle) return "bars";
  const circular = algorithm === "ring" && replay.nodes <= mostOnCircle && replay.rows <= mostOnCircle;
  return circular ? "ring" : "shape";
}

/** The reader's guess so far, and the greatest possible guess, rounds. */
interface Asked {
  rounds: number | undefined;
  most: number;
}

/** A picture held by a pointer. */
interface Grip {
  pointer: number;
  form: Form;
  nodes: number;
  /** Where it was grabbed, and the pointer's last position. */
  position: number;
  last: number;
  turned: number;
  travelled: number;
}

/** Where a pointer is on a picture: an angle from the top, or across. */
function along(event: PointerEvent, form: Form): number {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  if (form !== "ring") return event.clientX;
  return Math.atan2(event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY);
}

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** Plays one schedule, or two side by side: pause, step, scrub; counts what was sent on the way. */
export class Playback extends LitElement {
  static override properties = {
    runs: { attribute: false },
    step: { attribute: false },
    room: { attribute: false },
    sizes: { attribute: false },
    bare: { type: Boolean, reflect: true },
    asked: { attribute: false },
    turned: { state: true },
    position: { state: true },
    playing: { state: true },
    watched: { attribute: false },
    width: { state: true },
  };

  declare runs: readonly Run[];
  /** The position to show; a "step" event reports the reader's moves. */
  declare step: number;
  /** How high a picture may get, px. */
  declare room: number;
  /** How sizes are formatted. */
  declare sizes: Sizes;
  /** The picture with what it says and one control; no counts, no legend. */
  declare bare: boolean;
  /** The reader is asked how many rounds it takes: it stands still, and turning it reports a "guess" event. */
  declare asked: Asked | undefined;
  /** How far it is turned for a guess, rounds. */
  declare turned: number | undefined;
  /** Steps made; a fraction while messages are on their way. */
  declare position: number;
  declare playing: boolean;
  /** The GPU that sentences are about. */
  declare watched: number;
  declare width: number;
  private frame = 0;
  private grip: Grip | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.runs = [];
    this.step = 0;
    this.room = greatestSize;
    this.sizes = new Sizes();
    this.bare = false;
    this.position = 0;
    this.playing = false;
    this.watched = 2;
    this.width = 640;
    new OwnWidth(this, (width) => (this.width = width));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pause();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Another schedule begins at its beginning.
    const before = changed.get("runs") as readonly Run[] | undefined;
    if (before?.some((run, index) => run.replay !== this.runs[index]?.replay)) this.go(0);
    if (changed.has("step") && !this.playing) this.position = this.step;
    if (this.position > this.rounds) this.position = this.rounds;
  }

  protected override updated(): void {
    if (this.playing || !Number.isInteger(this.position) || this.position === this.step) return;
    this.step = this.position;
    this.dispatchEvent(new CustomEvent("step", { detail: this.position }));
  }

  private get rounds(): number {
    return Math.max(0, ...this.runs.map((run) => run.replay.rounds.length));
  }

  /** Milliseconds for which a step is shown: a few rounds slowly, many in about half a minute. */
  private get pace(): number {
    return Math.min(1400, Math.max(350, 24_000 / Math.max(1, this.rounds)));
  }

  private pause(): void {
    this.playing = false;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
  }

  private go(step: number): void {
    this.pause();
    this.position = Math.min(this.rounds, Math.max(0, step));
  }

  private toggle(): void {
    if (this.playing) {
      this.go(Math.round(this.position));
      return;
    }
    if (this.position >= this.rounds) this.position = 0;
    this.playing = true;
    if (stillness.matches) this.tick();
    else this.glide();
  }

  /** Round by round without motion between them. */
  private tick(): void {
    this.timer = setTimeout(() => {
      this.position = Math.floor(this.position) + 1;
      if (this.position >= this.rounds) this.pause();
      else this.tick();
    }, this.pace);
  }

  private glide(): void {
    const from = Math.floor(this.position);
    const start = performance.now();
    const draw = (now: number) => {
      const elapsed = (now - start) / this.pace;
      // Two thirds of the time to move, the rest to look at what has arrived.
      const step = Math.floor(elapsed);
      const moved = Math.min(1, (elapsed - step) * 1.5);
      this.position = Math.min(this.rounds, from + step + moved * moved * (3 - 2 * moved));
      if (this.position >= this.rounds) this.pause();
      else this.frame = requestAnimationFrame(draw);
    };
    this.frame = requestAnimationFrame(draw);
  }

  private grab(event: PointerEvent, run: Run, form: Form): void {
    if (event.button !== 0) return;
    this.pause();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const last = along(event, form);
    this.grip = {
      pointer: event.pointerId,
      form,
      nodes: run.replay.nodes,
      position: this.asked ? (this.asked.rounds ?? 0) : this.position,
      last,
      turned: 0,
      travelled: 0,
    };
  }

  private drag(event: PointerEvent): void {
    const { grip } = this;
    if (grip?.pointer !== event.pointerId) return;
    const now = along(event, grip.form);
    let moved = now - grip.last;
    // The shorter way round.
    if (grip.form === "ring") moved -= Math.round(moved / (2 * Math.PI)) * 2 * Math.PI;
    grip.last = now;
    grip.turned += moved;
    grip.travelled += Math.abs(event.movementX) + Math.abs(event.movementY);
    const rounds = grip.turned / (grip.form === "ring" ? (2 * Math.PI) / grip.nodes : dragPerRound);
    const { asked } = this;
    const position = Math.min(asked?.most ?? this.rounds, Math.max(0, grip.position + rounds));
    const shown = stillness.matches ? Math.round(position) : position;
    if (!asked) {
      this.position = shown;
      return;
    }
    this.turned = shown;
    const said = Math.max(1, Math.round(position));
    if (said !== asked.rounds) this.dispatchEvent(new CustomEvent("guess", { detail: said }));
  }

  private release(event: PointerEvent): void {
    const { grip } = this;
    if (grip?.pointer !== event.pointerId) return;
    this.grip = this.turned = undefined;
    if (grip.form === "ring" && grip.travelled < clickRoom) {
      const sector = Math.round((grip.last * grip.nodes) / (2 * Math.PI));
      this.watched = (sector + grip.nodes) % grip.nodes;
    }
    if (!this.asked) this.go(Math.round(this.position));
  }

  /** The GPU that sentences about a schedule are about. */
  private watchedIn({ replay }: Run): number {
    return Math.min(this.watched, replay.ranks - 1);
  }

  private told(run: Run, step: number): string {
    return roundSentence(run.replay, Math.min(step, run.replay.rounds.length), this.watchedIn(run));
  }

  private describe(run: Run, step: number): string {
    const { replay } = run;
    const last = replay.rounds.length;
    if (last === 0) return "nothing to do";
    if (step === 0) return "before the first round";
    const made = Math.min(step, last);
    const phase = phaseName(replay.phaseOf(made));
    return step > last ? `done after ${last} ${last === 1 ? "round" : "rounds"}` : `round ${made} of ${last}: ${phase}`;
  }

  private controls(): TemplateResult {
    const now = Math.floor(this.position);
    const { rounds } = this;
    const said = this.runs
      .map((run) => (this.runs.length > 1 ? `${run.title}: ` : "") + this.describe(run, now))
      .join("; ");
    const told = this.runs.map((run) => this.told(run, now)).join(" ");
    return html`<div class="controls" role="group" aria-label="Playback">
      <span class="buttons">
        <button class="further" aria-label="To the beginning" ?disabled=${now === 0} @click=${() => this.go(0)}>${icon("first")}</button>
        <button class="further" aria-label="A round back" ?disabled=${this.position === 0} @click=${() => this.go(Math.ceil(this.position) - 1)}>${icon("back")}</button>
        <button class="play" aria-label=${this.playing ? "Pause" : "Play"} ?disabled=${rounds === 0} @click=${() => this.toggle()}>
          ${icon(this.playing ? "pause" : "play")}</button>
        <button class="further" aria-label="A round forward" ?disabled=${now >= rounds} @click=${() => this.go(Math.floor(this.position) + 1)}>${icon("forward")}</button>
        <button class="further" aria-label="To the end" ?disabled=${now >= rounds} @click=${() => this.go(rounds)}>${icon("last")}</button>
      </span>
      <span class="scrub">
        <input type="range" name="step" aria-label="Round" min="0" max=${rounds} step="1" .value=${String(now)} aria-valuetext=${said}
          @input=${(event: Event) => this.go(Number((event.target as HTMLInputElement).value))} />
        ${this.runs.length === 1 ? this.phases(this.runs[0]!) : nothing}
      </span>
      <output class="visually-hidden" aria-live=${this.playing ? "off" : "polite"}>${said}. ${told}</output>
      ${this.watch()}
    </div>`;
  }

  private watch(): TemplateResult | typeof nothing {
    const first = this.runs[0]!;
    if (this.bare || first.replay.ranks < 2 || formOf(first) === "bars") return nothing;
    return html`<label class="small watch"><span>Watch</span> <select name="watched" .value=${String(this.watchedIn(first))}
      @change=${(event: Event) => (this.watched = Number((event.target as HTMLSelectElement).value))}>
      ${Array.from({ length: first.replay.ranks }, (_, rank) => html`<option value=${rank} ?selected=${rank === this.watchedIn(first)}>GPU ${rank}</option>`)}
    </select></label>`;
  }

  private phases({ replay }: Run): TemplateResult | typeof nothing {
    const { phases, rounds } = replay.schedule;
    if (phases.length < 2) return nothing;
    let first = 0;
    return html`<span class="phases" aria-hidden="true">${phases.map((phase) => {
      const adds = rounds[first]!.some((message) => message.reduce);
      first += phase.rounds;
      return html`<span class=${adds ? "adds" : "copies"} .style=${`flex: ${phase.rounds} 1 0`}>${phaseName(phase.name)}</span>`;
    })}</span>`;
  }

  private counts({ replay, chunkBytes }: Run, { formula, doneUs }: Counts, step: number): TemplateResult {
    const last = replay.rounds.length;
    const made = Math.min(step, last);
    const size = (chunks: number) => this.sizes.bytes(chunks * chunkBytes, 3);
    const soFar = replay.sentSoFar(made);
    const inAll = replay.sentSoFar(last);
    const share = inAll === 0 ? 0 : soFar / inAll;
    return html`<table class="counts">
      <thead><tr><th scope="col"><span class="visually-hidden">Quantity</span></th><th scope="col">this round</th><th scope="col">so far</th>
        <th scope="col">in all</th><th scope="col">closed form</th></tr></thead>
      <tbody>
        <tr><th scope="row">Rounds</th><td>${made === 0 ? "–" : exact(made)}</td><td>${exact(made)}</td><td data-count="rounds">${exact(last)}</td><td>${exact(formula.rounds)}</td></tr>
        ${
          chunkBytes === 0
            ? nothing
            : html`<tr><th scope="row">Sent by a GPU</th><td>${made === 0 || step > last ? "–" : size(replay.sentIn(made))}</td>
          <td data-count="so_far">${size(soFar)}</td><td data-count="sent">${size(inAll)}</td>
          <td data-count="closed_form">${this.sizes.bytes(formula.sent_bytes_per_rank, 3)}</td></tr>`
        }
        <tr><th scope="row">Time</th><td>${made === 0 || step > last ? "–" : timeText(doneUs[made]! - doneUs[made - 1]!, 3)}</td>
          <td>${timeText(doneUs[made]!, 3)}</td><td>${timeText(doneUs[last]!, 3)}</td><td>${timeText(formula.time_us, 3)}</td></tr>
      </tbody>
    </table>
    <div class="meter" aria-hidden="true"><span .style=${`inline-size: ${share * 100}%`}></span></div>
    <p class="small verdict">${
      replay.schedule.correct
        ? html`<span class="good">✓</span> Checked by running it: ${last === 0 ? "one GPU keeps what it has" : "every GPU ends with exactly the right numbers"}.`
        : html`<span class="bad">✗ Checked by running it: some GPU ends with wrong numbers.</span>`
    }</p>`;
  }

  private drawn(run: Run, width: number, label: string): TemplateResult {
    const { replay, algorithm, collective, rowName } = run;
    const { position } = this;
    const form = formOf(run);
    if (form === "bars") return html`<div class="drawn">${picture(replay, position, width, label, rowName)}</div>`;
    const watched = this.watchedIn(run);
    const shared = { replay, collective, position, label, watched };
    return html`<div class="drawn" @pointerdown=${(event: PointerEvent) => this.grab(event, run, form)}
      @pointermove=${this.drag} @pointerup=${this.release} @pointercancel=${this.release}>${
        form === "ring"
          ? ringPicture({
              ...shared,
              size: Math.min(width, this.room),
              turned: this.turned ?? this.asked?.rounds ?? 0,
              ...this.written(run),
            })
          : shapePicture({ ...shared, width, shape: shapeOf(replay, algorithm), greatestHeight: this.room })
      }</div>`;
  }

  /** The centre: the guess, or what each GPU has sent, as a share of the message that grows to the closed form. */
  private written(run: Run): { sent: string; of: string[] } {
    const { replay, collective, algorithm, chunkBytes } = run;
    if (this.asked) {
      const { rounds } = this.asked;
      return { sent: rounds === undefined ? "?" : exact(rounds), of: [rounds === 1 ? "round" : "rounds"] };
    }
    if (chunkBytes === 0) return { sent: "", of: [] };
    const made = Math.min(replay.rounds.length, Math.floor(this.position + 0.5));
    const sent = `${replay.sentSoFar(made)}/${replay.rows}`;
    const over = made > 0 && made === replay.rounds.length;
    return over && algorithm === "ring" && collective === "all_reduce"
      ? { sent, of: ["of the message:", "2(n − 1)/n"] }
      : { sent, of: ["of the message", "sent by each"] };
  }

  private figure(run: Run, width: number): TemplateResult {
    const now = Math.floor(this.position);
    const caption = this.describe(run, now);
    const moving = this.position > now && now < run.replay.rounds.length;
    const shown = moving ? this.describe(run, now + 1) : caption;
    return html`<figure>
      <figcaption>${this.bare ? nothing : html`<b>${capital(run.title)}</b>`} <span class="soft number">${shown}</span>
        ${formOf(run) === "bars" ? nothing : html`<span class="told">${this.told(run, moving ? now + 1 : now)}</span>`}</figcaption>
      ${this.drawn(run, width, `${run.title}, ${caption}`)}
      ${run.counts ? html`<div class="counted">${this.counts(run, run.counts, moving ? now + 1 : now)}</div>` : nothing}
    </figure>`;
  }

  /** The meaning of colours and outlines. */
  private legend(): TemplateResult | typeof nothing {
    if (this.runs.every(({ replay }) => replay.rounds.length === 0)) return nothing;
    const forms = this.runs.map(formOf);
    return html`${forms.some((form) => form !== "bars") ? this.originLegend() : nothing}${forms.includes("bars") ? this.barLegend() : nothing}`;
  }

  private originLegend(): TemplateResult {
    const { replay, collective } = this.runs[0]!;
    const colors = fromRoot(replay) ? "A colour for each chunk." : "A colour for each GPU that a number comes from.";
    const gave = givesPowers(replay, collective)
      ? "to chunk 0 GPU r gives r + 1, to chunk 1 its square, and so on"
      : "GPU 0 one, GPU 1 two, and so on";
    const sums = replay.adds ? ` Numbers are sums of what each GPU gave: ${gave}.` : "";
    return html`<p class="small legend"><span>${colors}${sums}</span>
      <span><i class="whole"></i> finished</span><span><i class="moved"></i> just moved</span>
      <span class="no-print">Drag the picture to turn it round by round.</span></p>`;
  }

  private barLegend(): TemplateResult {
    const adds = this.runs.some((run) => run.replay.adds);
    const passesOn = this.runs.some((run) => run.replay.passesOn);
    return html`<p class="small legend"><span><i class="done"></i> what a GPU must end with</span>
        ${
          passesOn
            ? html`<span><i class=${adds ? "partial" : "passing"}></i> ${
                adds ? "a sum under way: a stripe for each GPU whose numbers are in it" : "on its way to another GPU"
              }</span>`
            : nothing
        }
        ${adds ? html`<span><svg class="key" viewBox="0 0 30 10" aria-hidden="true">${svg`<path class="adding" d="M0 5h24" /><path class="head adding-head" d="M30 5l-7-3.5v7z" />`}</svg> is added</span>` : nothing}
        <span><svg class="key" viewBox="0 0 30 10" aria-hidden="true">${svg`<path class="copying" d="M0 5h24" /><path class="head copying-head" d="M30 5l-7-3.5v7z" />`}</svg> replaces</span></p>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (this.runs.length === 0) return nothing;
    // Two schedules are side by side if there is room; a single one has its counts next to it.
    const two = this.runs.length > 1;
    const beside = this.width >= 620 && (two || this.runs[0]!.counts !== undefined);
    const width = !beside ? this.width : two ? (this.width - 40) / 2 : this.width - countsWidth - 40;
    return html`<div class="all">${this.asked ? nothing : this.controls()}
      <div class=${beside ? (two ? "pair" : "alone") : "stack"}>${this.runs.map((run) => this.figure(run, width))}</div>
      ${this.bare ? nothing : this.legend()}</div>`;
  }

  static override styles = [theme, base, pictureStyles, ringPictureStyles, shapePictureStyles, unsafeCSS(styles)];
}

define("commcost-playback", Playback);
