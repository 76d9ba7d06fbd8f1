import type { FieldDescription } from "#engine";

/**
 * The constraints on a plan: each part of a layout is searched until it is pinned, whatever the scenario's own layout
 * is.
 */

const sign = "plan_";

/** Whether a calculation with these inputs searches layouts. */
const searches = (inputs: readonly FieldDescription[]): boolean =>
  inputs.some(({ name }) => name === "allowed_schedules");

/** A preset has no default either, but fills others. */
const presets: readonly string[] = ["model", "system"];

/** Fields that are searched if they are not given: no default replaces them. */
const isSearched = ({ name, kind, required, default: usual, filled_by }: FieldDescription): boolean =>
  !required &&
  usual === undefined &&
  !filled_by &&
  ["whole", "flag", "choice"].includes(kind) &&
  !presets.includes(name);

const known = new WeakMap<readonly FieldDescription[], readonly FieldDescription[]>();

/** Fields that a search decides, in a calculation with these inputs; each control of a form asks. */
export function searchedInputs(inputs: readonly FieldDescription[]): readonly FieldDescription[] {
  const found = known.get(inputs) ?? (searches(inputs) ? inputs.filter(isSearched) : []);
  known.set(inputs, found);
  return found;
}

/** The scenario's name of the pin for an input of a search. */
export const pinName = (input: string): string => sign + input;

/** The input behind a name in the scenario: a pin’s own, otherwise the same. */
export const pinnedInput = (name: string): string => (name.startsWith(sign) ? name.slice(sign.length) : name);

/** The pins, as fields of the scenario: empty until something is pinned, and only in the view's own form. */
export const pinFields = (inputs: readonly FieldDescription[]): FieldDescription[] =>
  searchedInputs(inputs).map(({ group: _, shown: __, ...field }) => ({ ...field, name: pinName(field.name) }));
