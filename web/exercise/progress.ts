import { recall, remember } from "../state/storage.js";

/** Which exercises were solved without the solution, by kind and level: kept on this device and sent nowhere. */

/** The kind that has no track of its own: the four numbers. */
export const fourNumbers = "four_numbers";

/** The step after the kinds: the function that computes the four numbers. */
export const theFunction = "function";

/** The number of levels of a kind; the four numbers and their function have only one with a catch. */
export const levelsOf = (track: string | undefined): number =>
  track === undefined || track === fourNumbers || track === theFunction ? 3 : 2;

const place = "practice";
/** Beyond this number, seeds are not kept one by one. */
const most = 200;

function kept(): Record<string, number[]> {
  try {
    const read: unknown = JSON.parse(recall(place) ?? "{}");
    return typeof read === "object" && read !== null ? (read as Record<string, number[]>) : {};
  } catch {
    return {};
  }
}

const seedsOf = (track: string, level: number): number[] => {
  const seeds = kept()[`${track}/${level}`];
  return Array.isArray(seeds) ? seeds : [];
};

/** Whether an exercise was solved. */
export const wasSolved = (track: string, level: number, seed: number): boolean => seedsOf(track, level).includes(seed);

/** How many different exercises of a kind and level were solved. */
export const solvedOf = (track: string, level: number): number => seedsOf(track, level).length;

/** Notes one that is solved; returns how many there are now. */
export function noteSolved(track: string, level: number, seed: number): number {
  const seeds = [...new Set([...seedsOf(track, level), seed])].slice(-most);
  remember(place, JSON.stringify({ ...kept(), [`${track}/${level}`]: seeds }));
  return seeds.length;
}
