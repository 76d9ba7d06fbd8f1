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

/** What is wrong with an answer, in words. */
function reasons(scenario: Scenario, { answer, based_on, mistakes, or_mistakes }: Checked): string {
  const words = [mistakes.map((mistake) => explained[mistake]).join("; and "), ...or_mistakes.map((m) => explained[m])];
  const all =
    words.join(" – or ") + (words.length > 1 ? `. ${words.length === 2 ? "Both" : "All"} give this number` : "");
  if (mistakes.length > 0)
    return based_on ? `made from ${yours(scenario, based_on)}, which is not right yet, and ${all}` : all;
  return answer < 0 ? "nothing here can be negative" : "no mistake that we know gives this number";
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
      return html`<span class="close">≈ right: give four decimals</span>`;
    case "follows":
      return html`<span class="close">→ right from ${yours(scenario, checked!.based_on)}: fix that one and this is right</span>`;
    default:
      return html`<span class="bad">✗ ${reasons(scenario, checked!)}</span>`;
  }
}
