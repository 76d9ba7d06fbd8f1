/** Reads an answer as it may be written down: a number, a quantity, or the sum that gives it ("8*2048*8192*2", "2^33", "2 · 7/8 · 128 MiB"). */

import type { FieldDescription } from "#engine";
import { closeGroups, readNumber, unsigned } from "../state/number.js";
import { readQuantity } from "../state/units.js";

/** The longest plausible sum; longer texts are refused, not parsed. */
const longest = 200;

type Sign = "+" | "-" | "*" | "/" | "^" | "(" | ")";
/** A unit multiplies everything before it in a product: "1/4 GiB" is a quarter of one. */
type Token = number | Sign | { unit: number };

const signs = new Map<string, Sign>([
  ...(["+", "-", "*", "/", "^", "(", ")"] as const).map((sign) => [sign, sign] as const),
  ["·", "*"],
  ["×", "*"],
  ["÷", "/"],
  ["−", "-"],
  ["**", "^"],
]);
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const part = new RegExp(`\\s*(?:(${unsigned})|([A-Za-zµμ%]+(?:/s)?)|(\\*\\*|[-+*/^()·×÷−]))\\s*`, "y");

/** Writes the multiplication sign that is left out of "2(n − 1)" or "(n − 1)2". */
function times(found: Token[], ...after: (Sign | "number")[]): void {
  const last = found.at(-1);
  if (after.some((one) => one === last || one === typeof last)) found.push("*");
}

/** A decimal comma, as used in half of Europe: after a zero, or in front of any but three digits. */
const decimalComma = /(?<![\d,.])(0|\d+(?=,(?:\d{1,2}|\d{4,})(?!\d))),(\d+)(?![\d,.])/g;
/** A comma that may separate thousands or decimals. */
const eitherComma = /(?<![\d,.])(\d{1,3}),(\d{3})(?![\d,.])/;

/** How a box reads its answer, by its unit: not part of any exercise. */
const examples: Readonly<Record<string, string>> = { bytes: "1234567, 1.5 GB or 3*512*7", ms: "1.25, 1250 us or 5/4" };

/** The parts of a sum; nothing if some part is invalid. */
function tokens(text: string, unit: string): Token[] | undefined {
  const plain = closeGroups(text).replace(
    /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
    (power) => `^${[...power].map((digit) => superscripts.indexOf(digit)).join("")}`,
  );
  part.lastIndex = 0;
  const found: Token[] = [];
  while (part.lastIndex < plain.length) {
    const [, number, word, sign] = part.exec(plain) ?? [];
    if (number !== undefined) {
      times(found, ")");
      found.push(readNumber(number)!);
    } else if (word !== undefined) {
      const last = found.at(-1);
      const many = readQuantity(`1${word}`, "");
      const one = readQuantity(`1${word}`, unit);
      if (many.ok && typeof last === "number") found[found.length - 1] = last * many.value;
      else if (one.ok) found.push({ unit: one.value });
      else return undefined;
    } else if (sign !== undefined) {
      const meant = signs.get(sign)!;
      if (meant === "(") times(found, ")", "number");
      found.push(meant);
    } else return undefined;
  }
  return found;
}

/** The value of a sum by the usual rules: powers first and from the right, then products, then sums. */
class Sum {
  private at = 0;
  constructor(private readonly parts: readonly Token[]) {}

  value(): number | undefined {
    const value = this.sum();
    return this.at === this.parts.length && Number.isFinite(value) ? value : undefined;
  }

  private take(...wanted: Sign[]): Token | undefined {
    const next = this.parts[this.at];
    if (!wanted.some((sign) => sign === next)) return undefined;
    this.at++;
    return next;
  }

  private sum(): number {
    let value = this.product();
    for (let sign = this.take("+", "-"); sign; sign = this.take("+", "-"))
      value = sign === "+" ? value + this.product() : value - this.product();
    return value;
  }

  /** A product of two sizes is invalid. */
  private product(): number {
    let value = this.signed();
    for (let units = 0; units < 2; ) {
      const next = this.parts[this.at];
      if (typeof next === "object") {
        value *= next.unit;
        units++;
        this.at++;
      } else {
        const sign = this.take("*", "/");
        if (!sign) return value;
        value = sign === "*" ? value * this.signed() : value / this.signed();
      }
    }
    return NaN;
  }

  private signed(): number {
    if (this.take("-")) return -this.signed();
    if (this.take("+")) return this.signed();
    const base = this.atom();
    return this.take("^") ? base ** this.signed() : base;
  }

  private atom(): number {
    if (this.take("(")) {
      const value = this.sum();
      return this.take(")") ? value : NaN;
    }
    const next = this.parts[this.at++];
    return typeof next === "number" ? next : NaN;
  }
}

/** The number that `typed` means as an answer to `field`; what to say if it means none, or either of two. */
export function readAnswer({ unit }: Pick<FieldDescription, "unit">, typed: string): number | string {
  const text = typed.trim().replace(decimalComma, "$1.$2");
  // Bytes have no meaningful decimals.
  const [, whole, digits] = unit === "bytes" ? [] : (eitherComma.exec(text) ?? []);
  if (whole) return `Is that ${whole}.${digits} or ${whole}${digits}? Write it without a comma.`;
  const reading = readQuantity(text, unit);
  const parts = reading.ok || text.length > longest ? undefined : tokens(text, unit);
  const value = reading.ok ? reading.value : parts && new Sum(parts).value();
  return value !== undefined && Number.isFinite(value)
    ? value
    : `We can’t read “${text.slice(0, 40)}” as a number. Try ${examples[unit] ?? "12.5, 1/8 or 2*(8-1)"}.`;
}
