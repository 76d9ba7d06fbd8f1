import { svg, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { ratioOf, type Dot } from "./dots.js";

const width = 132;
const height = 20;
/** Columns of a fifteenth of a doubling, from a half to twice; what lies beyond is in the outermost. */
const columns = 30;

/** How many dots fall into each column of predicted over measured. */
export function counted(dots: readonly Pick<Dot, "predicted" | "measured">[], count = columns): number[] {
  const counts = Array.from({ length: count }, () => 0);
  for (const dot of dots) {
    const at = Math.floor(((Math.log2(ratioOf(dot)) + 1) / 2) * count);
    counts[Math.min(count - 1, Math.max(0, at))]! += 1;
  }
  return counts;
}

/** A class's errors in a hand's breadth: half as long on the left, twice as long on the right, none in the middle. */
export function errorsStrip(dots: readonly Dot[]): TemplateResult {
  const counts = counted(dots);
  const most = Math.max(...counts);
  const pitch = width / columns;
  return html`<svg class="strip" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    ${counts.map((count, index) => {
      const tall = (count / most) * (height - 2);
      return svg`<rect class="fill-measured" x=${index * pitch} y=${height - tall} width=${pitch - 0.7} height=${tall} />`;
    })}
    <line class="none" x1=${width / 2} x2=${width / 2} y1="0" y2=${height} /></svg>`;
}
