import type { LayerTimelineResults } from "#engine";

/** One layer's timeline as work of a GPU's compute stream and gaps in which it waits; and which work can fill a gap. */

export type Bar = LayerTimelineResults["bars"][number];

/** A stretch in which compute waits. */
export interface Gap {
  /** The work that follows it, by its place in the order. */
  before: number;
  start: number;
  us: number;
}

export interface LayerDay {
  work: readonly Bar[];
  sends: readonly Bar[];
  gaps: readonly Gap[];
  /** Where the forward pass ends. */
  forward: number;
  us: number;
}

/** For each piece of work that was moved, by its place in the order, the gap that it was moved to. */
export type Moves = ReadonlyMap<number, number>;

/** What rounding may leave between two bars. */
const negligible = 1e-9;

export function dayOf({ bars, forward_us, backward_us }: LayerTimelineResults): LayerDay {
  const work = bars.filter(({ lane }) => lane === "compute").sort((a, b) => a.start_us - b.start_us);
  const us = forward_us + backward_us;
  const gaps: Gap[] = [];
  let start = 0;
  for (let before = 0; before <= work.length; before++) {
    const next = work[before];
    const wait = (next?.start_us ?? us) - start;
    if (wait > negligible * us) gaps.push({ before, start, us: wait });
    if (next) start = next.start_us + next.duration_us;
  }
  return { work, sends: bars.filter(({ lane }) => lane === "communication"), gaps, forward: forward_us, us };
}

/** Nothing in the layer waits for a weight gradient. */
export const isFree = ({ work }: LayerDay, piece: number): boolean => work[piece]!.pass === "weight_gradient";

/**
 * The position in the order from which the inputs of a weight gradient are there: where its matrix's input gradient
 * uses the same.
 */
function readyFrom({ work }: LayerDay, piece: number): number {
  const { operation } = work[piece]!;
  const source = work.findLastIndex(
    (one, index) => index < piece && one.pass === "input_gradient" && one.operation === operation,
  );
  return source < 0 ? piece : source + 1;
}

/** Whether a gap can be filled with a piece of work. */
export const mayFill = (day: LayerDay, piece: number, gap: number): boolean =>
  isFree(day, piece) && day.gaps[gap]!.before >= readyFrom(day, piece);

/** A day with some work moved: when each piece of work, each gap and each transfer begins, and how long compute still waits, us. */
export interface Arranged {
  work: number[];
  gaps: number[];
  sends: number[];
  /** What is left of each gap. */
  waits: number[];
  waiting: number;
  us: number;
}

export function arrange(day: LayerDay, moves: Moves): Arranged {
  const starts: number[] = [];
  const gaps: number[] = [];
  const waits: number[] = [];
  let clock = 0;
  for (let place = 0; place <= day.work.length; place++) {
    const gap = day.gaps.findIndex(({ before }) => before === place);
    if (gap >= 0) {
      let end = (gaps[gap] = clock);
      for (const [piece, to] of [...moves].sort(([a], [b]) => a - b)) {
        if (to !== gap) continue;
        starts[piece] = end;
        end += day.work[piece]!.duration_us;
      }
      waits[gap] = Math.max(0, clock + day.gaps[gap]!.us - end);
      clock = Math.max(end, clock + day.gaps[gap]!.us);
    }
    if (place === day.work.length || moves.has(place)) continue;
    starts[place] = clock;
    clock += day.work[place]!.duration_us;
  }
  // A transfer begins as long after the work or the gap in which it began as before.
  const sends = day.sends.map(({ start_us: start }) => {
    const gap = day.gaps.findIndex((one) => start >= one.start - negligible && start < one.start + one.us);
    if (gap >= 0) return gaps[gap]! + start - day.gaps[gap]!.start;
    const during = Math.max(
      0,
      day.work.findLastIndex((one) => one.start_us <= start),
    );
    return starts[during]! + start - day.work[during]!.start_us;
  });
  return { work: starts, gaps, sends, waits, waiting: waits.reduce((sum, wait) => sum + wait, 0), us: clock };
}

/** Of all ways to move free work into gaps, the one that waits least; among those, one that moves least. */
export function bestMoves(day: LayerDay): Moves {
  const free = day.work.flatMap((_, piece) => (isFree(day, piece) ? [piece] : []));
  let best: Moves = new Map();
  let { waiting } = arrange(day, best);
  const tryFrom = (index: number, moves: Moves): void => {
    const piece = free[index];
    if (piece === undefined) {
      const tried = arrange(day, moves).waiting;
      const gained = waiting - tried;
      if (gained < -negligible * day.us || (gained <= negligible * day.us && moves.size >= best.size)) return;
      [best, waiting] = [moves, tried];
      return;
    }
    tryFrom(index + 1, moves);
    day.gaps.forEach((_, gap) => {
      if (mayFill(day, piece, gap)) tryFrom(index + 1, new Map([...moves, [piece, gap]]));
    });
  };
  tryFrom(0, best);
  return best;
}
