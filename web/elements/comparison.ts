import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { change, significant } from "../state/format.js";
import styles from "./comparison.css?inline";

/** Figures of the present scenario, B, next to those of the pinned one, A. */

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

/** "6.2 points", "1 point". */
function pointsOf(one: number, other: number): string {
  const points = significant(Math.abs(one - other), 2);
  return `${points} point${points === "1" ? "" : "s"}`;
}

/** Percentages are told by both, their difference in points: "40.5 → 40.3 %, 0.2 points less". */
function besidesPercent(now: number | undefined, then: number | undefined): string {
  if (now === undefined || then === undefined || !Number.isFinite(now) || !Number.isFinite(then)) return "";
  if (sameToTheEye(now, then)) return same;
  return `A’s ${significant(then, 3)} → ${significant(now, 3)} %, ${pointsOf(now, then)} ${now > then ? "more" : "less"}`;
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

/** A figure of both scenarios: what it is, here and in A; percentages are compared in points, and a band is said with its figure. */
export type Figure = readonly [
  what: string,
  now: number | undefined,
  then: number | undefined,
  format: (value: number) => string,
  as?: "ratio" | "points",
  bands?: { now: string; then: string | undefined },
];

/** How much more or less: "−45 %", "+2.3 points", "same". */
function difference(now: number, then: number, as: Figure[4]): string {
  if (sameToTheEye(now, then)) return "same";
  if (as === "points") return `${now > then ? "+" : "−"}${pointsOf(now, then)}`;
  return then === 0 || now === 0 ? "–" : change((100 * now) / then - 100);
}

/** Under the headline: one table of A, of what is shown now (B), and of the difference. `answered`: whether A has an answer here. */
export function besideLine(
  pinned: boolean,
  answered: boolean,
  figures: readonly Figure[],
): TemplateResult | typeof nothing {
  if (!pinned) return nothing;
  if (!answered)
    return html`<p class="beside-line" data-beside>A has no answer here: its inputs do not go together in this view.</p>`;
  const rows = figures.filter(
    ([, now, then]) => now !== undefined && then !== undefined && Number.isFinite(now) && Number.isFinite(then),
  );
  if (rows.length === 0) return nothing;
  const band = (text: string | undefined) => (text ? html` <span class="soft">(${text})</span>` : nothing);
  return html`<div class="beside-line scroll" data-beside tabindex="0" role="group" aria-label="A against B">
    <table><thead><tr><td></td><th scope="col">A</th><th scope="col">B, as shown</th><th scope="col">Difference</th></tr></thead>
    <tbody>${rows.map(
      ([what, now, then, format, as, bands]) => html`<tr><th scope="row">${what}</th>
        <td class="number">${format(then!)}${band(bands?.then)}</td><td class="number">${format(now!)}${band(bands?.now)}</td>
        <td class="number"><b>${difference(now!, then!, as)}</b></td></tr>`,
    )}</tbody></table>
    ${rows.every(([, now, then]) => sameToTheEye(now!, then!)) ? html`<p class="small">Nothing that differs changes these figures.</p>` : nothing}</div>`;
}

export const comparisonStyles = unsafeCSS(styles);
