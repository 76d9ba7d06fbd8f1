import type { FieldDescription } from "#engine";
import type { CalculationName } from "./run.js";
import type { Scenario } from "./scenario.js";

/** The meanings of results, from the engine's tables: by calculation and path, such as "rows.time_us". */

function described(fields: readonly FieldDescription[], path: string, into: Map<string, FieldDescription>): void {
  for (const field of fields) {
    into.set(path + field.name, field);
    if (field.columns) described(field.columns, `${path}${field.name}.`, into);
  }
}

type Descriptions = ReturnType<Scenario["engine"]["describe"]>;
type Tables = ReadonlyMap<string, ReadonlyMap<string, FieldDescription>>;

function tablesOf(descriptions: Descriptions): Tables {
  return new Map(
    Object.entries(descriptions).map(([name, { results }]) => {
      const fields = new Map<string, FieldDescription>();
      described(results, "", fields);
      return [name, fields];
    }),
  );
}

/** Made once for each state of an engine, which describes more once it is complete. */
const made = new WeakMap<Descriptions, Tables>();
function tables({ engine }: Scenario): Tables {
  const descriptions = engine.describe();
  const known = made.get(descriptions) ?? tablesOf(descriptions);
  made.set(descriptions, known);
  return known;
}

const units: Readonly<Record<string, string>> = { us: "microseconds", ms: "milliseconds", "%": "percent" };

/** "Sent by each GPU in one ring all-reduce; in bytes"; nothing if there is no such result, or not yet. */
export function meaningOf(scenario: Scenario, calculation: CalculationName, path: string): string | undefined {
  const field = tables(scenario).get(calculation)?.get(path);
  // Until help is loaded there are no words for it.
  if (!field?.help) return undefined;
  return `${field.help}${field.unit ? `; in ${units[field.unit] ?? field.unit}` : ""}`;
}
