import type { CollectiveCatalogResults, CollectiveCrossoversResults } from "#engine";
import { binaryBytes, capital, us } from "../state/format.js";

type Method = CollectiveCatalogResults["methods"][number];
export type Collective = Method["collective"];
export type Algorithm = Method["algorithm"];

/** Algorithms as a sentence names them. */
export const algorithmWords: Record<Algorithm, string> = {
  ring: "ring",
  recursive_doubling: "recursive doubling",
  recursive_halving: "recursive halving",
  rabenseifner: "Rabenseifner",
  binomial_tree: "binomial tree",
  double_binary_tree: "double binary tree",
  bruck: "Bruck",
  pairwise: "pairwise",
  direct: "direct (one shot)",
  two_shot: "two-shot",
  scatter_all_gather: "scatter + all-gather",
  dissemination: "dissemination",
  two_level: "two-level",
  torus_2d: "2D torus",
  in_network: "in-network",
};

/** Collectives as a sentence names them. */
export const collectiveWords: Record<Collective, string> = {
  all_reduce: "all-reduce",
  all_gather: "all-gather",
  reduce_scatter: "reduce-scatter",
  broadcast: "broadcast",
  reduce: "reduce",
  gather: "gather",
  scatter: "scatter",
  all_to_all: "all-to-all",
  send_receive: "send-receive",
  barrier: "barrier",
};

/** What happens in a phase. */
const phaseWords: Record<string, string> = {
  reduce_scatter: "reduce-scatter",
  all_gather: "all-gather",
  reduce_scatter_inside: "reduce-scatter within groups",
  reduce_scatter_across: "reduce-scatter across groups",
  all_gather_across: "all-gather across groups",
  all_gather_inside: "all-gather within groups",
  all_to_all: "all-to-all",
  all_reduce: "all-reduce",
  send_receive: "send-receive",
};

export const phaseName = (phase: string): string => phaseWords[phase] ?? phase;

/** A time of a schedule, us, in the unit that suits it; at the start a bare 0. */
export const timeText = (value: number, digits = 4): string => (value === 0 ? "0" : us(value, digits));

/** A size that a crossover gives, in as many digits as matter. */
const size = (bytes: number): string => binaryBytes(bytes, 3);

/** Which of two algorithms is quicker, and below which size. */
export function crossoverSentence(
  first: Algorithm,
  second: Algorithm,
  { crossovers }: CollectiveCrossoversResults,
): string | undefined {
  const between = crossovers.filter(
    (row) =>
      [row.quicker_below, row.quicker_above].includes(first) && [row.quicker_below, row.quicker_above].includes(second),
  );
  if (between.length === 0) return undefined;
  return between
    .map(
      (row) =>
        `${capital(algorithmWords[row.quicker_below])} is quicker than ${algorithmWords[row.quicker_above]} below ${size(row.message_size_bytes)}.`,
    )
    .join(" ");
}

/** Which algorithm is quickest at which sizes. */
export function quickestSentence({ quickest }: CollectiveCrossoversResults): string {
  if (quickest.length === 1) return `${capital(algorithmWords[quickest[0]!.algorithm])} is quickest at every size.`;
  const parts = quickest.map((row, index) => {
    const name = algorithmWords[row.algorithm];
    return index < quickest.length - 1 ? `${name} up to ${size(row.to_bytes)}` : `${name} above`;
  });
  return `Quickest: ${parts.join(", ")}.`;
}
