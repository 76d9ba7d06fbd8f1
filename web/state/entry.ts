import type { FieldDescription, Problem } from "#engine";
import { readQuantity } from "./units.js";

/** An input as the reader left it: the typed text, and its meaning if it can be understood. */
export interface Entry {
  text: string;
  value: number | string | boolean | number[] | string[] | undefined;
  problem?: Problem;
  /** Whether the text is more than a plain number, so that its meaning is worth echoing. */
  spelled: boolean;
}

/** Spellings of a flag. */
const flags = new Map([
  ...["true", "1", "yes", "on"].map((text) => [text, true] as const),
  ...["false", "0", "no", "off"].map((text) => [text, false] as const),
]);

/** The longest text of a list: many times as many numbers as the widest picture has room for. */
const longestList = 65536;

function refuse(field: FieldDescription, text: string, message: string): Entry {
  const problem = {
    field: field.name,
    code: "malformed",
    message: `${field.name} ${message}`,
    allowed: field.allowed!,
  };
  return { text, value: undefined, problem, spelled: false };
}

/** Reads the text typed for a field. Range and wholeness are the engine's to judge. */
export function readEntry(field: FieldDescription, text: string): Entry {
  switch (field.kind) {
    case "whole":
    case "real": {
      if (text.trim() === "") return refuse(field, text, `is empty; it must be ${field.allowed}`);
      const reading = readQuantity(text, field.unit);
      if (!reading.ok) return refuse(field, text, reading.message);
      return { text, value: reading.value, spelled: !reading.plain };
    }
    case "numbers": {
      if (text.length > longestList)
        return refuse(field, text, `must be ${field.allowed}; got ${text.length} characters`);
      // "5 us, 7 us" as well as "5 7".
      const readings = text
        .split(/[,;]/.test(text) ? /[,;]/ : /\s+/)
        .map((part) => part.trim())
        .filter(Boolean)
        .map((part) => readQuantity(part, field.unit));
      const refused = readings.find((reading) => !reading.ok);
      if (refused) return refuse(field, text, `must be ${field.allowed}; got “${text.slice(0, 40)}”`);
      return { text, value: readings.flatMap((reading) => (reading.ok ? [reading.value] : [])), spelled: false };
    }
    case "list": {
      if (!field.choices) return { text, value: text, spelled: false };
      if (text.length > longestList)
        return refuse(field, text, `must be ${field.allowed}; got ${text.length} characters`);
      const names = text.split(/[\s,;]+/).filter(Boolean);
      return { text, value: names, spelled: false };
    }
    case "flag": {
      const flag = flags.get(text);
      if (flag === undefined) return refuse(field, text, `must be ${field.allowed}; got “${text.slice(0, 40)}”`);
      return { text, value: flag, spelled: false };
    }
    default:
      return { text, value: text, spelled: false };
  }
}

/** Whether `text` is possible for a field, by its table: kind, range and choices. */
export function isAcceptable(field: FieldDescription, text: string): boolean {
  const { value, problem } = readEntry(field, text);
  if (problem) return field.required !== true && text === "";
  if (field.choices)
    return (Array.isArray(value) ? value : [text]).every((one) => field.choices!.includes(String(one)));
  if (typeof value !== "number") return true;
  return (
    (field.kind !== "whole" || Number.isInteger(value)) &&
    value >= (field.least ?? -Infinity) &&
    value <= (field.greatest ?? Infinity)
  );
}
