import type { FieldDescription } from "#engine";

/** What a plan is held to: each part of a layout is searched until somebody pins it, whatever the scenario's own layout is. */

const sign = "plan_";

/** Whether a calculation with these inputs searches layouts. */
const searches = (inputs: readonly FieldDescription[]): boolean =>
  inputs.some(({ name }) => name === "allowed_schedules");

/** A preset has no default either, but fills others. */
const presets: readonly string[] = ["model", "system"];

/** What is searched where it is not given: no default stands in for it. */
const isSearched = ({ name, kind, required, default: usual, filled_by }: FieldDescription): boolean =>
  !required &&
  usual === undefined &&
  !filled_by &&
  ["whole", "flag", "choice"].includes(kind) &&
  !presets.includes(name);

const known = new WeakMap<readonly FieldDescription[], readonly FieldDescription[]>();

/** What a search decides, of a calculation with these inputs; each control of a form asks. */
export function searchedInputs(inputs: readonly FieldDescription[]): readonly FieldDescription[] {
  const found = known.get(inputs) ?? (searches(inputs) ? inputs.filter(isSearched) : []);
  known.set(inputs, found);
  return found;
}

/** The scenario's name of what pins an input of a search. */
export const pinName = (input: string): string => sign + input;

/** The input that a name in the scenario is of: a pin’s own, else the same. */
export const pinnedInput = (name: string): string => (name.startsWith(sign) ? name.slice(sign.length) : name);

/** What pins them, for the scenario: empty until something is pinned, and in the view's own form alone. */
export const pinFields = (inputs: readonly FieldDescription[]): FieldDescription[] =>
  searchedInputs(inputs).map(({ group: _, shown: __, ...field }) => ({ ...field, name: pinName(field.name) }));
