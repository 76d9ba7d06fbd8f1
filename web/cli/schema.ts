import type { CalculationDescription, FieldDescription } from "#engine";

/** JSON Schema (2020-12) of what a calculation takes and gives, made from the tables of its fields. */

type Schema = Record<string, unknown>;

const types: Readonly<Record<string, Schema>> = {
  whole: { type: "integer" },
  real: { type: "number" },
  flag: { type: "boolean" },
  choice: { type: "string" },
  text: { type: "string" },
  numbers: { type: "array", items: { type: "number" } },
  lists: { type: "array", items: { type: "array", items: { type: "number" } } },
  object: { type: "object" },
  list: { type: "array" },
};

function schemaOf(field: FieldDescription): Schema {
  const unit = field.unit ? ` (${field.unit})` : "";
  const described = { ...types[field.kind], title: field.label ?? field.name, description: `${field.help}${unit}` };
  const given =
    field.default !== undefined && field.default !== "" && !field.required ? { default: field.default } : {};
  // A model may have its name on the hub instead of an id.
  const choices = field.choices ? { [field.name === "model" ? "examples" : "enum"]: [...field.choices] } : {};
  const least = field.least === undefined ? {} : { minimum: field.least };
  const greatest = field.greatest === undefined ? {} : { maximum: field.greatest };
  if (field.kind === "list" && field.choices) return { ...described, ...given, items: { type: "string", ...choices } };
  if (field.columns && field.kind === "list") return { ...described, items: objectOf(field.columns) };
  if (field.columns && field.kind === "lists")
    return { ...described, items: { type: "array", items: objectOf(field.columns) } };
  if (field.columns) return { ...described, ...objectOf(field.columns) };
  return { ...described, ...given, ...choices, ...least, ...greatest };
}

/** Required inputs; where a preset fills them, the preset is enough. */
function objectOf(fields: readonly FieldDescription[]): Schema {
  const required = fields.filter((field) => field.required);
  const names = (preset: string | undefined) =>
    required.filter(({ filled_by: by }) => by === preset).map(({ name }) => name);
  const presets = new Set(required.flatMap(({ filled_by: preset }) => preset ?? []));
  const either = [...presets].map((preset) => ({ anyOf: [{ required: [preset] }, { required: names(preset) }] }));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    ...(names(undefined).length > 0 ? { required: names(undefined) } : {}),
    ...(either.length > 0 ? { allOf: either } : {}),
  };
}

/** The schema of one calculation: its inputs and its results. */
export const calculationSchema = (name: string, { help, inputs, results }: CalculationDescription): Schema => ({
  title: name,
  description: help,
  type: "object",
  properties: {
    inputs: { ...objectOf(inputs), additionalProperties: false },
    results: objectOf(results),
  },
});

/** The schemas of all calculations, each under its name. */
export const wholeSchema = (
  calculations: Readonly<Record<string, CalculationDescription>>,
  version: string,
): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: `commcost ${version}`,
  $defs: Object.fromEntries(
    Object.entries(calculations).map(([name, description]) => [name, calculationSchema(name, description)]),
  ),
});
