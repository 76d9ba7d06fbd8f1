import { choiceWord } from "../elements/labels.js";
import type { PlanRow } from "../state/planned-layout.js";
import type { Scenario } from "../state/scenario.js";

/** A layout in a few words: "TP 8 · PP 16 · DP 128". */
export function inShort(row: PlanRow): string {
  // The last of each is the degree 1, which is left out.
  const degrees = [
    ["TP", row.tensor_parallel, 1],
    ["CP", row.context_parallel, 1],
    ["EP", row.expert_parallel, 1],
    ["expert TP", row.expert_tensor_parallel, 0],
    ["PP", row.pipeline_parallel, 1],
    ["DP", row.data_parallel, 1],
  ] as const;
  const split = degrees.filter(([, degree, unsaid]) => degree !== unsaid).map(([name, degree]) => `${name} ${degree}`);
  return split.length === 0 ? "one GPU" : split.join(" · ");
}

/** The label of the fastest layout: "as predicted" if there are no runs of its GPU and stack to judge it by. */
export const fastestWord = ({ basis }: Pick<PlanRow, "basis">): string =>
  basis === "measured" ? "fastest" : "predicted fastest";

/** The tensor degree, and what goes with it. */
export const tensorOf = (row: PlanRow) =>
  [row.tensor_parallel, row.tensor_parallel > 1 && row.sequence_parallel && "SP"].filter(Boolean).join(" with ");

/** The pipeline degree and its order of work. */
export const pipelineOf = (scenario: Scenario, row: PlanRow) =>
  row.pipeline_parallel === 1
    ? "1"
    : `${row.pipeline_parallel}, ${choiceWord(scenario, "pipeline_schedule", row.pipeline_schedule)}${row.virtual_stages > 1 ? ` × ${row.virtual_stages}` : ""}`;

/** The data degree and what the replicas share. */
export const dataOf = (row: PlanRow) => `${row.data_parallel}${row.zero_stage > 0 ? `, ZeRO-${row.zero_stage}` : ""}`;
