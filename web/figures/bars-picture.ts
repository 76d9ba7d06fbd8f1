import { nothing, svg, type SVGTemplateResult, unsafeCSS } from "lit";
import type { Message, Replay } from "./replay.js";
import styles from "./bars-picture.css?inline";
import { momentOf, rect, round } from "./paths.js";

/** Geometry: each node a bar as high as its message, each slot a slice of it. */
interface Layout {
  width: number;
  start: number;
  height: number;
  top: number;
  bottom: number;
  step: number;
  bar: number;
  slice: number;
}

const barHeight = 190;
/** Room for the slices' numbers, where there are few enough to write. */
const margin = 62;
const mostNumbered = 10;

function layoutOf(replay: Replay, width: number): Layout {
  const start = replay.rows > 1 && replay.rows <= mostNumbered ? margin : 0;
  const step = (width - start) / replay.nodes;
  const far = replay.rounds.some((messages) => messages.some(({ from, to }) => Math.abs(from - to) > 1));
  const arcs = far ? 34 : 8;
  return {
    width,
    start,
    top: arcs,
    bottom: arcs + barHeight,
    height: arcs * 2 + barHeight + 18,
    step,
    bar: Math.min(96, step * 0.66),
    slice: barHeight / replay.rows,
  };
}

const left = ({ start, step, bar }: Layout, node: number): number => start + node * step + (step - bar) / 2;
const middle = ({ start, step }: Layout, node: number): number => start + (node + 0.5) * step;
/** Slices thinner than this touch, so that the bar does not fade. */
const gapOf = (slice: number): number => (slice >= 8 ? 1 : 0);

/** The stripes of a cell that is not complete: one for each rank whose contribution is in it. */
function stripes(layout: Layout, replay: Replay, x: number, y: number, parts: number, height: number): string {
  const width = layout.bar / replay.ranks;
  let path = "";
  for (let rank = 0; rank < replay.ranks; rank++) {
    if (!(parts & (1 << rank))) continue;
    let last = rank;
    while (last + 1 < replay.ranks && parts & (1 << (last + 1))) last++;
    path += rect(x + rank * width, y, (last - rank + 1) * width, height);
    rank = last;
  }
  return path;
}

/** What is held after that many rounds: complete cells, and partial ones, each kind as one path. */
function held(layout: Layout, replay: Replay, rounds: number): { done: string; partial: string } {
  const gap = gapOf(layout.slice);
  let done = "";
  let partial = "";
  for (let node = 0; node < replay.nodes; node++) {
    for (let row = 0; row < replay.rows; row++) {
      const cell = replay.cell(rounds, node, row);
      if (cell.chunk < 0 || cell.parts === 0) continue;
      const x = left(layout, node);
      const y = layout.top + row * layout.slice + gap / 2;
      const height = layout.slice - gap;
      if (cell.done) done += rect(x, y, layout.bar, height);
      else if (replay.adds) partial += stripes(layout, replay, x, y, cell.parts, height);
      else partial += rect(x, y, layout.bar, height);
    }
  }
  return { done, partial };
}

/** The slices of a round's messages, `progress` of the way from sender to receiver. */
function moving(layout: Layout, replay: Replay, messages: readonly Message[], progress: number): string {
  const gap = gapOf(layout.slice);
  let path = "";
  for (const message of messages) {
    const start = left(layout, message.from);
    const x = start + (left(layout, message.to) - start) * progress;
    for (const [row, count] of replay.stretches(message)) {
      path += rect(x, layout.top + row * layout.slice + gap / 2, layout.bar, count * layout.slice - gap);
    }
  }
  return path;
}

/** An arrowhead that ends at a point, pointing along (dx, dy). */
function head(x: number, y: number, dx: number, dy: number): string {
  const size = 4.5;
  return (
    `M${round(x)} ${round(y)}L${round(x - size * dx - size * 0.6 * dy)} ${round(y - size * dy + size * 0.6 * dx)}` +
    `L${round(x - size * dx + size * 0.6 * dy)} ${round(y - size * dy - size * 0.6 * dx)}z`
  );
}

/**
 * Senders and receivers: to a neighbour straight across the gap, further by an arc, rightwards above, leftwards below.
 */
