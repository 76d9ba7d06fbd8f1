import { svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { significant } from "../state/format.js";
import styles from "./laps.css?inline";

/** What a GPU sends in a ring all-reduce, as laps: one adds up, one distributes, each n − 1 rounds of one chunk. */

const size = 120;
const centre = size / 2;
/** The radii of the first lap and of the second. */
const lapRadii = [30, 47] as const;
/** More rounds than these are not drawn one by one. */
const mostRounds = 24;

/** An arc from one share of the circle to another. */
function arc(radius: number, from: number, to: number): string {
  const point = (share: number) =>
    `${(centre + radius * Math.sin(2 * Math.PI * share)).toFixed(2)} ${(centre - radius * Math.cos(2 * Math.PI * share)).toFixed(2)}`;
  return `M${point(from)}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)}`;
}

/** One lap of n − 1 rounds, of which that many are made. */
function lap(radius: number, gpus: number, rounds: number): SVGTemplateResult {
  const all = gpus - 1;
  const gap = gpus <= mostRounds ? 0.012 : 0;
  const pieces = gpus <= mostRounds ? all : 1;
  const length = all / gpus / pieces;
  let empty = "";
  let full = "";
  for (let piece = 0; piece < pieces; piece++) {
    const from = piece * length + gap;
    const made = Math.min(1, Math.max(0, (rounds * pieces) / all - piece));
    empty += arc(radius, from, from + length - gap);
    if (made > 0) full += arc(radius, from, from + (length - gap) * made);
  }
  return svg`<path class="empty" d=${empty} /><path class="full" d=${full} />`;
}

/** The number of laps, in words. */
function lapsInWords(laps: number): string {
  const near = (value: number) => Math.abs(laps - value) < 1e-3;
  if (near(1)) return "one lap";
  if (near(2)) return "two laps";
  if (near(0.5)) return "half a lap";
  return `${significant(laps, 2)} laps`;
}

/** A volume of `share` times the message among so many GPUs (2 and more), drawn on the ring, with what it means. */
export function lapsPicture(gpus: number, share: number): TemplateResult {
  const rounds = share * gpus;
  const laps = rounds / (gpus - 1);
  const right = Math.abs(laps - 2) < 1e-3;
  const words = right
    ? `Two laps of ${gpus - 1} ${gpus === 2 ? "round" : "rounds"}: one adds up, one hands round.`
    : `This is ${lapsInWords(laps)} of the ring. It takes two of ${gpus - 1} ${gpus === 2 ? "round" : "rounds"} each: one adds up, one hands round.`;
  return html`<figure class="laps"><svg viewBox="0 0 ${size} ${size}" width=${size} height=${size} role="img" aria-label="Your volume on the ring">
      ${lapRadii.map((radius, index) => lap(radius, gpus, rounds - index * (gpus - 1)))}
      <text x=${centre} y=${centre} dy="0.35em">${significant(laps, 2)}</text></svg>
    <figcaption class="small">${words}</figcaption></figure>`;
}

export const lapsStyles = unsafeCSS(styles);
