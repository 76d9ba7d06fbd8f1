import { nothing, svg, type SVGTemplateResult, unsafeCSS } from "lit";
import { fromRoot, numberIn, originsIn } from "./numbers.js";
import type { Message, Replay } from "./replay.js";
import type { Shape } from "./shape.js";
import styles from "./shape-picture.css?inline";
import { colorsOf, momentOf, painted, rect, round } from "./paths.js";

/** Ranks in the shape of an algorithm, each a box of chunks; messages fly from box to box. */

interface Plan {
  width: number;
  height: number;
  box: number;
  tall: number;
  slice: number;
  centres: [number, number][];
}

const nameHeight = 15;
/** The least height of a row of boxes, px. */
const leastRow = 92;
/** The size that a slice needs for its number. */
const leastSlice = 11;

function planOf(shape: Shape, replay: Replay, width: number, greatest: number): Plan {
  const height = Math.min(greatest, Math.max(150, Math.max(leastRow, (width / shape.columns) * 1.05) * shape.rows));
  const box = Math.min(66, (width / shape.columns) * 0.72);
  const tall = Math.max(14, Math.min(66, (height / shape.rows) * 0.72 - nameHeight));
  return {
    width,
    height,
    box,
    tall,
    slice: tall / replay.rows,
    centres: shape.places.map(([x, y]) => [
      Math.min(width - box / 2 - 1, Math.max(box / 2 + 1, x * width)),
      Math.min(height - tall / 2 - nameHeight - 1, Math.max(tall / 2 + 2, y * height - nameHeight / 2)),
    ]),
  };
}

/** A slot of a node's box as bars, one for each rank in it. */
function bars(plan: Plan, replay: Replay, rounds: number, node: number, row: number): [number, string][] {
  const cell = replay.cell(rounds, node, row);
  if (cell.chunk < 0 || cell.parts === 0) return [];
  const origins = fromRoot(replay) ? [cell.chunk] : originsIn(cell.parts, replay.ranks);
  const [x, y] = plan.centres[node]!;
  const width = plan.box / origins.length;
  const gap = plan.slice >= 8 ? 0.5 : 0;
  return origins.map((origin, index) => [
    origin,
    rect(x - plan.box / 2 + index * width, y - plan.tall / 2 + row * plan.slice + gap, width, plan.slice - 2 * gap),
  ]);
}

const frame = (plan: Plan, node: number, row = 0, rows?: number): string => {
  const [x, y] = plan.centres[node]!;
  const height = rows === undefined ? plan.tall : rows * plan.slice;
  return rect(x - plan.box / 2, y - plan.tall / 2 + row * plan.slice, plan.box, height);
};

/** Every pair that ever communicates, as lines. */
function wires(plan: Plan, replay: Replay): string {
  const pairs = new Set<string>();
  for (const messages of replay.rounds)
    for (const { from, to } of messages) pairs.add(`${Math.min(from, to)} ${Math.max(from, to)}`);
  return [...pairs]
    .map((pair) => {
      const [a, b] = pair.split(" ").map(Number) as [number, number];
      return `M${plan.centres[a]!.map(round).join(" ")}L${plan.centres[b]!.map(round).join(" ")}`;
    })
    .join("");
}

function lineOf(plan: Plan, messages: readonly Message[]): string {
  return messages
    .map(({ from, to }) => `M${plan.centres[from]!.map(round).join(" ")}L${plan.centres[to]!.map(round).join(" ")}`)
    .join("");
}

function flying(
  plan: Plan,
  replay: Replay,
  finished: number,
  messages: readonly Message[],
  progress: number,
): SVGTemplateResult[] {
  return messages.map((message) => {
    const [x0, y0] = plan.centres[message.from]!;
    const [x1, y1] = plan.centres[message.to]!;
    const rows = message.chunks.map((chunk) => replay.rowOf(chunk));
    const all = rows.flatMap((row) => bars(plan, replay, finished, message.from, row));
    const edges = replay.stretches(message).map(([row, count]) => frame(plan, message.from, row, count));
    return svg`<g transform=${`translate(${round((x1 - x0) * progress)} ${round((y1 - y0) * progress)})`}>
      ${painted(all, colorsOf(replay))}<path class="edge" d=${edges.join("")} /></g>`;
  });
}

