import type { PlanScalingResults } from "#engine";
import { exact, percent, significant } from "./format.js";
import { rounded } from "./step.js";

/** Sentences about a plan on other numbers of GPUs and other machines, which the page and the command share. */

type ScalingRow = PlanScalingResults["rows"][number];

/** "8 GPUs", "1 GPU". */
export const gpus = (count: number): string => `${exact(count)} GPU${count === 1 ? "" : "s"}`;

/** What each GPU added brings, of what each GPU before does. */
export const brings = ({ gain }: ScalingRow): string => percent(100 * gain.marginal_efficiency, 2);

/**
 * From where on an added GPU is worth less than half of one before it, in one sentence; with pins it is about the
 * layouts that have them.
 */
export function scalingSummary(rows: readonly ScalingRow[], pins: string): string {
  const fitting = rows.filter(({ possible }) => possible);
  const first = fitting[0];
  if (!first)
    return pins
      ? `No layout with ${pins} fits on any of these numbers of GPUs.`
      : "The model fits on none of these numbers of GPUs.";
  const start =
    first === rows[0]
      ? ""
      : `${pins ? `A layout with ${pins}` : "The model"} first fits on ${gpus(first.cluster_gpus)}. `;
  const stop = fitting.findIndex(({ gain }) => !gain.pays);
  if (fitting.length === 1) return `${start}There is no other number of GPUs to compare.`;
  if (stop < 0)
    return `${start}Up to ${gpus(fitting.at(-1)!.cluster_gpus)}, each GPU added is worth at least half of one before it.`;
  return `${start}Beyond ${gpus(fitting[stop - 1]!.cluster_gpus)}, each GPU added is worth less than half of one before it: ${brings(fitting[stop]!)} up to ${exact(fitting[stop]!.cluster_gpus)}.`;
}

/** A machine's name and the result for it. */
export interface MachineFound {
  name: string;
  possible: boolean;
  tie: boolean;
  worth: number;
  cost: number;
}

const times = (value: number) => `${significant(value, 3)} times`;

/** Which machine is worth most, and up to which price; which is cheapest where prices are given. The first is the reader's own. */
export function machinesSummary([own, ...others]: readonly MachineFound[]): string {
  if (!own?.possible) return "";
  const [best] = others.filter(({ possible }) => possible).sort((one, other) => other.worth - one.worth);
  const worth = !best
    ? ""
    : best.tie
      ? `${best.name}: within noise of yours.`
      : best.worth > 1
        ? `${best.name} pays as long as its GPU-hour costs less than ${times(best.worth)} yours.`
        : `${best.name} pays only if its GPU-hour costs less than ${times(best.worth)} yours.`;
  const [least, next] = [own, ...others].filter(({ cost }) => cost > 0).sort((one, other) => one.cost - other.cost);
  const price =
    least && next
      ? `Cheapest at these prices: ${least.name}, ${rounded(least.cost)} for the run; ${next.name} costs ${rounded(next.cost)}.`
      : "";
  return [worth, price].filter(Boolean).join(" ");
}
