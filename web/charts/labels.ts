/** Places the texts of a drawing so that none overlaps another, whatever is drawn and however narrow it is. */

/** A rectangle of a drawing, px. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Place = readonly [x: number, y: number];
type Anchor = "start" | "middle" | "end";

/** The anchor point of a label, and which of its ends is there. */
export interface LabelPlace {
  at: Place;
  anchor: Anchor;
}

/** A label where it is. */
export interface Label extends LabelPlace {
  text: string;
}

/**
 * Average width of a letter, and what bold ones or digits may add; how far a line of text extends above and below its
 * baseline, px.
 */
const letter = 6.6;
const spare = 4;
const rises = 10;
const drops = 3;
const lineHeight = rises + drops;

export const widthOf = (text: string): number => letter * text.length + spare;

/** What a label covers. */
export function boxOf({ at: [x, y], anchor, text }: Label): Box {
  const wide = widthOf(text);
  const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
  return { left, right: left + wide, top: y - rises, bottom: y + drops };
}

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** How a label at x is anchored so that it stays within the plot, with so much room on either side of its middle. */
const anchorOf = (x: number, { left, right }: Box, room: number): Anchor =>
  x + room > right ? "end" : x - room < left ? "start" : "middle";

/** The places around a point with a mark of that radius, the best first: above, below, next to it, then further away. */
export function around([x, y]: Place, radius: number, text: string, plot: Box): LabelPlace[] {
  const anchor = anchorOf(x, plot, widthOf(text) / 2);
  const aside = radius + 4;
  const [above, below] = [y - radius - 6, y + radius + 14];
  const beside = (foot: number): LabelPlace[] => [
    { at: [x + aside, foot], anchor: "start" },
    { at: [x - aside, foot], anchor: "end" },
  ];
  const further = [1, 2, 3].flatMap((lines): LabelPlace[] => [
    { at: [x, above - lines * lineHeight], anchor },
    { at: [x, below + lines * lineHeight], anchor },
    ...beside(above + 6 - lines * lineHeight),
    ...beside(below - 6 + lines * lineHeight),
  ]);
  return [{ at: [x, above], anchor }, { at: [x, below], anchor }, ...beside(y - radius), ...beside(y + 4), ...further];
}

/** The labels of one drawing. Those that can move avoid all that were placed before, then lines and dots. */
export class Labels {
  private readonly taken: Box[] = [];

  constructor(
    /** What is drawn in. */
    private readonly within: Box,
    /** Points along the lines, and dots, that a label covers only if it finds no other place. */
    private readonly drawn: readonly Place[] = [],
  ) {}

  /** Labels that are where they are, such as the numbers of an axis. */
  fix(...labels: readonly Label[]): this {
    this.taken.push(...labels.filter(({ text }) => text !== "").map(boxOf));
    return this;
  }

  /** A mark that no label covers. */
  mark([x, y]: Place, radius: number): this {
    this.taken.push({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
    return this;
  }

  /** The first of the places that is free, or the least bad one. */
  place(text: string, places: readonly LabelPlace[]): Label {
    let best: Label = { ...places[0]!, text };
    let least = Infinity;
    for (const place of places) {
      const label = { ...place, text };
      const costs = this.costs(boxOf(label));
      if (costs >= least) continue;
      [best, least] = [label, costs];
      if (costs === 0) break;
    }
    this.fix(best);
    return best;
  }

  private costs(box: Box): number {
    const { left, right, top, bottom } = this.within;
    const outside = box.left < left || box.right > right || box.top < top || box.bottom > bottom;
    const words = this.taken.filter((other) => overlap(box, other)).length + (outside ? 1 : 0);
    const points = this.drawn.filter(([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom).length;
    return words * (this.drawn.length + 1) + points;
  }
}
