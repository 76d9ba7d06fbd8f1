import { groupWords, jobWords, scenarioWords, servingWords } from "../elements/scenario-words.js";
import type { Scenario } from "../state/scenario.js";
import type { View } from "./views.js";

const wordsOf: Readonly<Record<string, (scenario: Scenario) => string[]>> = {
  cost: groupWords,
  plan: jobWords,
  serve: servingWords,
};

/**
 * What an answer is about, if only `parts` of its view are shown and its inputs are not among them; nothing for a view
 * without a model, whose answer says it all.
 */
export function subjectOf(scenario: Scenario, view: View | undefined, parts: string | undefined): string {
  const shown = parts?.split(/\s+/).filter(Boolean) ?? [];
  if (!view?.calculation || shown.length === 0 || shown.includes("inputs")) return "";
  const { inputs } = scenario.engine.describe()[view.calculation]!;
  if (!inputs.some(({ name }) => name === "hidden_size")) return "";
  return (wordsOf[view.id] ?? scenarioWords)(scenario).join(" · ");
}