function arrows(layout: Layout, replay: Replay, messages: readonly Message[]): { lines: string; heads: string } {
  let lines = "";
  let heads = "";
  for (const { from, to, chunks } of messages) {
    const sign = Math.sign(to - from);
    if (Math.abs(to - from) === 1) {
      const rows = chunks.map((chunk) => replay.rowOf(chunk));
      const y = layout.top + ((Math.min(...rows) + Math.max(...rows) + 1) / 2) * layout.slice + (sign < 0 ? 4 : 0);
      const start = middle(layout, from) + (sign * layout.bar) / 2 + sign * 2;
      const end = middle(layout, to) - (sign * layout.bar) / 2 - sign * 2;
      lines += `M${round(start)} ${round(y)}H${round(end - sign * 3)}`;
      heads += head(end, y, sign, 0);
      continue;
    }
    const edge = sign > 0 ? layout.top - 3 : layout.bottom + 3;
    const rise = (8 + 44 * (Math.abs(to - from) / replay.nodes)) * sign;
    const x = middle(layout, from);
    const end = middle(layout, to) - sign * Math.min(4, layout.bar / 4);
    lines += `M${round(x)} ${round(edge)}Q${round((x + end) / 2)} ${round(edge - rise)} ${round(end)} ${round(edge - 2 * sign)}`;
    heads += head(end, edge, 0, sign);
  }
  return { lines, heads };
}

/** Names under the bars, as many as fit. */
function names(layout: Layout, replay: Replay): SVGTemplateResult[] {
  const every = Math.ceil(22 / layout.step);
  return Array.from({ length: replay.nodes }, (_, node) => {
    const isSwitch = node === replay.ranks;
    if (!isSwitch && node % every !== 0) return svg``;
    const text = isSwitch ? "switch" : layout.step >= 54 ? `rank ${node}` : String(node);
    return svg`<text x=${middle(layout, node)} y=${layout.height - 4} text-anchor="middle">${text}</text>`;
  });
}

/** Numbers next to the slices. */
function slices(layout: Layout, replay: Replay, rowName: string): SVGTemplateResult[] {
  if (layout.start === 0) return [];
  return Array.from(
    { length: replay.rows },
    (_, row) =>
      svg`<text x=${left(layout, 0) - 8} y=${layout.top + (row + 0.5) * layout.slice} dy="0.35em" text-anchor="end">${row === 0 ? `${rowName} 0` : row}</text>`,
  );
}

/** A schedule after `position` rounds; between two whole numbers the messages are on their way. */
export function picture(
  replay: Replay,
  position: number,
  width: number,
  label: string,
  rowName: string,
): SVGTemplateResult {
  const layout = layoutOf(replay, width);
  const { finished, progress, messages: shown } = momentOf(replay, position);
  const { done, partial } = held(layout, replay, finished);
  const adding = shown.filter(({ reduce }) => reduce);
  const copying = shown.filter(({ reduce }) => !reduce);
  const frames = Array.from({ length: replay.nodes }, (_, node) =>
    rect(left(layout, node), layout.top, layout.bar, barHeight),
  ).join("");
  const rules =
    layout.slice < 5
      ? ""
      : Array.from({ length: replay.nodes }, (_, node) =>
          Array.from(
            { length: replay.rows - 1 },
            (_, row) =>
              `M${round(left(layout, node))} ${round(layout.top + (row + 1) * layout.slice)}h${round(layout.bar)}`,
          ).join(""),
        ).join("");
  const both = [
    { kind: "adding", messages: adding },
    { kind: "copying", messages: copying },
  ];
  return svg`<svg class="picture" viewBox="0 0 ${width} ${layout.height}" role="img" aria-label=${label}>
    <path class="frame" d=${frames} /><path class="rules" d=${rules} />
    <path class="partial" d=${partial} /><path class="done" d=${done} />
    ${both.map(({ kind, messages }) => {
      if (messages.length === 0) return nothing;
      const { lines, heads } = arrows(layout, replay, messages);
      return svg`<g class=${`${kind} ${messages.length > 96 ? "many" : ""}`}>
        <path class="moving" d=${moving(layout, replay, messages, progress > 0 ? progress : 1)} />
        <path class="arrow" d=${lines} /><path class="head" d=${heads} /></g>`;
    })}
    ${names(layout, replay)}${slices(layout, replay, rowName)}
  </svg>`;
}

export const pictureStyles = unsafeCSS(styles);
