import { exact, significant } from "../state/format.js";
import type { Rank } from "../state/rank.js";
import { stepFigures } from "../state/step.js";
import { inShort } from "./layout-words.js";

/** The sentences about a layout's rank: tests/page/support/claims/train.mjs knows which claims in them must be true. */

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });

/** "3rd". */
const ordinal = (place: number): string => `${exact(place)}${endings[rules.select(place)]}`;

/** "3rd of 8 families: the fastest, TP 4 · PP 2 · DP 8, takes 6 % less."; if it can't run, why, and what can. */
export function rankWords(rank: Rank, stack: string, memory: (gib: number) => string): string {
  const { fastest, families, place, tie, less_percent, variant } = rank;
  const instead = fastest ? `${inShort(fastest)} takes ${stepFigures.time(fastest)}` : "";
  if (rank.stack_rule !== "")
    return `Not in ${stack}, which ${rank.stack_rule}.${instead ? ` Of the layouts that are, ${instead}.` : ""}`;
  if (rank.deficit_gib > 0)
    return `Doesn’t fit: each GPU needs ${memory(rank.deficit_gib)} more.${instead ? ` Of the layouts that fit, ${instead}.` : ""}`;
  if (!fastest) return "";
  const only = families === 1;
  const all = only ? "the only family" : `${exact(families)} families`;
  const own = variant ? ` Another layout of its own family takes ${stepFigures.time(variant)}.` : "";
  if (tie) return `Within noise of the fastest of ${all}, ${inShort(fastest)}.`;
  if (less_percent < 0)
    return `Faster than the fastest of ${all} that leaves the headroom, ${inShort(fastest)}, which takes ${stepFigures.time(fastest)}.`;
  const less = `the fastest, ${inShort(fastest)}, takes ${significant(less_percent, 2)} % less.`;
  if (place > families) return `Slower than ${only ? "" : "all "}${all} listed: ${less}${own}`;
  return `${only ? "Of" : `${ordinal(place)} of`} ${all}: ${less}${own}`;
}
