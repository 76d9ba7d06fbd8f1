import type { PlanResults } from "#engine";

type Row = PlanResults["layouts"][number];

/** A layout in a few words: "tensor 8, pipeline 16, data 128". */
export function inShort(row: Row): string {
  const degrees = [
    ["tensor", row.tensor_parallel],
    ["context", row.context_parallel],
    ["expert", row.expert_parallel],
    ["pipeline", row.pipeline_parallel],
    ["data", row.data_parallel],
  ] as const;
  const split = degrees.filter(([, degree]) => degree > 1).map(([name, degree]) => `${name} ${degree}`);
  return split.length === 0 ? "one GPU alone" : split.join(" · ");
}
