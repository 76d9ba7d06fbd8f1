import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { significant } from "../state/format.js";
import styles from "./comparison.css?inline";

/** Figures of the present scenario beside those of the pinned one, A: their ratio, and A's own. */

/** 0.561 → "0.56×"; two digits, three above a hundredth off. */
function ratio(now: number, then: number): string {
  const value = now / then;
  return `${significant(value, Math.abs(value - 1) < 0.095 && value !== 1 ? 3 : 2)}×`;
}

const sameToTheEye = (now: number, then: number) =>
  Math.abs(now - then) <= 1e-9 * Math.max(Math.abs(now), Math.abs(then));

const same = "as in A";

/** "0.56× A’s 89.3 ms", "as A"; nothing without a pinned figure. */
export function besides(now: number | undefined, then: number | undefined, format: (value: number) => string): string {
  if (now === undefined || then === undefined || !Number.isFinite(now) || !Number.isFinite(then)) return "";
  if (sameToTheEye(now, then)) return same;
  return then === 0 || now === 0 ? `A: ${format(then)}` : `${ratio(now, then)} A’s ${format(then)}`;
}

/** Percentages are told by both, their difference in points: "40.5 → 40.3 %, 0.2 points less". */
function besidesPercent(now: number | undefined, then: number | undefined): string {
  if (now === undefined || then === undefined || !Number.isFinite(now) || !Number.isFinite(then)) return "";
  if (sameToTheEye(now, then)) return same;
  const points = significant(Math.abs(now - then), 2);
  return `A’s ${significant(then, 3)} → ${significant(now, 3)} %, ${points} points ${now > then ? "more" : "less"}`;
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

/** A figure of both scenarios: what it is, here and in A; percentages are compared in points. */
export type Figure = readonly [
  what: string,
  now: number | undefined,
  then: number | undefined,
  format: (value: number) => string,
  as?: "ratio" | "points",
];

/** Under the headline: what became of its numbers. `answered`: whether A has an answer here. */
export function besideLine(
  pinned: boolean,
  answered: boolean,
  figures: readonly Figure[],
): TemplateResult | typeof nothing {
  if (!pinned) return nothing;
  if (!answered)
    return html`<p class="beside-line" data-beside>A has no answer here: its inputs do not go together in this view.</p>`;
  const parts = figures
    .map(([what, now, then, format, as]) => ({
      what,
      text: as === "points" ? besidesPercent(now, then) : besides(now, then, format),
    }))
    .filter(({ text }) => text !== "");
  if (parts.length === 0) return nothing;
  if (parts.every(({ text }) => text === same))
    return html`<p class="beside-line" data-beside>Beside A: nothing that differs changes these numbers.</p>`;
  return html`<p class="beside-line" data-beside>Beside A: ${parts.map(
    ({ what, text }, index) => html`${index > 0 ? "; " : ""}${what}
    <b class="number">${text}</b>`,
  )}.</p>`;
}

export const comparisonStyles = unsafeCSS(styles);
