import type { PlanServingResults } from "#engine";
import { evenDegree } from "../../state/layout.js";
import type { Scenario } from "../../state/scenario.js";
import { groupsOf } from "../../state/served-groups.js";
import { servingName } from "../../state/serving.js";
import type { Row } from "./answer.js";

/** The step that the view shows in detail is the answer's until another is typed. */

const hasExperts = (scenario: Scenario): boolean => scenario.number("num_experts") > 1;

const degreesOf = (scenario: Scenario): string[] => [
  "tensor_parallel",
  "pipeline_parallel",
  ...(hasExperts(scenario) ? ["data_parallel", "expert_parallel", "expert_tensor_parallel"] : []),
];

/** The calculation's inputs that define the step. */
export const stepInputs = (scenario: Scenario): string[] => [...degreesOf(scenario), "batch_size", "sequence_length"];

/** The scenario's fields of them. */
export const stepFields = (scenario: Scenario): string[] => stepInputs(scenario).map((input) => servingName(input)!);

/** Half way through the output, as TPOT is counted. */
const halfWay = (scenario: Scenario): number =>
  scenario.number("prompt_tokens") + Math.floor(scenario.number("output_tokens") / 2);

/** The answer's: of the sequences that pass through a stage together. */
export function stepOfAnswer(scenario: Scenario, row: Row): Record<string, number> {
  const { tensor_parallel, pipeline_parallel, data_parallel, expert_parallel, expert_tensor_parallel } = row;
  const batch_size = row.batch_size / pipeline_parallel;
  const groups = { data_parallel, expert_parallel, expert_tensor_parallel };
  return {
    ...{ tensor_parallel, pipeline_parallel, ...(hasExperts(scenario) && groups) },
    ...{ batch_size, sequence_length: halfWay(scenario), step_tokens: row.step_tokens },
  };
}

/** For a deployment on these degrees alone: inputs that are not typed together with one of them. */
function bare(scenario: Scenario, tensor_parallel: number, expert_parallel: number): Record<string, number> {
  if (!hasExperts(scenario)) return { pipeline_parallel: 1 };
  const { values } = scenario.inputs("serving_step");
  const groups = groupsOf(scenario.engine, { ...values, tensor_parallel, expert_parallel });
  return { pipeline_parallel: 1, expert_parallel: 1, ...groups };
}

/** Without an answer: the page's usual step. In another page, a step follows its tag, and this. */
function usualStep(scenario: Scenario): Record<string, number> {
  const usual = (name: string) => Number(scenario.defaults[name]);
  const tensor_parallel = evenDegree(usual("tensor_parallel"), scenario.number("num_heads"));
  return {
    tensor_parallel,
    ...bare(scenario, tensor_parallel, 1),
    batch_size: usual("batch_size"),
    sequence_length: scenario.alone ? usual("sequence_length") : halfWay(scenario),
  };
}

/** Whether a step input was typed. */
export const isTyped = (scenario: Scenario, input: string): boolean => scenario.text(servingName(input)!) !== "";

/** The step inputs that were not typed, by the calculation's names: as in the answer. Degrees go together. */
export function followed(scenario: Scenario, plan: PlanServingResults | undefined): Record<string, number> {
  const best = !scenario.alone && plan?.found ? plan.deployments[0] : undefined;
  const step = best ? stepOfAnswer(scenario, best) : usualStep(scenario);
  const typed = degreesOf(scenario).some((input) => isTyped(scenario, input));
  const said = (input: string, otherwise: number) => {
    const degree = scenario.number(servingName(input)!);
    return degree >= 1 ? degree : otherwise;
  };
  const alone = () => bare(scenario, said("tensor_parallel", step["tensor_parallel"]!), said("expert_parallel", 1));
  const all = { ...step, ...(typed && alone()) };
  return Object.fromEntries(Object.entries(all).filter(([input]) => !isTyped(scenario, input)));
}
