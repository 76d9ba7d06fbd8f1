import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { legendList } from "../charts/legend.js";
import type { Subject } from "../elements/tokens.js";
import { define } from "../elements/define.js";
import { saidProblem } from "../elements/problem-words.js";
import { capital, gpus, us } from "../state/format.js";
import { activityNames } from "./activity-names.js";
import {
  arrange,
  type Arranged,
  type Bar,
  bestMoves,
  dayOf,
  isFree,
  type LayerDay,
  mayFill,
  type Moves,
} from "./layer-gaps.js";
import { layerRun } from "./layer-time.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./hide-figure.css?inline";

const greatestWidth = 680;
const laneHeight = 26;
/** Of one pass with its name: two lanes, and room below. */
const bandHeight = 2 * laneHeight + 34;
const nameHeight = 18;
/** A bar with a name is at least so wide, px a letter. */
const letter = 7;
/** A pointer that moves less than this counts as a click, px. */
const clickRoom = 5;
/** A bar can be grabbed within this distance, px. */
const reach = 24;

const time = (value: number): string => us(value, 3);

/** Where a bar that begins then and takes so long is drawn, in its lane: left edge, top and width, px. */
type Place = (start: number, duration: number, lane: 0 | 1) => { x: number; y: number; width: number };

/** Work held by a pointer: where it was grabbed, and how far it has moved, px of the drawing. */
interface Held {
  piece: number;
  from: readonly [number, number];
  by: readonly [number, number];
}

