import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { exact, significant } from "../state/format.js";
import { SmallFigure } from "./small-figure.js";
import { type Fault, faultOf, isDone, knownWays, play, type Played, type Send } from "./sends.js";
import styles from "./guess-figure.css?inline";
import { define } from "../elements/define.js";

/** The most GPUs with enough room to draw between them, and how many stand for one. */
const mostDrawn = 8;
const radius = 21;

/** GPUs on a table, each with a sheet: the reader draws who sends to whom until every GPU has the total. */
export class GuessFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    sends: { state: true },
    sender: { state: true },
    fault: { state: true },
    pointer: { state: true },
    way: { state: true },
  };

  declare sends: readonly Send[];
  /** The sending GPU; nothing while none is chosen. */
  declare sender: number | undefined;
  declare fault: (Send & { kind: Fault }) | undefined;
  /** Where an arrow that is being drawn ends, px of the drawing. */
  declare pointer: readonly [number, number] | undefined;
  /** The known solution that is shown; 0: the reader's own. */
  declare way: number;

  constructor() {
    super();
    this.sends = [];
    this.way = 0;
  }

  private get count(): number {
    const group = this.scenario.number("tensor_parallel");
    return group >= 2 && group <= mostDrawn ? group : mostDrawn;
  }

  /** Sends among GPUs that are still there. */
  private get played(): Played {
    return play(this.count, this.shownSends);
  }

  private get shownSends(): readonly Send[] {
    const { count } = this;
    const way = this.answered && this.way === 0 && this.sends.length === 0 ? knownWays.length - 1 : this.way;
    return way > 0 ? knownWays[way]!.sends(count) : this.sends.filter(({ from, to }) => from < count && to < count);
  }

  protected override told(): string {
    const { count, played, shownSends, fault } = this;
    if (fault?.kind === "twice")
      return `GPU ${fault.to} already has a part of what GPU ${fault.from} would send: it would be counted twice.`;
    if (fault) return `GPU ${fault.to} already has all that GPU ${fault.from} could send.`;
    if (this.sender !== undefined) return `GPU ${this.sender} sends to …? Choose another GPU.`;
    if (shownSends.length === 0)
      return `Each of ${exact(count)} GPUs has a sheet of its own. Drag from one to another, or press one, then the other: it sends, the other adds.`;
    const time = `the time of ${played.end === 1 ? "one sheet" : `${exact(played.end)} sheets`}`;
    const ring = significant((2 * (count - 1)) / count, 3);
    if (isDone(played))
      return `Every GPU has the total, in ${time}. Cut into chunks, a ring does the same in the time of ${ring}.`;
    const full = played.sums.filter((sum) => sum === 2 ** count - 1).length;
    return full > 0
      ? `${exact(full)} of ${exact(count)} GPUs ${full === 1 ? "has" : "have"} the total, after ${time}.`
      : `${exact(shownSends.length)} ${shownSends.length === 1 ? "send" : "sends"} so far: ${time}. No GPU has the total yet.`;
  }

  private get side(): number {
    return Math.min(this.width, this.room, 340);
  }

  private place(gpu: number): [number, number] {
    const turn = (2 * Math.PI * gpu) / this.count;
    const [middle, far] = [this.side / 2, this.side / 2 - radius - 3];
    return [middle + far * Math.sin(turn), middle - far * Math.cos(turn)];
  }

  /** One send, bent a little, so that the way there and the way back are two. */
  private arrow({ from, to }: Send, start: number): SVGTemplateResult {
    const [x0, y0] = this.place(from);
    const [x1, y1] = this.place(to);
    const length = Math.hypot(x1 - x0, y1 - y0);
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const bend = Math.min(16, length / 9);
    const [cx, cy] = [(x0 + x1) / 2 - dy * bend, (y0 + y1) / 2 + dx * bend];
    const [ex, ey] = [x1 - dx * (radius + 3) - dy * 5, y1 - dy * (radius + 3) + dx * 5];
    const color = originColor(from, this.count);
    return svg`<path class="send" d="M${x0} ${y0}Q${cx} ${cy} ${ex} ${ey}" stroke=${color} />
      <path d="M${ex} ${ey}l${-9 * dx - 4.5 * dy} ${-9 * dy + 4.5 * dx}l${9 * dy} ${-9 * dx}z" fill=${color} />
      <text class="halo" x=${cx} y=${cy} dy="0.35em">${start + 1}</text>`;
  }

  private node(gpu: number, sum: number): SVGTemplateResult {
    const { count } = this;
    const [x, y] = this.place(gpu);
    const parts = Array.from({ length: count }, (_, part) => part).filter((part) => sum & (2 ** part));
    const wide = (1.5 * radius) / parts.length;
    return svg`<circle class=${parts.length === count ? "gpu full" : "gpu"} cx=${x} cy=${y} r=${radius} fill="var(--paper-raised)" />
      ${parts.map((part, index) => svg`<rect x=${x - 0.75 * radius + index * wide} y=${y - 4} width=${wide} height="13" fill=${originColor(part, count)} />`)}
      <text x=${x} y=${y - 8}>${gpu}</text>`;
  }

  protected override picture(): TemplateResult {
    const { count, played, shownSends, side, sender, pointer } = this;
    const from = sender === undefined ? undefined : this.place(sender);
    return html`<div class="table" .style=${`inline-size: ${side}px`} @pointermove=${this.onMove} @pointerup=${this.onUp}>
      <svg viewBox="0 0 ${side} ${side}" width=${side} height=${side} role="img" aria-label=${this.told()}>
        ${shownSends.map((send, index) => this.arrow(send, played.starts[index]!))}
        ${from && pointer ? svg`<line class="drawn" x1=${from[0]} y1=${from[1]} x2=${pointer[0]} y2=${pointer[1]} />` : nothing}
        ${played.sums.map((sum, gpu) => this.node(gpu, sum))}
      </svg>
      ${Array.from({ length: count }, (_, gpu) => {
        const [x, y] = this.place(gpu);
        return html`<button class="no-print" .style=${`left: ${x}px; top: ${y}px`} aria-pressed=${sender === gpu}
          aria-label=${sender === undefined ? `GPU ${gpu} sends` : sender === gpu ? `GPU ${gpu} sends: take back` : `to GPU ${gpu}`}
          @pointerdown=${(event: PointerEvent) => this.onDown(event, gpu)} @click=${(event: MouseEvent) => this.onClick(event, gpu)}></button>`;
      })}</div>`;
  }

  private pressed: number | undefined;

  private onDown(event: PointerEvent, gpu: number): void {
    if (event.button !== 0) return;
    this.pressed = gpu;
    // Finger and mouse alike release over another GPU.
    (event.currentTarget as Element).releasePointerCapture(event.pointerId);
  }

  private at(event: PointerEvent): [number, number] {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  private readonly onMove = (event: PointerEvent): void => {
    if (this.pressed === undefined || event.buttons === 0) return;
    const [x, y] = this.at(event);
    const [gx, gy] = this.place(this.pressed);
    if (Math.hypot(x - gx, y - gy) < radius) return;
    this.sender = this.pressed;
    this.pointer = [x, y];
  };

  private readonly onUp = (event: PointerEvent): void => {
    const dragged = this.pointer !== undefined;
    this.pressed = undefined;
    if (!dragged) return;
    const [x, y] = this.at(event);
    const to = Array.from({ length: this.count }, (_, gpu) => gpu).find((gpu) => {
      const [gx, gy] = this.place(gpu);
      return Math.hypot(x - gx, y - gy) < 1.5 * radius;
    });
    const from = this.sender!;
    this.sender = this.pointer = undefined;
    if (to !== undefined && to !== from) this.send({ from, to });
  };

  private onClick(event: MouseEvent, gpu: number): void {
    event.preventDefault();
    const { sender } = this;
    this.fault = undefined;
    this.sender = sender === undefined ? gpu : undefined;
    if (sender !== undefined && sender !== gpu) this.send({ from: sender, to: gpu });
  }

  private send(send: Send): void {
    const kind = faultOf(this.played, send);
    this.fault = kind && { ...send, kind };
    // Additions to a known solution make it the reader's own.
    if (!kind) this.sends = [...this.shownSends, send];
    if (!kind) this.way = 0;
  }

  private takeBack(sends: readonly Send[]): void {
    this.way = 0;
    this.sends = sends;
    this.fault = this.sender = undefined;
  }

  protected override control(): TemplateResult {
    const sends = this.shownSends;
    return html`<p class="again small no-print"><button class="plain" ?disabled=${sends.length === 0} @click=${() => this.takeBack(sends.slice(0, -1))}>Take back</button>
        <button class="plain" ?disabled=${sends.length === 0} @click=${() => this.takeBack([])}>Clear</button></p>
      ${this.slider({
        label: "Or see how it goes",
        stops: knownWays.map((_, index) => index),
        now: this.way,
        text: knownWays[this.way]!.name,
        choose: (way) => {
          this.fault = this.sender = undefined;
          this.way = way;
        },
      })}`;
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-guess-figure", GuessFigure);
