import { svg, type SVGTemplateResult } from "lit";
import { originColor } from "../elements/tokens.js";
import { fromRoot } from "./numbers.js";
import type { Message, Replay } from "./replay.js";

/** What the pictures of a schedule are made of, whatever its shape. */

/** A place in a path, to a hundredth of a pixel. */
export const round = (value: number): string => String(Math.round(value * 100) / 100);

export const rect = (x: number, y: number, width: number, height: number): string =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;

/** How many colours there are: one for each rank or, where one rank has all at first, for each chunk. */
export const colorsOf = (replay: Replay): number => (fromRoot(replay) ? replay.rows : replay.ranks);

/** Pieces of one origin as one path each. */
export function painted(all: readonly (readonly [number, string])[], origins: number): SVGTemplateResult[] {
  const paths = new Map<number, string>();
  for (const [origin, path] of all) paths.set(origin, (paths.get(origin) ?? "") + path);
  return [...paths].map(([origin, path]) => svg`<path class="cell" d=${path} fill=${originColor(origin, origins)} />`);
}

/** A schedule after `position` rounds: those that are over, how far the messages of the next are, or those of the round just made. */
export function momentOf({ rounds }: Replay, position: number) {
  const finished = Math.min(rounds.length, Math.floor(position));
  const over = position > rounds.length;
  const progress = over ? 0 : position - finished;
  const messages: readonly Message[] = over ? [] : (rounds[progress > 0 ? finished : finished - 1] ?? []);
  return { finished, progress, over, messages };
}
