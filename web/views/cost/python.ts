import type { FieldDescription } from "#engine";

/** A number as Python writes it. */
function literal(value: number, whole: boolean): string {
  if (whole) return value.toFixed(0);
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  const text =
    Math.abs(value) >= 1e16 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** The call and what it returns, as a Python session. */
export function pythonCall(
  name: string,
  fields: readonly FieldDescription[],
  inputs: Record<string, unknown>,
  resultFields: readonly FieldDescription[],
  results: Record<string, unknown>,
): string {
  const passed = fields
    .filter((field) => inputs[field.name] !== undefined && (field.required || inputs[field.name] !== field.default))
    .map((field) => `${field.name}=${literal(inputs[field.name] as number, field.kind === "whole")}`);
  const lines = resultFields.map(
    (field) => ` '${field.name}': ${literal(results[field.name] as number, field.kind === "whole")}`,
  );
  return `>>> ${name}(${passed.join(", ")})\n{${lines.join(",\n").slice(1)}}`;
}
