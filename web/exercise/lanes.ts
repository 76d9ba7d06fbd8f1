import { LitElement, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { subjectClasses } from "../elements/colors.js";
import { define } from "../elements/define.js";
import { base, theme } from "../elements/theme.js";
import { us } from "../state/format.js";
import styles from "./lanes.css?inline";

/** A message of a pass: how long it takes, and whether it can travel while the layer computes. */
interface Message {
  id: string;
  label: string;
  us: number;
  /** The layer waits for it: it cannot begin before its compute has ended. */
  blocks: boolean;
}

interface Pass {
  name: string;
  computeUs: number;
  messages: readonly Message[];
}

const width = 560;
const laneHeight = 26;
const left = 4;

/** When a pass ends if its messages begin at those times. */
function passEnds(pass: Pass, starts: readonly number[]): number {
  return Math.max(pass.computeUs, ...pass.messages.map(({ us: long }, index) => starts[index]! + long));
}

/** Why a message cannot begin at a time; nothing where it can. The lane carries one message at a time. */
function refused(pass: Pass, starts: readonly number[], index: number, at: number): string | undefined {
  const { us: long, blocks, label } = pass.messages[index]!;
  if (blocks && at < pass.computeUs)
    return `${label}: the layer needs all of its own result first, so they can’t start while it computes.`;
  const other = pass.messages.findIndex(
    (message, place) => place !== index && at < starts[place]! + message.us - 1e-9 && starts[place]! < at + long - 1e-9,
  );
  if (other >= 0)
    return `${pass.messages[other]!.label} ${pass.messages[other]!.us > 0 ? "is" : ""} on the link at that time: one after the other.`;
  return undefined;
}

/** The passes of an exercise of overlap; the first edition has one. */
function passesOf({ c = 0, g = 0, d, r = 0 }: Readonly<Record<string, number>>): readonly Pass[] {
  const gather = { id: "g", label: "Gathering weights", us: g, blocks: false };
  const blocking = { id: "r", label: "The layer’s all-reduces", us: r, blocks: true };
  const forward = { name: "Forward", computeUs: c, messages: [gather, blocking] };
  if (d === undefined) return [forward];
  const sums = { id: "d", label: "Summing gradients", us: d, blocks: false };
  return [forward, { name: "Backward", computeUs: 2 * c, messages: [gather, sums, blocking] }];
}

/** Everything one after the other, as without any overlap. */
function oneByOne(pass: Pass): number[] {
  let end = pass.computeUs;
  return pass.messages.map(({ us: long }) => {
    end += long;
    return end - long;
  });
}

/** Two lanes for each pass, compute and link, with bars to drag: whatever runs during compute costs no time. */
class Lanes extends LitElement {
  static override properties = { given: { attribute: false }, starts: { state: true }, said: { state: true } };

  declare given: Readonly<Record<string, number>>;
  declare private starts: number[][];
  declare private said: string;
  private passes: readonly Pass[] = [];

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has("given")) return;
    const before = changed.get("given");
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(this.given)) return;
    this.passes = passesOf(this.given);
    this.starts = this.passes.map(oneByOne);
    this.said = "";
  }

  private get scale(): number {
    const longest = Math.max(...this.passes.map((pass) => passEnds(pass, oneByOne(pass))));
    return (width - 2 * left) / longest;
  }

  private move(at: number, index: number, to: number): void {
    const pass = this.passes[at]!;
    const starts = this.starts[at]!;
    const latest = passEnds(pass, oneByOne(pass)) - pass.messages[index]!.us;
    // Snaps to where something begins or ends, within the accuracy of a finger.
    const edges = [
      0,
      pass.computeUs,
      ...pass.messages.flatMap(({ us: long }, place) =>
        place === index ? [] : [starts[place]! + long, starts[place]! - pass.messages[index]!.us],
      ),
    ];
    const near = edges.find((edge) => Math.abs(edge - to) * this.scale < 8);
    const start = Math.min(latest, Math.max(0, near ?? Math.round(to)));
    const why = refused(pass, starts, index, start);
    this.said = why ?? "";
    if (why) return;
    this.starts = this.starts.map((all, place) =>
      place === at ? all.map((value, one) => (one === index ? start : value)) : all,
    );
  }

  private bar(at: number, index: number): SVGTemplateResult {
    const pass = this.passes[at]!;
    const { id, label, us: long, blocks } = pass.messages[index]!;
    const start = this.starts[at]![index]!;
    const { scale } = this;
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      const handle = event.currentTarget as SVGGElement;
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
      const ratio = width / handle.ownerSVGElement!.getBoundingClientRect().width;
      const from = this.starts[at]![index]!;
      const moved = ({ clientX }: PointerEvent) =>
        this.move(at, index, from + ((clientX - event.clientX) * ratio) / scale);
      handle.addEventListener("pointermove", moved);
      handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", moved), {
        once: true,
      });
    };
    const key = (event: KeyboardEvent) => {
      // As far as the next place where something begins or ends.
      const places = [
        0,
        pass.computeUs,
        ...pass.messages.flatMap((message, place) =>
          place === index ? [] : [this.starts[at]![place]! + message.us, this.starts[at]![place]! - long],
        ),
      ]
        .filter((place) => place >= 0)
        .sort((a, b) => a - b);
      const free = (place: number) => refused(pass, this.starts[at]!, index, place) === undefined;
      const wanted = {
        ArrowLeft: places.filter((place) => place < start),
        ArrowRight: places.filter((place) => place > start),
      }[event.key];
      if (!wanted) return;
      event.preventDefault();
      const all = event.key === "ArrowLeft" ? wanted.reverse() : wanted;
      const to = all.find(free) ?? all[0];
      if (to !== undefined) this.move(at, index, to);
    };
    const wide = Math.max(2, long * scale);
    return svg`<g class="message" role="slider" tabindex="0" data-bar=${`${at}-${id}`} aria-label=${`${pass.name}: ${label}`} aria-valuemin="0"
      aria-valuemax=${Math.round(passEnds(pass, oneByOne(pass)))} aria-valuenow=${Math.round(start)} aria-valuetext=${`starts at ${us(start, 3)}, takes ${us(long, 3)}`}
      @pointerdown=${down} @keydown=${key}>
      <rect class=${blocks ? "fill-tensor" : "fill-data"} x=${left + start * scale} y=${laneHeight + 6} width=${wide} height=${laneHeight} />
      ${wide > 16 ? svg`<text x=${left + start * scale + wide / 2} y=${laneHeight + 6 + laneHeight / 2} dy="0.35em">${id}</text>` : ""}</g>`;
  }

  private pass(pass: Pass, at: number): TemplateResult {
    const end = passEnds(pass, this.starts[at]!);
    const { scale } = this;
    return html`<div class="pass"><p class="small soft">${pass.name}</p>
      <svg viewBox="0 0 ${width} ${2 * laneHeight + 12}" role="group" aria-label=${`${pass.name}: compute above, the link below`}>
        <rect class="fill-compute" x=${left} y="2" width=${pass.computeUs * scale} height=${laneHeight} />
        <text x=${left + (pass.computeUs * scale) / 2} y=${2 + laneHeight / 2} dy="0.35em">${at === 0 ? "c" : "2c"}</text>
        <line class="end" x1=${left + end * scale} x2=${left + end * scale} y1="0" y2=${2 * laneHeight + 12} />
        ${pass.messages.map((_, index) => this.bar(at, index))}
      </svg></div>`;
  }

  override render(): TemplateResult {
    const ends = this.passes.map((pass, at) => `${pass.name.toLowerCase()} ${us(passEnds(pass, this.starts[at]!), 3)}`);
    return html`<div class="lanes">${this.passes.map((pass, at) => this.pass(pass, at))}
      <p class="small" role="status">${this.said || `Placed like this, a layer takes ${ends.join(", ")}. Drag the bars of the lower lanes: how early can it end?`}</p></div>`;
  }

  static override styles = [theme, base, subjectClasses, unsafeCSS(styles)];
}

define("commcost-lanes", Lanes);
