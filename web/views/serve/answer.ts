import type { PlanServingResults, ServingStepResults } from "#engine";
import { along, type Compared, inverse, type Ranged, ranged } from "../../state/compared.js";
import { exact, gpus, ms, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { basisWords, between } from "../../state/step.js";
import { deploymentName } from "../../figures/deployment-name.js";

export type Row = PlanServingResults["deployments"][number];

/** What users may wait. */
export interface Targets {
  most_token_ms: number;
  most_first_token_ms: number;
}

/** "4 × TP 2", "TP 8". */
export const serversInWords = (row: Row): string =>
  `${row.replicas > 1 ? `${exact(row.replicas)} × ` : ""}${deploymentName(row)}`;

/** "TPOT within 50 ms and TTFT within 1 s", each at a percentile, "P99 ", if one is given; nothing without limits. */
export function targetsInWords({ most_token_ms, most_first_token_ms }: Targets, at = ""): string {
  const asked = [
    ...(most_token_ms > 0 ? [`${at}TPOT within ${ms(most_token_ms)}`] : []),
    ...(most_first_token_ms > 0 ? [`${at}TTFT within ${ms(most_first_token_ms)}`] : []),
  ];
  return asked.join(" and ");
}

/** Every row that serves as much as the best, within the difference between versions of a stack. */
export const withinError = ({ deployments }: PlanServingResults): readonly Row[] =>
  deployments.filter(({ verdict }) => verdict === "tie");

/** Whether memory alone allows one. */
export const anyFits = (deployments: readonly Row[]): boolean =>
  deployments.some(({ verdict }) => verdict !== "does_not_fit");

/** Why the closest row, which is the first, misses, and what would help. */
export function wayOut({ deployments: [closest] }: PlanServingResults, targets: Targets): string {
  if (!closest) return "The model's shape allows none.";
  const name = deploymentName(closest);
  switch (closest.verdict) {
    case "token_too_slow":
      return `${name} comes closest: ${ms(closest.token_ms)} per token with one sequence, ${ms(targets.most_token_ms)} allowed.`;
    case "first_token_too_slow":
      return `${name} comes closest: TTFT ${ms(closest.first_token_ms)}, ${ms(targets.most_first_token_ms)} allowed.`;
    default:
      return `${name} needs least memory: ${significant(closest.memory_gib, 3)} GiB on each GPU. Use more GPUs, or fewer bytes per weight.`;
  }
}

/** "49 ms (42–60 ms)". */
export const withBand = (time_ms: number, low_ms: number, high_ms: number): string =>
  `${ms(time_ms)} (${between(low_ms, high_ms)})`;

/** TPOT and TTFT with their bands, and what these rest on. */
export const latencyInWords = (row: Row): string =>
  `TPOT ${ms(row.token_ms)} (${between(row.token_low_ms, row.token_high_ms)}, ${basisWords[row.basis]}), TTFT ${ms(row.first_token_ms)} for a prompt alone (${between(row.first_token_low_ms, row.first_token_high_ms)})`;

/** The cost of a million output tokens if a GPU-hour has a price; otherwise nothing. */
export function priceOfMillion(row: Row, pricePerGpuHour: number): number | undefined {
  if (!(pricePerGpuHour > 0) || !(row.output_tokens_per_sec_per_gpu > 0)) return undefined;
  return (pricePerGpuHour * 1e6) / (row.output_tokens_per_sec_per_gpu * 3600);
}

/**
 * The compared figures of two answers, each with its scenario: throughput, both latencies, and the price if there is
 * one.
 */
export function comparedAnswers(now: readonly [Scenario, Row], then: readonly [Scenario, Row] | undefined): Compared[] {
  type One = readonly [Scenario, Row];
  const token = ([, row]: One) => ranged(row.token_ms, row.token_low_ms, row.token_high_ms);
  const first = ([, row]: One) => ranged(row.first_token_ms, row.first_token_low_ms, row.first_token_high_ms);
  // As for the GPUs that a rate needs: every step takes as long as its range allows.
  const rate = (name: "requests_per_sec" | "output_tokens_per_sec_per_gpu") => (one: One) =>
    inverse(one[1][name], token(one));
  const price = (one: One) => {
    const value = priceOfMillion(one[1], one[0].number("price_per_gpu_hour"));
    return value === undefined ? undefined : along(value, token(one));
  };
  const number = (value: number) => significant(value, 3);
  const row = (what: string, of: (one: One) => Ranged | undefined, format = number): Compared => ({
    ...{ what, format },
    ...{ now: of(now), then: then && of(then) },
  });
  return [
    row("Requests/s", rate("requests_per_sec")),
    row("Tokens/s/GPU", rate("output_tokens_per_sec_per_gpu")),
    row("TPOT", token, ms),
    row("TTFT, a prompt alone", first, ms),
    row("Price of a million output tokens", price),
  ];
}

/** The compared figures of two steps of a server. */
export function comparedServingSteps(
  sizes: Scenario["sizes"],
  now: ServingStepResults,
  then: ServingStepResults | undefined,
): Compared[] {
  type One = ServingStepResults;
  const time = (one: One) => ranged(one.step_time_ms, one.step_time_low_ms, one.step_time_high_ms);
  const first = (one: One) => ranged(one.first_token_ms, one.first_token_low_ms, one.first_token_high_ms);
  const row = (what: string, of: (one: One) => Ranged, format: Compared["format"]): Compared => ({
    ...{ what, format },
    ...{ now: of(now), then: then && of(then) },
  });
  const rate = (value: number) => significant(value, 3);
  return [
    row("Decode step", time, ms),
    row("TTFT", first, ms),
    row("Tokens/s per user", (one) => inverse(one.tokens_per_sec_per_user, time(one)), rate),
    row("Tokens/s/GPU", (one) => inverse(one.tokens_per_sec_per_gpu, time(one)), rate),
    row("Memory", ({ memory_gib }) => ({ value: memory_gib }), sizes.memory),
  ];
}

/** The deployment that serves the rate asked for on the fewest GPUs; of equals, the one that serves most. */
const smallest = (deployments: readonly Row[]): Row | undefined =>
  [...deployments]
    .filter(({ needed_gpus }) => needed_gpus > 0)
    .sort((one, other) => one.needed_gpus - other.needed_gpus)[0];

/**
 * How many GPUs a rate takes, and as which servers; nothing if no rate is asked for. `need`: "need", "need at least".
 */
export function neededInWords({ deployments }: PlanServingResults, rate: number, need: string): string {
  const row = smallest(deployments);
  if (!row || !(rate > 0)) return "";
  const servers = serversInWords({ ...row, replicas: row.needed_replicas });
  const doubt =
    row.needed_gpus_high > row.needed_gpus
      ? ` (${gpus(row.needed_gpus_high)} if every step takes as long as its range allows)`
      : "";
  return `Your ${significant(rate, 3)} requests/s ${need} ${gpus(row.needed_gpus)}, as ${servers}${doubt}.`;
}

/**
 * Servers that a launch starts: those that the rate asked for needs, as far as the GPUs hold them; without a rate, all.
 */
export const startedServers = ({ needed_replicas, replicas }: Row): number =>
  needed_replicas > 0 ? Math.min(needed_replicas, replicas) : replicas;

/** Which of the servers that fit on the GPUs a launch starts for a rate; nothing if no rate is asked for. */
export function startedInWords(row: Row, rate: number): string {
  const { needed_replicas: needed, needed_gpus, replicas, idle_gpus } = row;
  if (!(needed > 0) || !(rate > 0)) return "";
  const asked = `Your ${significant(rate, 3)} requests/s need`;
  const servers = (count: number) => (count === 1 ? "one server" : `${exact(count)} servers`);
  if (needed > replicas) return `${asked} ${servers(needed)}; your GPUs hold ${exact(replicas)}, which this starts.`;
  const free = idle_gpus + (needed_gpus / needed) * (replicas - needed);
  const left = free === 0 ? "" : `, and leaves ${gpus(free)} free`;
  return `${asked} ${servers(needed)}: this starts ${needed === 1 ? "it" : "them"}${left}.`;
}

/** Why a row is not the answer, compared with the best. */
export function whyNot(row: Row, best: Row, targets: Targets): string {
  const behind = 100 * (1 - row.requests_per_sec / best.requests_per_sec);
  return {
    best: "the answer",
    tie: `within error: ${behind < 0.5 ? "as many requests" : `${significant(behind, 1)} % fewer requests`}`,
    less_throughput: `${significant(behind, 2)} % fewer requests`,
    token_too_slow: `TPOT over ${ms(targets.most_token_ms)} even with one sequence`,
    first_token_too_slow: `TTFT over ${ms(targets.most_first_token_ms)}`,
    does_not_fit: "doesn’t fit",
  }[row.verdict];
}
