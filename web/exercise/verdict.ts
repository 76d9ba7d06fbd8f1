import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { labelOf } from "../elements/labels.js";
import { capital } from "../state/format.js";
import type { Scenario } from "../state/scenario.js";
import type { Checked } from "./check.js";
import { explained } from "./mistakes.js";

/** The name of an answer when talking to the learner: "your message size". */
const yours = (scenario: Scenario, name: string): string => {
  const label = labelOf(scenario, name);
  return `your ${label[0]!.toLowerCase()}${label.slice(1)}`;
};

/** What is wrong with an answer: stated if nothing else gives it, asked if something might. */
function reasons(scenario: Scenario, { answer, sure, based_on, mistakes, or_mistakes }: Checked): string {
  const own = based_on ? `This uses ${yours(scenario, based_on)}, which isn’t right yet. ` : "";
  if (mistakes.length === 0)
    return answer < 0
      ? "Nothing here can be negative."
      : "Not right, and not a slip we recognize. Check the first number that isn’t right, or take a hint.";
  if (sure) return `${own}${capital(explained[mistakes[0]!].said)}.`;
  // How many slips belong to several answers.
  const ask = or_mistakes.length > 1 ? "Answer the boxes above it too to see which slip this is. Did you" : "Did you";
  const together = mistakes.map((mistake) => explained[mistake].asked).join(", and also ");
  const [last, ...others] = [together, ...or_mistakes.map((mistake) => explained[mistake].asked)].reverse();
  return `${own}${ask} ${others.length > 0 ? `${others.reverse().join(", ")}, or ${last}` : last}?`;
}

/** The tutor's words on an answer that is not right. */
export function wordsOf(scenario: Scenario, checked: Checked): string {
  switch (checked.verdict) {
    case "rounded":
      return "right as far as it goes: give more digits";
    case "follows":
      return `correct, given ${yours(scenario, checked.based_on)}: fix that, and this follows`;
    default:
      return reasons(scenario, checked);
  }
}

/** The words in front of the feedback on an answer that is nearly right. */
const marks: Partial<Record<Checked["verdict"], string>> = { rounded: "≈", follows: "→" };

/** The tutor's feedback on an answer; `right` is used for one that agrees. */
export function verdictOf(
  scenario: Scenario,
  checked: Checked | undefined,
  error: string | undefined,
  right: string,
): TemplateResult | typeof nothing {
  if (error) return html`<span class="bad">${error}</span>`;
  if (!checked) return nothing;
  if (checked.verdict === "right") return html`<span class="good">✓ ${right}</span>`;
  const mark = marks[checked.verdict];
  return html`<span class=${mark ? "close" : "bad"}>${mark ?? "✗"} ${wordsOf(scenario, checked)}</span>`;
}
