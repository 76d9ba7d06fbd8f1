/** Reads what a function printed: a Python dict, JSON, or lines with names and numbers. */

export interface Printed {
  /** The number after each name that was found, as text. */
  texts: Record<string, string>;
  /** Names that were not found with a number. */
  missing: string[];
}

/** The longest text that is searched: a hundred times what a dict of four takes. */
export const longestPrinted = 20_000;

/** A number, plain or as numpy or decimal print it: 5.0, np.float64(5.0), Decimal('5.0'). */
const number = String.raw`(?:[A-Za-z_.]\w*(?:\.\w+)*\(\s*)?['"]?([-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])`;

/** Finds a number for each of `names`; where a name stands more than once the last counts, as in a dict. */
export function readPrinted(text: string, names: readonly string[]): Printed {
  const texts: Record<string, string> = {};
  const searched = text.slice(-longestPrinted);
  for (const name of names) {
    const found = [...searched.matchAll(new RegExp(String.raw`\b${name}\b['"]?\s*[:=]\s*${number}`, "g"))].at(-1);
    if (found) texts[name] = found[1]!.replaceAll("_", "");
  }
  return { texts, missing: names.filter((name) => texts[name] === undefined) };
}
