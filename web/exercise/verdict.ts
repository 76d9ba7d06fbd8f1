import { html, nothing, type TemplateResult } from "lit";
import { labelOf } from "../elements/labels.js";
import type { Scenario } from "../state/scenario.js";
import type { Checked } from "./check.js";
import { explained } from "./mistakes.js";

/** What the learner calls an answer: "your message size". */
const yours = (scenario: Scenario, name: string): string => {
  const label = labelOf(scenario, name);
  return `your ${label[0]!.toLowerCase()}${label.slice(1)}`;
};

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** What is wrong with an answer: said where nothing else gives it, asked where something might. */
function reasons(scenario: Scenario, { answer, sure, based_on, mistakes, or_mistakes }: Checked): string {
  const own = based_on ? `This uses ${yours(scenario, based_on)}, which isn’t right yet. ` : "";
  if (mistakes.length === 0)
    return answer < 0
      ? "Nothing here can be negative."
      : "Not right, and not a slip we recognise. Check the first number that isn’t right, or take a hint.";
  if (sure) return `${own}${capital(explained[mistakes[0]!].said)}.`;
  const together = mistakes.map((mistake) => explained[mistake].asked).join(", and also ");
  const [last, ...others] = [together, ...or_mistakes.map((mistake) => explained[mistake].asked)].reverse();
  return `${own}Did you ${others.length > 0 ? `${others.reverse().join(", ")}, or ${last}` : last}?`;
}

/** The tutor's word on an answer; `right` is what it says of one that agrees. */
export function verdictOf(
  scenario: Scenario,
  checked: Checked | undefined,
  error: string | undefined,
  right: string,
): TemplateResult | typeof nothing {
  if (error) return html`<span class="bad">${error}</span>`;
  switch (checked?.verdict) {
    case undefined:
      return nothing;
    case "right":
      return html`<span class="good">✓ ${right}</span>`;
    case "rounded":
      return html`<span class="close">≈ right as far as it goes: give four decimals</span>`;
    case "follows":
      return html`<span class="close">→ correct, given ${yours(scenario, checked!.based_on)}: fix that, and this follows</span>`;
    default:
      return html`<span class="bad">✗ ${reasons(scenario, checked!)}</span>`;
  }
}
