import type { Scenario } from "../state/scenario.js";
import { labelWithin } from "./labels.js";

/** Problems of inputs in the form's words: by the field's label, and with what to enter. */

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

/** "GPUs must be a whole number from 1 to 1,048,576; got 0", in its parts. */
const bounded =
  /^(.+?) (?:is (?:empty|missing); it )?must be (0 or )?a (whole )?number from (\S+) to ([^\s;]+)(?:; got ([\s\S]*))?$/;

const exemplified = /^(.+?) (?:is (?:empty|missing); it )?must be (an? [^;]*such as [\s\S]*)$/;

/** The page's name for a row of a list: the engine says "rows[0]: …" for the first run. */
const rowNames: Readonly<Record<string, string>> = { rows: "Run", loads: "Load", machines: "Machine" };
const ofRow = /^(rows|loads|machines)\[(\d+)\](?:: |\.)/;

/** Which end of its range a number missed: the other end does not matter. */
function withinBounds(message: string): string | undefined {
  const parts = bounded.exec(message);
  if (!parts) return undefined;
  const [, label, orZero = "", whole = "", least = "", greatest = "", got] = parts;
  const enough = `${orZero && "0, or "}${least} or more`;
  if (got === undefined) return `${label}: enter a ${whole}number, ${enough}`;
  const value = numberOf(got);
  if (value < numberOf(least)) return `${label}: enter ${enough}, not ${got}`;
  if (value > numberOf(greatest)) return `${label}: enter at most ${greatest}, not ${got}`;
  return `${label}: enter a ${whole}number, not ${got}`;
}

/** A problem in the words of the page. */
export function saidProblem(scenario: Scenario, message: string): string {
  const named = message
    .replace(ofRow, (_, list: string, at: string) => `${rowNames[list]} ${Number(at) + 1}: `)
    .replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => labelWithin(scenario, name))
    .replaceAll(" * ", " × ");
  const grouped = named
    .replace(/(?<!\.)\b\d{5,}\b/g, (digits) =>
      Number.isSafeInteger(Number(digits)) ? Number(digits).toLocaleString("en") : digits,
    )
    .replace(/^./, (first) => first.toUpperCase());
  return withinBounds(grouped) ?? grouped.replace(exemplified, "$1: enter $2").replace(/; got (.*)$/s, ", not $1");
}
