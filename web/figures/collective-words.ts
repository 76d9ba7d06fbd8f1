import type { CollectiveCatalogResults, CollectiveCrossoversResults } from "#engine";
import { capital, us } from "../state/format.js";

type Method = CollectiveCatalogResults["methods"][number];
export type Collective = Method["collective"];
export type Algorithm = Method["algorithm"];

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

/** Names of algorithms in sentences about crossovers, and sizes in as many digits as matter. */
interface CrossoverWords {
  algorithm: (name: Algorithm) => string;
  size: (bytes: number) => string;
}

/** Which of two algorithms is faster, and below which size. */
export function crossoverSentence(
  first: Algorithm,
  second: Algorithm,
  { crossovers }: CollectiveCrossoversResults,
  words: CrossoverWords,
): string | undefined {
  const between = crossovers.filter(
    (row) =>
      [row.quicker_below, row.quicker_above].includes(first) && [row.quicker_below, row.quicker_above].includes(second),
  );
  if (between.length === 0) return undefined;
  return between
    .map(
      (row) =>
        `${capital(words.algorithm(row.quicker_below))} is faster than ${words.algorithm(row.quicker_above)} below ${words.size(row.message_size_bytes)}.`,
    )
    .join(" ");
}

/** Which algorithm is fastest at which sizes. */
export function quickestSentence({ quickest }: CollectiveCrossoversResults, words: CrossoverWords): string {
  if (quickest.length === 1) return `${capital(words.algorithm(quickest[0]!.algorithm))} is fastest at every size.`;
  const parts = quickest.map((row, index) => {
    const name = words.algorithm(row.algorithm);
    return index < quickest.length - 1 ? `${name} up to ${words.size(row.to_bytes)}` : `${name} above`;
  });
  return `Fastest: ${parts.join(", ")}.`;
}
