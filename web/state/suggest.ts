/** The one place that guesses what was meant by a typo. */

const isDigit = (letter: string): boolean => letter >= "0" && letter <= "9";

/** Letters inserted, deleted, changed or swapped to turn one text into the other; `limit` and more count as equal. */
function distance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; ++i) {
    const next = [i];
    for (let j = 1; j <= other.length; ++j) {
      const same = one[i - 1] === other[j - 1];
      // Another digit means another thing: fp4 is no typo for fp8.
      const changed = isDigit(one[i - 1]!) && isDigit(other[j - 1]!) ? limit : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : changed));
      if (swapped) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return Math.min(limit, row[other.length]!);
}

/** People's spellings of one name: case, hyphens and blanks make no difference. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "_");

/** The same without any punctuation: "llama-31-70b" is "llama-3.1-70b". */
const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Letters and numbers of a name, one by one: "llama-3.1-70b" is llama, 3, 1, 70 and b. */
const partsOf = (name: string): string[] => name.toLowerCase().match(/[a-z]+|\d+/g) ?? [];

/** Whether a name has these parts, in this order. */
function hasParts(name: string, parts: readonly string[]): boolean {
  let found = 0;
  for (const part of partsOf(name)) if (part === parts[found]) found += 1;
  return found === parts.length;
}

/** Longer than any of our names: longer texts are no typos. */
const longest = 64;

/** The name that was likely meant; nothing if none is close. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  const text = plain(typed);
  if (text === "" || text.length > longest) return undefined;
  const all = [...names];
  const same = all.find((name) => bare(name) === bare(typed));
  if (same !== undefined) return same;
  let found: string | undefined;
  // A third of the letters may be wrong; among equally close names, the first.
  let least = 1 + Math.max(1, Math.floor(text.length / 3));
  for (const name of all) {
    const away = distance(text, plain(name), least);
    if (away < least) [found, least] = [name, away];
  }
  if (found !== undefined) return found;
  if (text.length < 3) return undefined;
  // Or what was typed is a word of a name ("h200" of dgx-h200), or where one begins.
  const begun =
    all.find((name) => plain(name).split("_").includes(text)) ?? all.find((name) => plain(name).startsWith(text));
  // Or some parts of a name ("llama70b"): of several, the last, which is the newest model.
  const parts = partsOf(typed);
  const parted = parts.length > 1 ? all.filter((name) => hasParts(name, parts)).at(-1) : undefined;
  // Or the end of one ("fp4" of nvfp4).
  return begun ?? parted ?? all.find((name) => plain(name).endsWith(text));
}

/** The end of a sentence that says that there is no such name: "; did you mean num_gpus?", or nothing. */
export function didYouMean(typed: string, names: Iterable<string>): string {
  const name = nearest(typed, names);
  return name === undefined ? "" : `; did you mean ${name}?`;
}
