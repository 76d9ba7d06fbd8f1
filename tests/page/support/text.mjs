// What a template of lit would show, as plain text, without a page.
import { createHash } from "node:crypto";

const isTemplate = (value) => typeof value === "object" && value !== null && "strings" in value && "values" in value;

/** A template's text, and that of its contents; attributes and properties have no text. */
function textOf(value) {
  if (value === undefined || value === null || value === false || typeof value === "symbol") return "";
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (!isTemplate(value)) return String(value);
  let inTag = false;
  let text = "";
  for (const [index, part] of value.strings.entries()) {
    for (const character of part) {
      if (character === "<") inTag = true;
      else if (character === ">" && inTag) {
        inTag = false;
        continue;
      }
      if (!inTag) text += character;
    }
    if (index < value.values.length && !inTag) text += textOf(value.values[index]);
  }
  // Where no line may end is a matter of layout.
  return text.replaceAll(/\s+/g, " ").replaceAll("\u2060", "");
}

/** The same alone, as it would be written in a line. */
export const plainText = (template) => textOf(template).trim();

/** What a template would draw: the values of its attributes too, numbers to six digits, as one mark that moves with any of them. */
export function drawnMark(drawing) {
  const seen = [];
  const walk = (value) => {
    if (typeof value === "number") seen.push(String(Number(value.toPrecision(6))));
    else if (typeof value === "string")
      seen.push(value.replace(/\d+\.\d+/g, (number) => String(Number(Number(number).toPrecision(6)))));
    else if (Array.isArray(value)) value.forEach(walk);
    else if (isTemplate(value)) {
      seen.push(...value.strings);
      // What waits below until it is seen draws itself.
      for (const [at, one] of value.values.entries()) walk(value.strings[at].endsWith(" .draw=") ? one() : one);
    } else if (
      typeof value === "object" &&
      value !== null &&
      [Object.prototype, null].includes(Object.getPrototypeOf(value))
    )
      for (const [name, one] of Object.entries(value)) {
        seen.push(name);
        walk(one);
      }
    else if (typeof value === "boolean") seen.push(String(value));
  };
  walk(drawing);
  return createHash("sha256").update(seen.join("\n")).digest("hex").slice(0, 8);
}
