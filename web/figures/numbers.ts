import type { Cell, Replay } from "./replay.js";

/** The numbers used to play a schedule, and the colours of their origins. */

/** The ranks whose contributions are in a cell. */
export function originsIn(parts: number, ranks: number): number[] {
  return Array.from({ length: ranks }, (_, rank) => rank).filter((rank) => parts & (1 << rank));
}

/** Whether one rank has everything at first: then chunks differ in colour rather than ranks. */
export const fromRoot = ({ schedule }: Replay): boolean =>
  schedule.chunks_at_start.filter((chunks) => chunks.length > 0).length === 1;

/** Up to this many ranks, powers are small enough to write. */
const mostPowers = 5;

/** Whether ranks contribute powers, as in the Playbook's reduce-scatter. */
export const givesPowers = (replay: Replay, collective: string): boolean =>
  collective === "reduce_scatter" && replay.ranks <= mostPowers;

/** A rank's contribution to a chunk: the numbers that the Ultra-Scale Playbook prints for each collective. */
function given(replay: Replay, collective: string, origin: number, chunk: number): number {
  if (givesPowers(replay, collective)) return (origin + 1) ** (chunk + 1);
  return fromRoot(replay) ? chunk + 1 : origin + 1;
}

/** The addends in a cell; one if nothing is added up. */
export function addends(replay: Replay, collective: string, { chunk, parts }: Cell): number[] {
  return originsIn(parts, replay.ranks).map((origin) => given(replay, collective, origin, chunk));
}

/** The sum that a cell holds. */
export const numberIn = (replay: Replay, collective: string, cell: Cell): number =>
  addends(replay, collective, cell).reduce((sum, addend) => sum + addend, 0);
