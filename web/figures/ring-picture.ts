import { nothing, svg, type SVGTemplateResult, unsafeCSS } from "lit";
import { addends, fromRoot, numberIn, originsIn } from "./numbers.js";
import type { Cell, Message, Replay } from "./replay.js";
import styles from "./ring-picture.css?inline";
import { colorsOf, momentOf, painted, round } from "./paths.js";

/**
 * Ranks on a circle: each a sector, each chunk a circle of its own, so that a chunk that goes to the next rank glides
 * along its circle to the place it belongs to. A colour for each rank that a number comes from.
 */

/** The most ranks and chunks that can be distinguished on a circle. */
export const mostOnCircle = 16;

/** The share of its angle that a sector fills. */
const filled = 0.86;

interface Circle {
  size: number;
  centre: number;
  inner: number;
  outer: number;
  /** Of one chunk, outwards. */
  depth: number;
  /** Of one rank, in radians, and of what is drawn of it. */
  turn: number;
  span: number;
}

/** Whether there is room for "GPU 3" rather than "3". */
const longNames = (replay: Replay, size: number): boolean => replay.nodes <= 8 && size >= 380;

function circleOf(replay: Replay, size: number): Circle {
  const outer = size / 2 - (longNames(replay, size) ? 34 : 24);
  const inner = Math.max(46, outer * 0.3);
  const turn = (2 * Math.PI) / replay.nodes;
  return { size, centre: size / 2, inner, outer, depth: (outer - inner) / replay.rows, turn, span: turn * filled };
}

function at({ centre }: Circle, angle: number, radius: number): [number, number] {
  return [centre + radius * Math.sin(angle), centre - radius * Math.cos(angle)];
}

/** A piece of a ring between two angles and two radii. */
function piece(circle: Circle, from: number, to: number, inner: number, outer: number): string {
  const point = (angle: number, radius: number) => at(circle, angle, radius).map(round).join(" ");
  const large = to - from > Math.PI ? 1 : 0;
  return (
    `M${point(from, outer)}A${round(outer)} ${round(outer)} 0 ${large} 1 ${point(to, outer)}` +
    `L${point(to, inner)}A${round(inner)} ${round(inner)} 0 ${large} 0 ${point(from, inner)}z`
  );
}

/** The radii between which a row lies: the first outermost, with a gap to the next. */
function radii({ outer, depth }: Circle, row: number): [number, number] {
  const gap = Math.min(1.5, depth * 0.12);
  return [outer - (row + 1) * depth + gap, outer - row * depth - gap];
}

/** A cell as pieces, one for each rank whose contribution is in it, by that rank (or its chunk, where one rank has all at first). */
function pieces(circle: Circle, replay: Replay, node: number, row: number, cell: Cell): [number, string][] {
  const origins = fromRoot(replay) ? [cell.chunk] : originsIn(cell.parts, replay.ranks);
  const start = node * circle.turn - circle.span / 2;
  const [inner, outer] = radii(circle, row);
  const width = circle.span / origins.length;
  return origins.map((origin, index) => [
    origin,
    piece(circle, start + index * width, start + (index + 1) * width, inner, outer),
  ]);
}

/** The font size of numbers, px, at most and at least; width and height of a digit, as shares of it. */
const greatestFont = 13;
const leastFont = 10;
const digitWidth = 0.62;
const digitHeight = 0.92;
const addendHeight = 28;
const addendWidth = 7.7;
const mostAddends = 3;

/** The font in which the greatest number fits into every sector; 0 where there is none: then no sector has numbers. */
function fontOf(circle: Circle, replay: Replay, collective: string): number {
  const [inner, outer] = radii(circle, 0);
  let digits = 1;
  for (let node = 0; node < replay.ranks; node++) {
    for (let row = 0; row < replay.rows; row++) {
      const cell = replay.cell(replay.rounds.length, node, row);
      if (cell.parts !== 0) digits = Math.max(digits, String(numberIn(replay, collective, cell)).length);
    }
  }
  const font = Math.min(greatestFont, (outer - inner) / Math.max(digits * digitWidth, digitHeight));
  return font < leastFont ? 0 : font;
}

