import type { FieldDescription } from "#engine";

/** A number as Python writes it. */
export function literal(value: number, whole: boolean): string {
  if (whole) return value.toFixed(0);
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  const text =
    Math.abs(value) >= 1e16 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

const types: Partial<Record<FieldDescription["kind"], string>> = { whole: "int", real: "float" };

/** The arguments of a call as Python writes them, without those that are at their defaults. */
export function pythonArguments(fields: readonly FieldDescription[], inputs: Record<string, unknown>): string {
  return fields
    .filter((field) => inputs[field.name] !== undefined && (field.required || inputs[field.name] !== field.default))
    .map((field) => `${field.name}=${literal(inputs[field.name] as number, field.kind === "whole")}`)
    .join(", ");
}

/** The function to write, with its types and defaults and an empty body. */
export function pythonSignature(name: string, fields: readonly FieldDescription[]): string {
  const parameters = fields.map((field) => {
    const type = `${field.name}: ${types[field.kind] ?? "object"}`;
    return field.required ? type : `${type} = ${literal(field.default as number, field.kind === "whole")}`;
  });
  return `def ${name}(\n    ${parameters.join(",\n    ")},\n) -> dict:\n    ...\n`;
}

/** The call and what it returns, as a Python session. */
export function pythonCall(
  name: string,
  fields: readonly FieldDescription[],
  inputs: Record<string, unknown>,
  resultFields: readonly FieldDescription[],
  results: Record<string, unknown>,
): string {
  const lines = resultFields.map(
    (field) => ` '${field.name}': ${literal(results[field.name] as number, field.kind === "whole")}`,
  );
  return `>>> ${name}(${pythonArguments(fields, inputs)})\n{${lines.join(",\n").slice(1)}}`;
}
