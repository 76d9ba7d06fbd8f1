import type { Scenario } from "../state/scenario.js";
import { choiceWord } from "./labels.js";

/** The stack as it is written: "Megatron-Core". */
export const stackName = (scenario: Scenario): string => choiceWord(scenario, "recipe", scenario.text("recipe"));

/** Of a layout that the stack cannot run: "not in Megatron-Core, which runs 1F1B and the interleaved schedule". */
export const notInStack = (scenario: Scenario, rule: string): string => `not in ${stackName(scenario)}, which ${rule}`;
