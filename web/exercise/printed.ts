/** Reads what a function printed: a Python dict, JSON, or lines with names and numbers. */

export interface Printed {
  /** The number after each name that was found, as text. */
  texts: Record<string, string>;
  /** Names that were not found with a number. */
  missing: string[];
}

/** The longest text that is searched: a hundred times the length of a dict of four. */
export const longestPrinted = 20_000;

/** A number, plain or as numpy or decimal print it: 5.0, np.float64(5.0), Decimal('5.0'). */
const number = String.raw`(?:[A-Za-z_.]\w*(?:\.\w+)*\(\s*)?['"]?([-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])`;

/** The most decimals that the exercise wants. */
const decimals = 4;

/** What is wrong with a text that contains none of `names` with a number; nothing if that is unclear. */
export function withoutNames(text: string, names: readonly string[]): string | undefined {
  if (/^None$/m.test(text)) return "Your function returned None. Does it end with return, and return the dictionary?";
  if (/^Traceback \(most recent call last\)/m.test(text))
    return `Python stopped: ${text.trim().split("\n").at(-1)!.trim().slice(0, 120)}`;
  const numbers = text
    .trim()
    .replace(/^[([]|[)\]]$/g, "")
    .split(",");
  return /^[([]/.test(text.trim()) && numbers.length === names.length
    ? `That is a ${text.trim().startsWith("(") ? "tuple" : "list"}. Return a dictionary with the names ${names.join(", ")}.`
    : undefined;
}

/** Names with numbers that are not asked for, if others are missing. */
const strangers = (text: string, names: readonly string[]): string[] =>
  [...text.matchAll(new RegExp(String.raw`['"]?\b([A-Za-z_]\w*)['"]?\s*[:=]\s*${number}`, "g"))]
    .map((match) => match[1]!)
    .filter((name) => !names.includes(name));

/** A number to the decimals that the exercise wants. */
export const round4 = (value: number): number => {
  const scaled = value * 10 ** decimals;
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / 10 ** decimals : value;
};

/**
 * Whether a number has more decimals than wanted, apart from the last digit of a double, which MicroPython's round
 * leaves.
 */
const isLong = (value: number): boolean => Math.abs(value - round4(value)) > 1e-12 * Math.abs(value);

/** What is wrong with the form of a function's output, once its numbers are read; empty if it is fine. */
export function formOf(text: string, { texts, missing }: Printed, whole: readonly string[]): string {
  const names = [...Object.keys(texts), ...missing];
  const others = strangers(text, names);
  if (missing.length === names.length && others.length === 0)
    return withoutNames(text, names) ?? "We found none of the four results. Does your function return the dictionary?";
  if (missing.length > 0)
    return `Not found: ${missing.join(", ")}.${others.length > 0 ? ` There is ${others.slice(0, 4).join(", ")}; the names must be the same.` : ""}`;
  const floats = whole.filter((name) => texts[name]!.includes("."));
  if (floats.length > 0) return `${floats.join(", ")} should be an int.`;
  const long = names.filter((name) => isLong(Number(texts[name])));
  return long.length > 0 ? `Round ${long.join(", ")} to four decimals: round(value, 4).` : "";
}

/** The feedback on a function's output, once its numbers are read: `whole` are those that must be integers. */
export function saidOfPrinted(text: string, printed: Printed, whole: readonly string[]): string {
  if (text.trim() === "") return "";
  const wrong = formOf(text, printed, whole);
  if (printed.missing.length > 0) return wrong;
  return `All four were read; they are judged above${wrong === "" ? "" : `. ${wrong}`}`;
}

/** Finds a number for each of `names`; if a name appears more than once, the last counts, as in a dict. */
export function readPrinted(text: string, names: readonly string[]): Printed {
  const texts: Record<string, string> = {};
  const searched = text.slice(-longestPrinted);
  for (const name of names) {
    const found = [...searched.matchAll(new RegExp(String.raw`\b${name}\b['"]?\s*[:=]\s*${number}`, "g"))].at(-1);
    if (found) texts[name] = found[1]!.replaceAll("_", "");
  }
  return { texts, missing: names.filter((name) => texts[name] === undefined) };
}
