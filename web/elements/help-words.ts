import type { FieldDescription } from "#engine";
import { exact } from "../state/format.js";
import { fieldChoices } from "../state/fields.js";
import type { Scenario } from "../state/scenario.js";
import { labelWithin } from "./labels.js";

/** The description of a control, in sentences: what its field is, and what to enter. */

/** Limits up to this help the reader; larger ones only keep numbers exact. */
const tellingLimit = 4096;

/** "Enter a whole number from 1 to 8."; nothing if the control offers its choices, or takes any text. */
function whatToEnter(field: FieldDescription): string {
  if (field.kind === "numbers") return "Enter numbers, separated by commas.";
  if (fieldChoices(field) || (field.kind !== "whole" && field.kind !== "real")) return "";
  const { least, greatest } = field as { least: number; greatest: number };
  const number = field.kind === "whole" ? "a whole number" : "a number";
  // Next to zero, which a form may accept as well, a least number means only “above zero”.
  const above = field.kind === "real" && least > 0 && least < 1e-3;
  if (greatest <= tellingLimit) return `Enter ${number} from ${above ? 0 : exact(least)} to ${exact(greatest)}.`;
  if (least < -tellingLimit) return `Enter ${number}.`;
  return above ? `Enter ${number} above 0.` : `Enter ${number}, ${exact(least)} or more.`;
}

/** A field's help, with other inputs by their labels. */
export const helpWords = (scenario: Scenario, { help }: FieldDescription): string =>
  help.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => labelWithin(scenario, name)).replaceAll("_ ", " ");

/** "GPUs that share each weight matrix. Enter a whole number from 1 to 4,096." */
export function descriptionOf(scenario: Scenario, field: FieldDescription): string {
  const help = helpWords(scenario, field);
  return [help && `${help.replace(/\.$/, "")}.`, whatToEnter(field)].filter(Boolean).join(" ");
}
