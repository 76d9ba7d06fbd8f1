import { html as template } from "lit";
import { unbroken } from "../state/format.js";

/** Where lit inserts a value: into text, or inside a tag. */
interface Prepared {
  strings: TemplateStringsArray;
  intoText: readonly boolean[];
}

const prepared = new WeakMap<TemplateStringsArray, Prepared>();

/** Elements whose text stays as it is, to be typed elsewhere. */
const code = /^\/?(?:pre|code|textarea)\b/;

/** The template's own text with its numbers kept to their units. */
function prepare(strings: TemplateStringsArray): Prepared {
  let inTag = false;
  let inCode = false;
  const intoText: boolean[] = [];
  const kept = strings.map((string) => {
    const pieces = string.split(/([<>])/).map((piece) => {
      if (piece === "<" || piece === ">") inTag = piece === "<";
      else if (inTag && code.test(piece)) inCode = !piece.startsWith("/");
      return inTag || inCode ? piece : unbroken(piece);
    });
    intoText.push(!inTag && !inCode);
    return pieces.join("");
  });
  // lit accepts only a tag's own strings.
  const own = Object.assign(kept, { raw: strings.raw });
  return { strings: own, intoText };
}

const kept = (value: unknown): unknown => {
  if (typeof value === "string") return unbroken(value);
  return Array.isArray(value) ? value.map(kept) : value;
};

/** lit's `html`, in whose text no line ends between a number and its unit. Every text of the page goes through it. */
export const html: typeof template = (strings, ...values) => {
  let known = prepared.get(strings);
  if (!known) prepared.set(strings, (known = prepare(strings)));
  const { intoText } = known;
  return template(known.strings, ...values.map((value, index) => (intoText[index] ? kept(value) : value)));
};
