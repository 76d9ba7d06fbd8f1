import { nothing, svg, type SVGTemplateResult } from "lit";
import { shadeOf } from "../elements/colors.js";
import type { Subject } from "../elements/tokens.js";
import { type Axis, bottomAxis, leftAxis, type Plot } from "./axis.js";
import type { Label } from "./labels.js";

/** Parts that several pictures share, small or with all that a chart has around it. */

export type Place = readonly [x: number, y: number];

/** A path through places, each to a thousandth of a pixel; one place alone is closed, and so seen where lines end round. */
export const through = (places: readonly Place[], closed = places.length === 1): string =>
  places.length === 0
    ? ""
    : `M${places.map((place) => place.map((at) => Math.round(at * 1000) / 1000).join()).join("L")}${closed ? "Z" : ""}`;

/** The place, among that many, that a share of the way falls into. */
export const placeAt = (share: number, count: number): number =>
  Math.min(count - 1, Math.max(0, Math.floor(share * count)));

/** Which of them is nearest; the first where none is. */
export function nearestOf<One>(all: readonly One[], away: (one: One) => number): number {
  let best = 0;
  let least = Infinity;
  all.forEach((one, index) => {
    const distance = away(one);
    if (distance < least) [least, best] = [distance, index];
  });
  return best;
}

/** Both axes of a plot. */
export const axes = (plot: Plot, up: Axis, across: Axis): SVGTemplateResult =>
  svg`${leftAxis(plot, up.ticks, up.title)}
      ${bottomAxis(plot, across.ticks, across.title)}`;

/** A label that stays legible over what is drawn. */
export const haloed = ({ text, at: [x, y], anchor }: Label, kind = ""): SVGTemplateResult =>
  svg`<text class="halo ${kind}" x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;

/** The point that the reader's own scenario has, and its name. */
export const hereMark = ([x, y]: Place, radius: number, label: Label): SVGTemplateResult =>
  svg`<circle class="here" cx=${x} cy=${y} r=${radius} />${haloed(label, "here-label")}`;

/** What textured areas of a subject are drawn with, over their colour. */
function textured(subject: Subject, [x, y, width, height]: readonly [number, number, number, number]) {
  const { texture } = shadeOf(subject);
  return texture
    ? svg`<rect class="texture" fill="url(#${texture})" x=${x} y=${y} width=${width} height=${height} />`
    : nothing;
}

/** A bar of a subject: its colour and texture, and its name in it where that fits. */
interface NamedBar {
  subject: Subject;
  name: string;
  fits: boolean;
  box: readonly [x: number, y: number, width: number, height: number];
  current?: boolean;
  /** Outlined and hatched: what others wait for. */
  marked?: boolean | undefined;
}

export function namedBar({ subject, name, fits, box, current, marked }: NamedBar): SVGTemplateResult {
  const [x, y, width, height] = box;
  const over = marked || shadeOf(subject).texture;
  return svg`<rect class="bar fill-${subject} ${current ? "current" : ""}" x=${x} y=${y} width=${width} height=${height} />
      ${textured(subject, box)}
      ${marked ? svg`<rect class="marked" x=${x} y=${y} width=${width} height=${height} />` : nothing}
      ${
        fits
          ? svg`<text class="inside on-${subject} ${over ? "over" : ""}" x=${x + width / 2} y=${y + height / 2} dy="0.35em" text-anchor="middle">${name}</text>`
          : nothing
      }`;
}
