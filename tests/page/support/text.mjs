// What a template of lit would show, as plain text, without a page.

const isTemplate = (value) => typeof value === "object" && value !== null && "strings" in value && "values" in value;

/** A template's text, and that of what it holds; attributes and properties say nothing. */
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
