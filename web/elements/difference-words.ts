import type { Difference } from "../state/differences.js";
import { pinnedInput } from "../state/pins.js";
import type { Scenario } from "../state/scenario.js";
import { searchedName } from "../state/settings.js";
import { choiceWord, labelOf } from "./labels.js";

/** The differences between two scenarios, in readers' words. */

/** Names that no field has. */
const labels: Readonly<Record<string, string>> = {
  precision: "Precision",
  serving_precision: "Serving precision",
};

/** A size in bytes of one number, as the width that it is known by; 0 follows another field. */
const width = (bytes: number): string =>
  bytes === 0 ? "as the activations" : `${Number((8 * bytes).toFixed(2))} bits`;

/** A field's text in words: choices by their labels, flags as on and off, widths in bits. */
function worded(scenario: Scenario, name: string, text: string): string {
  const input = pinnedInput(name);
  const field = scenario.fields.get(name);
  if (text === "") return input === name ? "none" : "auto";
  if (name === searchedName)
    return text
      .split(",")
      .map((one) => labelOf(scenario, one))
      .join(", ");
  if (field?.kind === "flag") return text === "true" ? "on" : "off";
  if (field?.kind === "choice") return choiceWord(scenario, input, text).slice(0, 40);
  if (/(?:weight|kv)_bytes_per_element$/.test(name) && text.trim() !== "" && Number.isFinite(Number(text)))
    return width(Number(text));
  return text.slice(0, 40);
}

/** "Precision", "BF16", "FP8". */
export function differenceWords(
  scenario: Scenario,
  { name, then, now, named }: Difference,
): { what: string; then: string; now: string } {
  const words = (text: string) => (named ? text : worded(scenario, name, text));
  return { what: labels[name] ?? labelOf(scenario, name), then: words(then), now: words(now) };
}
