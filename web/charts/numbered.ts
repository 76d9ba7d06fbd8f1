/** Numbers of marks that lie together, as one label each: none covers another. */

type Place = readonly [x: number, y: number];

/** What a label takes of a drawing: its middle, and half of its width and height. */
export interface LabelBox {
  at: Place;
  width: number;
  height: number;
}

/** Widths of a label's letters and its height, px. */
const letter = 6.6;
const line = 13;

/** The box of a text whose middle is at a place, or whose start or end is. */
export function labelBox([x, y]: Place, text: string, anchor: "start" | "middle" | "end"): LabelBox {
  const width = letter * text.length + 4;
  const shift = { start: width / 2, middle: 0, end: -width / 2 }[anchor];
  return { at: [x + shift, y], width, height: line };
}

const overlap = (one: LabelBox, other: LabelBox): boolean =>
  Math.abs(one.at[0] - other.at[0]) < (one.width + other.width) / 2 &&
  Math.abs(one.at[1] - other.at[1]) < (one.height + other.height) / 2;

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

/** Labels of marks that are numbered by their order; `boxOf` says where a label of a mark is, `taken` what the first one's mark covers besides. */
export function numbered(
  places: readonly Place[],
  boxOf: (place: Place, text: string) => LabelBox,
  taken?: LabelBox,
): { at: Place; text: string }[] {
  const groups = places.map((at, index) => ({ at, numbers: [index + 1] }));
  const textOf = ({ numbers }: (typeof groups)[number]) => ranges(numbers);
  for (let from = 0; from < groups.length; from++) {
    const covers = (one: (typeof groups)[number], at: number): boolean => {
      const box = boxOf(groups[at]!.at, textOf(groups[at]!));
      return (from === 0 && taken !== undefined && overlap(taken, box)) || overlap(boxOf(one.at, textOf(one)), box);
    };
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
  return groups.map((group) => ({ at: group.at, text: textOf(group) }));
}