/** The number that a cell holds and, where there is room, what was added to get it. */
function numberAt(
  circle: Circle,
  replay: Replay,
  collective: string,
  node: number,
  row: number,
  cell: Cell,
  font: number,
): SVGTemplateResult {
  const [inner, outer] = radii(circle, row);
  const middle = (inner + outer) / 2;
  const text = String(numberIn(replay, collective, cell));
  const angle = node * circle.turn;
  // Text lies flat: its room is the width and height of the slanted cell through its middle.
  const [arc, depth] = [middle * circle.span, outer - inner];
  const [across, along] = [Math.abs(Math.sin(angle)) + 1e-9, Math.abs(Math.cos(angle)) + 1e-9];
  const wide = Math.min(arc / along, depth / across);
  const high = Math.min(depth / along, arc / across);
  if (high < font * digitHeight || wide < text.length * digitWidth * font * 0.99) return svg``;
  const [x, y] = at(circle, angle, middle);
  const added = addends(replay, collective, cell);
  const sum = added.join(" + ");
  const both =
    added.length > 1 && added.length <= mostAddends && high >= addendHeight && wide >= sum.length * addendWidth;
  return svg`<text class="value" font-size=${round(font)} x=${round(x)} y=${round(both ? y - 5 : y)} dy="0.35em">${text}</text>
    ${both ? svg`<text class="addends" x=${round(x)} y=${round(y + 8)} dy="0.35em">${sum}</text>` : nothing}`;
}

/** What all ranks hold after so many rounds; drawn once, however often a frame is. */
interface Still {
  cells: SVGTemplateResult[];
  done: string;
  numbers: SVGTemplateResult[];
}

const stills = new WeakMap<Replay, Map<string, Still>>();

function stillOf(circle: Circle, replay: Replay, collective: string, rounds: number): Still {
  const known = stills.get(replay) ?? new Map<string, Still>();
  stills.set(replay, known);
  const key = `${rounds} ${circle.size} ${collective}`;
  const kept = known.get(key);
  if (kept) return kept;
  const all: [number, string][] = [];
  const numbers: SVGTemplateResult[] = [];
  let done = "";
  const font = fontOf(circle, replay, collective);
  for (let node = 0; node < replay.ranks; node++) {
    for (let row = 0; row < replay.rows; row++) {
      const cell = replay.cell(rounds, node, row);
      if (cell.chunk < 0 || cell.parts === 0) continue;
      all.push(...pieces(circle, replay, node, row, cell));
      if (font > 0) numbers.push(numberAt(circle, replay, collective, node, row, cell, font));
      if (cell.done) done += outline(circle, node, row);
    }
  }
  const still = { cells: painted(all, colorsOf(replay)), done, numbers };
  known.set(key, still);
  return still;
}

function outline(circle: Circle, node: number, row: number): string {
  const [inner, outer] = radii(circle, row);
  const start = node * circle.turn - circle.span / 2;
  return piece(circle, start, start + circle.span, inner, outer);
}

/** How far a message turns, by the shorter way. */
function turnOf(replay: Replay, { from, to }: Message): number {
  const steps = (to - from + replay.nodes) % replay.nodes;
  return steps > replay.nodes / 2 ? steps - replay.nodes : steps;
}

/** What is on its way: the messages that turn as far as each other, as one group. */
function moving(
  circle: Circle,
  replay: Replay,
  finished: number,
  messages: readonly Message[],
  progress: number,
): SVGTemplateResult[] {
  const groups = new Map<number, Message[]>();
  for (const message of messages) {
    const turn = turnOf(replay, message);
    groups.set(turn, [...(groups.get(turn) ?? []), message]);
  }
  return [...groups].map(([turn, group]) => {
    const all: [number, string][] = [];
    let edges = "";
    for (const { from, chunks } of group) {
      for (const chunk of chunks) {
        const row = replay.rowOf(chunk);
        all.push(...pieces(circle, replay, from, row, replay.cell(finished, from, row)));
        edges += outline(circle, from, row);
      }
    }
    const degrees = (turn * progress * 360) / replay.nodes;
    return svg`<g class="flying" transform=${`rotate(${degrees.toFixed(3)} ${circle.centre} ${circle.centre})`}>
      ${painted(all, colorsOf(replay))}<path class="edge" d=${edges} /></g>`;
  });
}

