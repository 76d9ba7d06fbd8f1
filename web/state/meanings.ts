import type { FieldDescription } from "#engine";
import { once } from "./once.js";
import type { CalculationName } from "./run.js";

/** What results are, as the engine's tables tell it: by calculation and path, such as "rows.time_us". */

function described(fields: readonly FieldDescription[], path: string, into: Map<string, FieldDescription>): void {
  for (const field of fields) {
    into.set(path + field.name, field);
    if (field.columns) described(field.columns, `${path}${field.name}.`, into);
  }
}

const tables = once(
  ({ engine }) =>
    new Map(
      Object.entries(engine.describe()).map(([name, { results }]) => {
        const fields = new Map<string, FieldDescription>();
        described(results, "", fields);
        return [name, fields];
      }),
    ),
);

const units: Readonly<Record<string, string>> = { us: "microseconds", ms: "milliseconds", "%": "percent" };

/** "Sent by each GPU in one ring all-reduce; in bytes"; nothing where there is no such result. */
export function meaningOf(
  scenario: Parameters<typeof tables>[0],
  calculation: CalculationName,
  path: string,
): string | undefined {
  const field = tables(scenario).get(calculation)?.get(path);
  if (!field) return undefined;
  return `${field.help}${field.unit ? `; in ${units[field.unit] ?? field.unit}` : ""}`;
}
