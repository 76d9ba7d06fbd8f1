import { nothing, svg, type SVGTemplateResult, unsafeCSS } from "lit";
import type { Subject } from "../elements/tokens.js";
import styles from "./tip.css?inline";

/** A line of what the cursor reads; with the mark of its series. */
export interface TipLine {
  text: string;
  subject?: Subject;
}

const letter = 6.4;
/** The first line is bold. */
const boldLetter = 6.9;
const lineHeight = 16;
const padding = 8;

/** A box next to a place of the drawing, kept within its width. */
export function tip(
  [x, y]: readonly [number, number],
  lines: readonly TipLine[],
  [width, height]: readonly [number, number],
): SVGTemplateResult | typeof nothing {
  if (lines.length === 0) return nothing;
  const keyed = lines.some(({ subject }) => subject);
  const wide =
    Math.max(...lines.map(({ text }, index) => text.length * (index === 0 ? boldLetter : letter))) +
    2 * padding +
    (keyed ? 14 : 0);
  const high = lines.length * lineHeight + padding;
  const beside = x + 14 + wide <= width ? x + 14 : x - 14 - wide;
  const left = Math.max(2, Math.min(width - wide - 2, beside));
  const covers = left < x && left + wide > x;
  const above = covers && y - high - 14 >= 0 ? y - high - 14 : y - high / 2;
  const top = Math.max(2, Math.min(height - high - 2, above));
  return svg`<g class="tip on-screen" transform="translate(${left} ${top})">
    <rect class="tip-box" width=${wide} height=${high} rx="3" />
    ${lines.map(
      ({ text, subject }, index) =>
        svg`${
          subject
            ? svg`<rect class="fill-${subject}" x=${padding} y=${padding + index * lineHeight + 1} width="8" height="8" />`
            : nothing
        }<text class=${index === 0 ? "tip-head" : ""} x=${padding + (keyed && index > 0 ? 14 : 0)} y=${padding + index * lineHeight + 9}>${text}</text>`,
    )}</g>`;
}

export const tipStyles = unsafeCSS(styles);