/** The ring itself, outside the sectors, with an arrow from each rank to the next, turned on by a part of a round. */
function wire(circle: Circle, replay: Replay, turned: number): SVGTemplateResult {
  const radius = circle.outer + 7;
  let arrows = "";
  for (let node = 0; node < replay.nodes; node++) {
    const angle = (node + 0.5 + turned) * circle.turn;
    const [x, y] = at(circle, angle + 4 / radius, radius);
    const [ax, ay] = at(circle, angle - 4 / radius, radius - 4);
    const [bx, by] = at(circle, angle - 4 / radius, radius + 4);
    arrows += `M${round(x)} ${round(y)}L${round(ax)} ${round(ay)}L${round(bx)} ${round(by)}z`;
  }
  return svg`<circle class="wire" cx=${circle.centre} cy=${circle.centre} r=${round(radius)} /><path class="arrowheads" d=${arrows} />`;
}

/** The side from which on a chunk's number fits between two sectors, px. */
const numberedSize = 560;

/** The chunks' numbers, between the last sector and the first. */
function chunkNumbers(circle: Circle, replay: Replay): SVGTemplateResult[] {
  if (circle.size < numberedSize) return [];
  return Array.from({ length: replay.rows }, (_, row) => {
    const [inner, outer] = radii(circle, row);
    const [x, y] = at(circle, -circle.turn / 2, (inner + outer) / 2);
    return svg`<text class="of" x=${round(x)} y=${round(y)} dy="0.35em">${row}</text>`;
  });
}

function names(circle: Circle, replay: Replay, watched: number): SVGTemplateResult[] {
  const long = longNames(replay, circle.size);
  return Array.from({ length: replay.nodes }, (_, node) => {
    const [x, y] = at(circle, node * circle.turn, circle.outer + (long ? 21 : 16));
    return svg`<text class=${`name ${node === watched ? "watched" : ""}`} x=${round(x)} y=${round(y)} dy="0.35em">${long ? `GPU ${node}` : node}</text>`;
  });
}

interface RingPictureOptions {
  replay: Replay;
  collective: string;
  /** Rounds made; a fraction while chunks are on their way. */
  position: number;
  size: number;
  label: string;
  /** The rank that the sentence is about. */
  watched: number;
  /** How far the reader has turned it when asked, rounds. */
  turned: number;
  /** The text in its middle, and words under it. */
  sent: string;
  of: readonly string[];
}

/** A schedule on a circle after `position` rounds. */
export function ringPicture(options: RingPictureOptions): SVGTemplateResult {
  const { replay, collective, position, size, label, watched, turned, sent, of } = options;
  const circle = circleOf(replay, size);
  const { finished, progress, messages } = momentOf(replay, position);
  const still = stillOf(circle, replay, collective, finished);
  const arrived = progress > 0 ? [] : (replay.rounds[finished - 1] ?? []);
  const landed = arrived
    .flatMap(({ to, chunks }) => chunks.map((chunk) => outline(circle, to, replay.rowOf(chunk))))
    .join("");
  const sector = outline({ ...circle, depth: circle.outer - circle.inner }, watched, 0);
  const { centre } = circle;
  return svg`<svg class="ring" viewBox=${`0 0 ${size} ${size}`} width=${size} height=${size} role="img" aria-label=${label}>
    ${wire(circle, replay, turned % 1)}
    ${chunkNumbers(circle, replay)}
    <path class="watching" d=${sector} />
    ${still.cells}
    <path class="done" d=${still.done} />
    ${progress > 0 ? nothing : svg`<path class="edge" d=${landed} />`}
    ${still.numbers}
    ${progress > 0 ? moving(circle, replay, finished, messages, progress) : nothing}
    ${names(circle, replay, watched)}
    <text class="sent" x=${centre} y=${centre - 6}>${sent}</text>
    ${of.map((words, line) => svg`<text class="of" x=${centre} y=${centre + 11 + 13 * line}>${words}</text>`)}
  </svg>`;
}

export const ringPictureStyles = unsafeCSS(styles);
