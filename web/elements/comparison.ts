import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { type Compared, hasBoth, points, sameToTheEye } from "../state/compared.js";
import { significant } from "../state/format.js";
import { comparedNote, comparedRow } from "./compared-rows.js";
import styles from "./comparison.css?inline";

/** Figures of the present scenario, B, next to those of the pinned one, A. */

/** 0.561 → "0.56×"; two digits, three above a hundredth off. */
function ratio(now: number, then: number): string {
  const value = now / then;
  return `${significant(value, Math.abs(value - 1) < 0.095 && value !== 1 ? 3 : 2)}×`;
}

const same = "as in A";

/** "0.56× A’s 89.3 ms", "as A"; nothing without a pinned figure. */
export function besides(now: number | undefined, then: number | undefined, format: (value: number) => string): string {
  if (now === undefined || then === undefined || !Number.isFinite(now) || !Number.isFinite(then)) return "";
  if (sameToTheEye(now, then)) return same;
  return then === 0 || now === 0 ? `A: ${format(then)}` : `${ratio(now, then)} A’s ${format(then)}`;
}

/** Percentages show both, and their difference in points: "40.5 → 40.3 %, 0.2 points less". */
function besidesPercent(now: number | undefined, then: number | undefined): string {
  if (now === undefined || then === undefined || !Number.isFinite(now) || !Number.isFinite(then)) return "";
  if (sameToTheEye(now, then)) return same;
  return `A’s ${significant(then, 3)} → ${significant(now, 3)} %, ${points(Math.abs(now - then))} ${now > then ? "more" : "less"}`;
}

/** That, as a line under a figure. */
export const besidePercent = (now: number, then: number | undefined): TemplateResult | typeof nothing => {
  const text = besidesPercent(now, then);
  return text ? html`<span class="beside number" data-beside>${text}</span>` : nothing;
};

/** A figure against A's, as a line under it. */
export function beside(
  now: number | undefined,
  then: number | undefined,
  format: (value: number) => string,
): TemplateResult | typeof nothing {
  const text = besides(now, then, format);
  return text ? html`<span class="beside number" data-beside>${text}</span>` : nothing;
}

/**
 * Under the headline: one table of A, of the current scenario (B), and of the difference. `answered`: whether A has an
 * answer here.
 */
export function besideLine(
  pinned: boolean,
  answered: boolean,
  figures: readonly Compared[],
): TemplateResult | typeof nothing {
  if (!pinned) return nothing;
  if (!answered)
    return html`<p class="beside-line" data-beside>A has no answer here: its inputs do not go together in this view.</p>`;
  const both = figures.filter(hasBoth);
  if (both.length === 0) return nothing;
  return html`<div class="beside-line scroll" data-beside tabindex="0" role="group" aria-label="A against B">
    <table><thead><tr><td></td><th scope="col">A</th><th scope="col">B, as shown</th><th scope="col">Difference</th></tr></thead>
    <tbody>${both.map(comparedRow)}</tbody></table>
    ${comparedNote(both)}</div>`;
}

export const comparisonStyles = unsafeCSS(styles);