/** One layer, forward and backward: the reader moves work into the gaps in which compute waits. */
export class HideFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    moves: { state: true },
    held: { state: true },
    refused: { state: true },
  };

  /** What the reader has moved; nothing yet at first. */
  declare moves: Moves | undefined;
  declare held: Held | undefined;
  /** The work whose last move was impossible. */
  declare refused: number | undefined;

  protected override get moved(): boolean {
    return true;
  }

  protected override showStep(step: number): void {
    const { day } = this;
    if (day) this.moves = step >= 1 ? this.best(day) : new Map();
  }

  /** At first nothing overlaps: that is up to the reader. */
  private get layer() {
    const group = this.scenario.number("tensor_parallel");
    return layerRun(this.scenario, group, { overlap_tensor: false, chunks: 1 });
  }

  private get day(): LayerDay | undefined {
    const { results } = this.layer;
    return results && dayOf(results);
  }

  private known: { key: string; best: Moves } | undefined;

  /** Searched once for each layer: every move asks for it. */
  private best(day: LayerDay): Moves {
    const key = JSON.stringify([day.gaps, day.work.map(({ duration_us }) => duration_us)]);
    if (this.known?.key !== key) this.known = { key, best: bestMoves(day) };
    return this.known.best;
  }

  /** Moves that this layer has room for. */
  private movesIn(day: LayerDay): Moves {
    if (!this.moves) return this.answered ? this.best(day) : new Map();
    return new Map(
      [...this.moves].filter(
        ([piece, gap]) => piece < day.work.length && gap < day.gaps.length && mayFill(day, piece, gap),
      ),
    );
  }

  private why(day: LayerDay, piece: number): string {
    const name = capital(named(day.work[piece]!));
    return isFree(day, piece)
      ? `${name} can’t go there: what it is made of isn’t ready yet.`
      : `${name} can’t move: the next step waits for it, and it waits for the step before.`;
  }

  protected override told(): string {
    const { results, problems } = this.layer;
    if (problems) return `${saidProblem(this.scenario, problems[0]!.message)}.`;
    const day = dayOf(results);
    const count = gpus(this.scenario.number("tensor_parallel"));
    if (results.communication_us === 0)
      return `${capital(count)} takes ${time(day.us)} for a layer and waits for no other.`;
    const moves = this.movesIn(day);
    const before = arrange(day, new Map());
    const now = arrange(day, moves);
    if (before.waiting === 0) return `${capital(count)}: a layer takes ${time(day.us)} and never waits.`;
    if (this.refused !== undefined && this.refused < day.work.length) return this.why(day, this.refused);
    if (moves.size === 0)
      return `${capital(count)}: without overlap a layer takes ${time(day.us)} forward and backward, and for ${time(before.waiting)} of that compute waits. Drag work into the gaps.`;
    const hidden = `${time(before.waiting - now.waiting)} of ${time(before.waiting)} hidden: the layer takes ${time(now.us)} instead of ${time(day.us)}.`;
    if (now.waiting < 1e-9 * day.us) return `${hidden} Compute never waits.`;
    const more = now.waiting > arrange(day, this.best(day)).waiting * (1 + 1e-9);
    return `${hidden} For ${time(now.waiting)} compute still waits. ${more ? "More can be hidden." : "Nothing that is ready could fill more of it."}`;
  }

  /** Where bars lie: the passes below each other, each in a band of its own. */
  private layout({ forward, us: end }: LayerDay): { bands: string[]; width: number; height: number; place: Place } {
    const bands = forward < end ? ["forward", "backward"] : ["forward"];
    const width = Math.min(this.width, greatestWidth);
    const scale = width / Math.max(forward, end - forward);
    const place: Place = (start, duration, lane) => {
      const band = start < forward * (1 - 1e-9) ? 0 : bands.length - 1;
      return {
        x: (start - band * forward) * scale,
        y: band * bandHeight + nameHeight + lane * laneHeight,
        width: duration * scale,
      };
    };
    return { bands, width, height: bands.length * bandHeight - 8, place };
  }

  private bar(bar: Bar, { x, y, width }: ReturnType<Place>, color: Subject): SVGTemplateResult {
    const name = activityNames[bar.operation];
    return svg`<rect class="fill-${color}" x=${x + 0.5} y=${y + 1} width=${Math.max(0.5, width - 1)} height=${laneHeight - 2} />
      ${name.length * letter + 4 <= width ? svg`<text class="on-${color}" x=${x + width / 2} y=${y + laneHeight / 2} dy="0.35em">${name}</text>` : nothing}`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { day } = this;
    if (!day) return nothing;
    const moves = this.movesIn(day);
    const arranged = arrange(day, moves);
    const { bands, width, height, place } = this.layout(day);
    const { held } = this;
    const piece = (index: number): SVGTemplateResult => {
      const bar = day.work[index]!;
      const at = place(arranged.work[index]!, bar.duration_us, 0);
      const free = isFree(day, index);
      const shift = held?.piece === index ? `translate(${held.by[0]} ${held.by[1]})` : nothing;
      const wide = Math.max(at.width, reach);
      return svg`<g class=${free ? (shift === nothing ? "free" : "free lifted") : "fixed"} data-piece=${index} transform=${shift}
        @pointerdown=${(event: PointerEvent) => this.onDown(event, index)}>
        ${this.bar(bar, at, colors[bar.pass])}
        ${free && wide > at.width ? svg`<rect fill="transparent" x=${at.x + at.width / 2 - wide / 2} y=${at.y} width=${wide} height=${laneHeight} />` : nothing}</g>`;
    };
    // What is held is drawn over the rest.
    const order = day.work
      .map((_, index) => index)
      .sort((a, b) => Number(a === held?.piece) - Number(b === held?.piece));
    return html`<div class="day" .style=${`inline-size: ${width}px`}>
      <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${this.told()}
        @pointermove=${this.onMove} @pointerup=${(event: PointerEvent) => this.onUp(event, day, place, arranged)} @pointercancel=${() => (this.held = undefined)}>
        ${bands.map((name, index) => svg`<text class="soft name" x="0" y=${index * bandHeight + 13}>${name}</text>`)}
        ${day.gaps.map((gap, index) => {
          const at = place(arranged.gaps[index]!, gap.us, 0);
          const open = held !== undefined && mayFill(day, held.piece, index);
          return svg`<rect class=${open ? "gap open" : "gap"} x=${at.x + 0.5} y=${at.y + 1} width=${Math.max(0.5, at.width - 1)} height=${laneHeight - 2} />`;
        })}
        ${day.sends.map((bar, index) => this.bar(bar, place(arranged.sends[index]!, bar.duration_us, 1), "tensor"))}
        ${order.map(piece)}
      </svg>
      ${day.work.map((bar, index) => {
        if (!isFree(day, index)) return nothing;
        const at = place(arranged.work[index]!, bar.duration_us, 0);
        const gap = moves.get(index);
        return html`<button class="no-print" .style=${`left: ${at.x}px; top: ${at.y}px; inline-size: ${at.width}px; block-size: ${laneHeight}px`}
          aria-label=${`${capital(named(bar))}, ${gap === undefined ? "in its own place" : `in gap ${gap + 1} of ${day.gaps.length}`}`}
          title="Arrow keys move it from gap to gap" @keydown=${(event: KeyboardEvent) => this.onKey(event, day, index)}
          @click=${() => this.toNext(day, index)}></button>`;
      })}</div>
      ${legendList([
        { label: "forward", subject: "compute", mark: "fill" },
        { label: "input gradient", subject: "input_gradient", mark: "fill" },
        ...(day.work.some(({ pass }) => pass === "recompute")
          ? [{ label: "recomputed", subject: "recompute" as const, mark: "fill" as const }]
          : []),
        { label: "weight gradient: nothing waits for it", subject: "weight_gradient", mark: "fill" },
        { label: "communication, predicted for this machine", subject: "tensor", mark: "fill" },
      ])}`;
  }

  private onDown(event: PointerEvent, piece: number): void {
    if (event.button !== 0) return;
    const drawing = (event.currentTarget as SVGElement).ownerSVGElement!;
    event.preventDefault();
    drawing.setPointerCapture(event.pointerId);
    this.refused = undefined;
    this.held = { piece, from: [event.clientX, event.clientY], by: [0, 0] };
  }

  private readonly onMove = (event: PointerEvent): void => {
    const { held } = this;
    if (held) this.held = { ...held, by: [event.clientX - held.from[0], event.clientY - held.from[1]] };
  };

  /** Released over a gap, it moves there; elsewhere it returns to its own place; a click moves it on. */
  private onUp(event: PointerEvent, day: LayerDay, place: Place, arranged: Arranged): void {
    const { held } = this;
    if (!held) return;
    this.held = undefined;
    if (Math.hypot(...held.by) < clickRoom) {
      if (isFree(day, held.piece)) this.toNext(day, held.piece);
      else this.refused = held.piece;
      return;
    }
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const gap = day.gaps.findIndex((one, index) => {
      const at = place(arranged.gaps[index]!, one.us, 0);
      return x >= at.x - 4 && x <= at.x + at.width + 4 && y >= at.y - 6 && y <= at.y + 2 * laneHeight;
    });
    if (isFree(day, held.piece)) this.put(day, held.piece, gap < 0 ? undefined : gap);
    else this.refused = held.piece;
  }

  /** Moves a piece to a gap, or back to its own place. */
  private put(day: LayerDay, piece: number, gap: number | undefined): void {
    if (gap !== undefined && !mayFill(day, piece, gap)) {
      this.refused = piece;
      return;
    }
    this.refused = undefined;
    const moves = new Map(this.movesIn(day));
    moves.delete(piece);
    if (gap !== undefined) moves.set(piece, gap);
    this.moves = moves;
  }

  /** The next gap that it may fill, and after the last its own place. */
  private toNext(day: LayerDay, piece: number): void {
    const now = this.movesIn(day).get(piece) ?? -1;
    const next = day.gaps.findIndex((_, gap) => gap > now && mayFill(day, piece, gap));
    this.put(day, piece, next < 0 ? undefined : next);
  }

  private onKey(event: KeyboardEvent, day: LayerDay, piece: number): void {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // Its own place is one of the stops.
    const own = day.gaps.filter(({ before }) => before <= piece).length;
    const now = this.movesIn(day).get(piece);
    const stop = (now === undefined ? own : now < own ? now : now + 1) + way;
    if (stop < 0 || stop > day.gaps.length) return;
    this.put(day, piece, stop === own ? undefined : stop < own ? stop : stop - 1);
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

const colors: Readonly<Record<Bar["pass"], Subject>> = {
  forward: "compute",
  recompute: "recompute",
  input_gradient: "input_gradient",
  weight_gradient: "weight_gradient",
};

const kinds: Readonly<Record<Bar["pass"], string>> = {
  forward: "the forward pass of",
  recompute: "recomputing",
  input_gradient: "the input gradient of",
  weight_gradient: "the weight gradient of",
};

/** In a sentence some names must be longer than in a bar. */
const words = {
  ...activityNames,
  norm: "the norm",
  attention_output: "the attention output",
  residual: "the residual sum",
  router: "the router",
  activation: "the activation",
};

/** "the weight gradient of MLP in". */
const named = ({ pass, operation }: Bar): string => `${kinds[pass]} ${words[operation]}`;

define("commcost-hide-figure", HideFigure);
