/** Reads an answer as it may be written down: a number, a quantity, or the sum that gives it ("8*2048*8192*2", "2^33", "2 · 7/8 · 128 MiB"). */

import type { FieldDescription } from "#engine";
import { closeGroups, unsigned } from "../state/number.js";
import { readQuantity } from "../state/units.js";

/** The longest sum that anybody types; what is longer is refused, not parsed. */
const longest = 200;

type Token = number | "+" | "-" | "*" | "/" | "^" | "(" | ")";

const signs = new Map<string, Token>([
  ...(["+", "-", "*", "/", "^", "(", ")"] as const).map((sign) => [sign, sign] as const),
  ["·", "*"],
  ["×", "*"],
  ["÷", "/"],
  ["−", "-"],
  ["**", "^"],
]);
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const part = new RegExp(`\\s*(?:(${unsigned}\\s*(?:[A-Za-zµμ]+(?:/s)?)?)|(\\*\\*|[-+*/^()·×÷−]))\\s*`, "y");

/** Writes the sign that is left out of "2(n − 1)" or "(n − 1)2". */
function times(found: Token[], ...after: string[]): void {
  const last = found.at(-1);
  if (last !== undefined && after.includes(typeof last === "number" ? "number" : last)) found.push("*");
}

/** A decimal comma, as half of Europe writes it, in front of any but three digits. */
const decimalComma = /(?<![\d,.])(\d+),(\d{1,2}|\d{4,})(?![\d,.])/g;
/** One that may be either. */
const eitherComma = /(?<![\d,.])(\d{1,3}),(\d{3})(?![\d,.])/;

/** What to ask of an answer in `unit` whose comma may set off thousands or decimals; nothing where that is clear. */
export function askedOfComma(unit: string, text: string): string | undefined {
  // Bytes have no decimals to speak of.
  const [, whole, digits] = unit === "ms" ? (eitherComma.exec(text) ?? []) : [];
  return whole && `Is that ${whole}.${digits} or ${whole}${digits}? Write it without a comma.`;
}

/** The parts of a sum; nothing where some part is none. */
function tokens(text: string, unit: string): Token[] | undefined {
  const plain = closeGroups(text).replace(
    /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
    (power) => `^${[...power].map((digit) => superscripts.indexOf(digit)).join("")}`,
  );
  part.lastIndex = 0;
  const found: Token[] = [];
  while (part.lastIndex < plain.length) {
    const match = part.exec(plain);
    if (!match) return undefined;
    if (match[1] !== undefined) {
      const reading = readQuantity(match[1], unit);
      if (!reading.ok) return undefined;
      times(found, ")");
      found.push(reading.value);
    } else {
      const sign = signs.get(match[2]!)!;
      if (sign === "(") times(found, ")", "number");
      found.push(sign);
    }
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

  private take(...wanted: Token[]): Token | undefined {
    const next = this.parts[this.at];
    if (next === undefined || !wanted.includes(next)) return undefined;
    this.at++;
    return next;
  }

  private sum(): number {
    let value = this.product();
    for (let sign = this.take("+", "-"); sign; sign = this.take("+", "-"))
      value = sign === "+" ? value + this.product() : value - this.product();
    return value;
  }

  private product(): number {
    let value = this.signed();
    for (let sign = this.take("*", "/"); sign; sign = this.take("*", "/"))
      value = sign === "*" ? value * this.signed() : value / this.signed();
    return value;
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

/** The number that `text` stands for as an answer to `field`; nothing where it stands for none. */
export function readAnswer(field: Pick<FieldDescription, "unit">, typed: string): number | undefined {
  const text = typed.replace(decimalComma, "$1.$2");
  const reading = readQuantity(text, field.unit);
  if (reading.ok) return Number.isFinite(reading.value) ? reading.value : undefined;
  if (text.length > longest) return undefined;
  const parts = tokens(text.trim(), field.unit);
  return parts && new Sum(parts).value();
}
