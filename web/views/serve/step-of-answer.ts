import type { PlanServingResults } from "#engine";
import type { Scenario } from "../../state/scenario.js";
import type { Row } from "./answer.js";

/** The step that the view shows in depth is the answer's until somebody says another. */

const hasExperts = (scenario: Scenario): boolean => scenario.number("num_experts") > 1;

const degreesOf = (scenario: Scenario): string[] => [
  "tensor_parallel",
  "pipeline_parallel",
  ...(hasExperts(scenario) ? ["data_parallel", "expert_parallel", "expert_tensor_parallel"] : []),
];

/** What says the step. */
export const stepFields = (scenario: Scenario): string[] => [...degreesOf(scenario), "batch_size", "sequence_length"];

/** The answer's, half way through its output, as its TPOT is counted: of the sequences that pass through a stage together. */
export function stepOfAnswer(scenario: Scenario, row: Row): Record<string, number> {
  const { tensor_parallel, pipeline_parallel, expert_parallel } = row;
  const batch_size = row.batch_size / pipeline_parallel;
  const groups = { data_parallel: expert_parallel, expert_parallel, expert_tensor_parallel: 1 };
  const sequence_length = scenario.number("prompt_tokens") + Math.floor(scenario.number("output_tokens") / 2);
  return {
    ...{ tensor_parallel, pipeline_parallel, ...(hasExperts(scenario) && groups) },
    ...{ batch_size, sequence_length },
  };
}

/** What of the step nobody said, as the answer has it; degrees go together. In somebody's page a step is what its tag says. */
export function followed(scenario: Scenario, plan: PlanServingResults | undefined): Record<string, number> {
  const best = plan?.found ? plan.deployments[0] : undefined;
  if (!best || scenario.alone) return {};
  const said = (name: string) => scenario.given(name) && scenario.text(name) !== "";
  const degrees = degreesOf(scenario);
  const own = degrees.some(said) ? degrees : [];
  return Object.fromEntries(
    Object.entries(stepOfAnswer(scenario, best)).filter(([name]) => !own.includes(name) && !said(name)),
  );
}
