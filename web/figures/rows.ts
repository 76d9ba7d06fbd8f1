import { svg, type SVGTemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/tokens.js";
import styles from "./rows.css?inline";

/** Rows of a figure, one for each size of the group: what is drawn in them begins at a common left edge. */

export interface RowBar {
  from: number;
  to: number;
  color: Subject;
  /** Upper or lower half of the row; by default all of it. */
  half?: "upper" | "lower";
}

export interface Row {
  group: number;
  bars: readonly RowBar[];
  /** At the end of the bars. */
  note: string;
}

export interface Rows {
  rows: readonly Row[];
  /** The group that is held. */
  now: number;
  /** The end of the longest row. */
  end: number;
  width: number;
  /** How high a row is, px. */
  rowHeight: number;
  choose: (group: number) => void;
  /** A line above the first row of more than this many GPUs. */
  border?: { after: number; label: string };
  label: string;
  /** Whether rows are also chosen by dragging over them. */
  dragged?: boolean;
}

const names = 52;
const top = 4;
const borderHeight = 20;
/** How wide a character is, px; that of the held row is bold. */
const character = 7;

/** The rows as one drawing; a click chooses a row. */
export function rowsPicture({
  rows,
  now,
  end,
  width,
  rowHeight,
  choose,
  border,
  label,
  dragged,
}: Rows): SVGTemplateResult {
  const notes = Math.max(...rows.map(({ note }) => note.length)) * character + 10;
  // A note follows its bars: the longest row leaves room for its own.
  const scale = Math.max(60, width - names - notes) / end;
  const split = border ? rows.findIndex(({ group }) => group > border.after) : -1;
  const above = (index: number) => top + index * rowHeight + (split >= 0 && index >= split ? borderHeight : 0);
  const height = above(rows.length - 1) + rowHeight + 4;
  const drag = (event: PointerEvent) => {
    const drawing = event.currentTarget as SVGSVGElement;
    // A finger scrolls the page; it chooses by a tap.
    if (
      event.pointerType === "touch" ||
      event.buttons !== 1 ||
      (event.type === "pointermove" && !drawing.hasPointerCapture(event.pointerId))
    )
      return;
    if (event.type === "pointerdown") drawing.setPointerCapture(event.pointerId);
    const { top: edge, height: tall } = drawing.getBoundingClientRect();
    const y = ((event.clientY - edge) / tall) * height;
    const row = rows.findLast((_, index) => above(index) <= y) ?? rows[0]!;
    if (row.group !== now || event.type === "pointerdown") choose(row.group);
  };
  return svg`<svg class=${dragged ? "rows dragged" : "rows"} viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}
    @pointerdown=${dragged ? drag : null} @pointermove=${dragged ? drag : null}>
    ${
      split > 0
        ? svg`<line class="rule" x1="0" x2=${width} y1=${above(split) - borderHeight / 2} y2=${above(split) - borderHeight / 2} />
          <text class="soft halo" x=${width} y=${above(split) - borderHeight / 2} dy="0.35em" text-anchor="end">${border!.label}</text>`
        : ""
    }
    ${rows.map((row, index) => {
      const y = above(index);
      const held = row.group === now;
      const last = Math.max(0, ...row.bars.map(({ to }) => to)) * scale;
      return svg`<g class=${held ? "row held" : "row"} @click=${() => choose(row.group)}>
        <rect class="back" x="0" y=${y} width=${width} height=${rowHeight - 2} rx="3" />
        <text class=${held ? "strong" : ""} x="6" y=${y + rowHeight / 2 - 1} dy="0.35em">TP ${row.group}</text>
        ${row.bars.map(({ from, to, color, half }) => {
          const high = half ? (rowHeight - 10) / 2 : rowHeight - 10;
          return svg`<rect class="fill-${color}" x=${names + from * scale} y=${y + 4 + (half === "lower" ? high : 0)} width=${Math.max(0.5, (to - from) * scale - 0.4)} height=${high} />`;
        })}
        <text class=${held ? "strong" : "soft"} x=${names + last + 8} y=${y + rowHeight / 2 - 1} dy="0.35em">${row.note}</text>
      </g>`;
    })}
  </svg>`;
}

export const rowsStyles = unsafeCSS(styles);