function numbers(plan: Plan, replay: Replay, collective: string, rounds: number): SVGTemplateResult[] {
  if (plan.slice < leastSlice) return [];
  return Array.from({ length: replay.ranks }, (_, node) =>
    Array.from({ length: replay.rows }, (__, row) => {
      const cell = replay.cell(rounds, node, row);
      const text = String(numberIn(replay, collective, cell));
      if (cell.chunk < 0 || cell.parts === 0 || text.length * 7 > plan.box) return svg``;
      const [x, y] = plan.centres[node]!;
      return svg`<text class="value" x=${round(x)} y=${round(y - plan.tall / 2 + (row + 0.5) * plan.slice)} dy="0.35em">${text}</text>`;
    }),
  ).flat();
}

/** Boxes round ranks that belong together. */
function groupBoxes(plan: Plan, shape: Shape): string {
  const margin = 7;
  return shape.groups
    .map((ranks) => {
      const xs = ranks.map((rank) => plan.centres[rank]![0]);
      const ys = ranks.map((rank) => plan.centres[rank]![1]);
      const left = Math.max(0.5, Math.min(...xs) - plan.box / 2 - margin);
      const top = Math.min(...ys) - plan.tall / 2 - margin;
      const right = Math.min(plan.width - 0.5, Math.max(...xs) + plan.box / 2 + margin);
      return rect(
        left,
        Math.max(0.5, top),
        right - left,
        Math.max(...ys) + plan.tall / 2 + nameHeight + 2 - Math.max(0.5, top),
      );
    })
    .join("");
}

interface ShapePictureOptions {
  replay: Replay;
  shape: Shape;
  collective: string;
  position: number;
  width: number;
  greatestHeight: number;
  label: string;
  watched: number;
}

/** A schedule in its own shape after `position` rounds. */
export function shapePicture(options: ShapePictureOptions): SVGTemplateResult {
  const { replay, shape, collective, position, width, greatestHeight, label, watched } = options;
  const plan = planOf(shape, replay, width, greatestHeight);
  const { finished, progress, over, messages } = momentOf(replay, position);
  const nodes = Array.from({ length: replay.nodes }, (_, node) => node);
  const slots = nodes.flatMap((node) => Array.from({ length: replay.rows }, (_, row) => [node, row] as const));
  const done = slots.filter(([node, row]) => replay.cell(finished, node, row).done);
  const landed = messages.flatMap((message) =>
    replay.stretches(message).map(([row, count]) => frame(plan, message.to, row, count)),
  );
  return svg`<svg class="shape" viewBox=${`0 0 ${width} ${round(plan.height)}`} width=${width} height=${round(plan.height)} role="img" aria-label=${label}>
    <path class="group" d=${groupBoxes(plan, shape)} />
    <path class="wires" d=${wires(plan, replay)} />
    ${over ? nothing : svg`<path class="talking" d=${lineOf(plan, messages)} />`}
    <path class="frames" d=${nodes.map((node) => frame(plan, node)).join("")} />
    ${painted(
      slots.flatMap(([node, row]) => bars(plan, replay, finished, node, row)),
      colorsOf(replay),
    )}
    <path class="done" d=${done.map(([node, row]) => frame(plan, node, row, 1)).join("")} />
    ${numbers(plan, replay, collective, finished)}
    ${progress > 0 ? flying(plan, replay, finished, messages, progress) : svg`<path class="edge" d=${landed.join("")} />`}
    ${nodes.map((node) => {
      const [x, y] = plan.centres[node]!;
      const isSwitch = node === replay.ranks;
      const name = isSwitch ? "switch" : plan.box >= 40 ? `GPU ${node}` : node;
      return svg`<text class=${`name ${node === watched ? "watched" : ""}`} x=${round(x)} y=${round(y + plan.tall / 2 + 12)}>${name}</text>`;
    })}
  </svg>`;
}

export const shapePictureStyles = unsafeCSS(styles);
