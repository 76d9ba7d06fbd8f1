import { nothing, type TemplateResult } from "lit";
import { type Compared, differenceOf, figureWords, hasBoth, isSame } from "../state/compared.js";
import { html } from "./html.js";

/** The rows of what is compared, and what their ranges say. */

const inBrackets = (range: string) => (range ? html` <span class="soft">(${range})</span>` : nothing);

/** A figure of A, of B, and their difference, in bold where it is more than the predictions' error. */
export function comparedRow(one: Compared): TemplateResult | typeof nothing {
  if (!hasBoth(one)) return nothing;
  const [then, now] = [one.then, one.now].map((ranged) => figureWords(ranged, one.format)) as [Words, Words];
  const { words, range, known } = differenceOf(one);
  return html`<tr><th scope="row">${one.what}</th>
    <td class="number">${then.figure}${inBrackets(then.range)}</td><td class="number">${now.figure}${inBrackets(now.range)}</td>
    <td class="number">${known ? html`<b>${words}</b>` : words}${inBrackets(range)}</td></tr>`;
}

type Words = ReturnType<typeof figureWords>;

/** The summary of all rows: that nothing differs, or what the ranges allow to say. */
export function comparedNote(figures: readonly Compared[]): TemplateResult | typeof nothing {
  const both = figures.filter(hasBoth);
  if (both.every(isSame)) return html`<p class="small">Nothing that differs changes these figures.</p>`;
  if (both.every((one) => differenceOf(one).range === "")) return nothing;
  const within = both.some((one) => differenceOf(one).words === "within error");
  return html`<p class="small soft">In brackets: the range of each prediction, and the range of their difference if both err independently.${
    within ? " A difference is within error when its range includes zero." : ""
  }</p>`;
}
