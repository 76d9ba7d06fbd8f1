/** Whole sheets that GPUs send each other, in the order in which the reader draws them. */
export interface Send {
  from: number;
  to: number;
}

/** What would be wrong with a send. */
export type Fault = "twice" | "nothing new";

export interface Played {
  /** Whose sheets are in each GPU's sum, a bit for each. */
  sums: readonly number[];
  /** When each send begins, in the time of one sheet. */
  starts: readonly number[];
  /** When the last ends. */
  end: number;
}

const whole = (count: number): number => 2 ** count - 1;

/** Why a send makes no sense: it counts a part twice, or brings nothing. */
export function faultOf({ sums }: Played, { from, to }: Send): Fault | undefined {
  const [given, had] = [sums[from]!, sums[to]!];
  if ((given | had) === had) return "nothing new";
  // A sheet that contains everything the receiver has replaces it; one that only shares a part with it can't be added.
  return (given & had) !== 0 && (given & had) !== had ? "twice" : undefined;
}

/** Plays sends: a GPU sends one sheet and receives one at a time, and sends only what it has. */
export function play(count: number, sends: readonly Send[]): Played {
  const sums = Array.from({ length: count }, (_, gpu) => 2 ** gpu);
  const [ready, outFree, inFree] = [0, 1, 2].map(() => new Array<number>(count).fill(0)) as [
    number[],
    number[],
    number[],
  ];
  const starts = sends.map(({ from, to }) => {
    const start = Math.max(ready[from]!, outFree[from]!, inFree[to]!);
    outFree[from] = inFree[to] = start + 1;
    ready[to] = Math.max(ready[to]!, start + 1);
    sums[to]! |= sums[from]!;
    return start;
  });
  return { sums, starts, end: Math.max(0, ...starts.map((start) => start + 1)) };
}

export const isDone = ({ sums }: Played): boolean => sums.every((sum) => sum === whole(sums.length));

/** Solutions that people find, each with its sends. */
export const knownWays: readonly { name: string; sends: (count: number) => Send[] }[] = [
  { name: "your own", sends: () => [] },
  {
    name: "all to one",
    sends: (count) => {
      const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
      return [...others.map((gpu) => ({ from: gpu, to: 0 })), ...others.map((gpu) => ({ from: 0, to: gpu }))];
    },
  },
  {
    name: "one after another",
    sends: (count) =>
      Array.from({ length: 2 * (count - 1) }, (_, index) => ({ from: index % count, to: (index + 1) % count })),
  },
  {
    name: "a tree",
    sends: (count) => {
      const up: Send[] = [];
      for (let step = 1; step < count; step *= 2)
        for (let gpu = 0; gpu + step < count; gpu += 2 * step) up.push({ from: gpu + step, to: gpu });
      return [...up, ...up.toReversed().map(({ from, to }) => ({ from: to, to: from }))];
    },
  },
];
