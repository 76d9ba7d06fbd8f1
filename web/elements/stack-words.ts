import type { Scenario } from "../state/scenario.js";
import { servingRecipe } from "../state/serving.js";
import { choiceWord } from "./labels.js";

/** The stack as it is written: "Megatron-Core". */
export const stackName = (scenario: Scenario): string => choiceWord(scenario, "recipe", scenario.text("recipe"));

/** The stack that serves: "vLLM". */
export const servingStackName = (scenario: Scenario): string =>
  choiceWord(scenario, servingRecipe, scenario.text(servingRecipe));

/** For a layout that the stack can't run: "not in Megatron-Core, which runs 1F1B and the interleaved schedule". */
export const notInStack = (scenario: Scenario, rule: string, name = stackName(scenario)): string =>
  `not in ${name}, which ${rule}`;
