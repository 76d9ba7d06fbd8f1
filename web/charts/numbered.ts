import { boxOf, type Label, overlap } from "./labels.js";

/** Numbers of marks that lie together, as one label each: none covers another. */

type Place = readonly [x: number, y: number];

/** Ascending numbers, "1–3, 7, 8". */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs
    .map(([from, to]) => (to > from + 1 ? `${from}–${to}` : to > from ? `${from}, ${to}` : `${from}`))
    .join(", ");
}

/** Labels of marks that are numbered by their order; `labelOf` says where a mark’s label usually is. */
export function numbered<Named extends Label>(
  places: readonly Place[],
  labelOf: (place: Place, text: string) => Named,
): Named[] {
  const groups = places.map((at, index) => ({ at, numbers: [index + 1] }));
  const textOf = ({ numbers }: (typeof groups)[number]) => ranges(numbers);
  for (let from = 0; from < groups.length; from++) {
    const covers = (one: (typeof groups)[number], at: number): boolean =>
      overlap(boxOf(labelOf(one.at, textOf(one))), boxOf(labelOf(groups[at]!.at, textOf(groups[at]!))));
    const group = groups[from]!;
    for (let at = from + 1; at < groups.length; at++) {
      if (!covers(group, at)) continue;
      group.numbers = [...group.numbers, ...groups[at]!.numbers].sort((one, other) => one - other);
      groups.splice(at, 1);
      // A longer label may cover what it did not before.
      from = -1;
      break;
    }
  }
  return groups.map((group) => labelOf(group.at, textOf(group)));
}
