import type { PlanGoodputInputs, PlanGoodputResults } from "#engine";
import { exact, ms, significant } from "../../state/format.js";
import { type Row, type Targets, targetsInWords, wayOut, whyNot, withBand } from "./answer.js";
import { type Column, neededColumns, stepColumn } from "./deployment.js";
import { deploymentName } from "../../figures/deployment-name.js";
import type { AnswerWords } from "./sentences.js";

/** The percentile of requests that the limits apply to. */
export type Percentile = NonNullable<PlanGoodputInputs["latency_percentile"]>;
type Load = PlanGoodputResults["loads"][number];

/** "P99". */
const percentileName = (percentile: Percentile): string => percentile.toUpperCase();

/** The percentiles that are reported: the median, the one asked for, and the furthest. */
const told = (percentile: Percentile): readonly Percentile[] => [...new Set(["p50", percentile, "p99"] as const)];

const loadOf = ({ deployments, loads }: PlanGoodputResults, row: Row): Load => loads[deployments.indexOf(row)]!;

type Time = "token" | "first_token";

/** A percentile of a row's requests: "260 ms (210–350 ms)". P90 and P95 have a band only if asked for. */
function timeInWords(plan: PlanGoodputResults, row: Row, of: Time, percentile: Percentile): string {
  const times = loadOf(plan, row)[of];
  const asked = [row[`${of}_low_ms`], row[`${of}_high_ms`]] as const;
  const ranges = {
    p50: [times.p50_low_ms, times.p50_high_ms],
    p90: asked,
    p95: asked,
    p99: [times.p99_low_ms, times.p99_high_ms],
  } as const;
  return withBand(times[`${percentile}_ms`], ...ranges[percentile]);
}

/** Which deployment comes closest if no rate keeps the limits. */
function closestInWords(plan: PlanGoodputResults, targets: Targets, percentile: Percentile): string {
  const simulated = (verdict: Row["verdict"]) =>
    plan.deployments.find((row) => row.verdict === verdict && loadOf(plan, row).simulated);
  const says = (row: Row, name: string, at: number, allowed: number) =>
    `${deploymentName(row)} comes closest: ${percentileName(percentile)} ${name} ${ms(at)} at the lowest rate tried, ${ms(allowed)} allowed.`;
  const token = simulated("token_too_slow");
  if (token) return says(token, "TPOT", token.token_ms, targets.most_token_ms);
  const first = simulated("first_token_too_slow");
  if (first) return says(first, "TTFT", first.first_token_ms, targets.most_first_token_ms);
  return wayOut(plan, targets);
}

/** The answer's sentences if limits hold at a percentile. */
export const goodputWords = (plan: PlanGoodputResults, targets: Targets, percentile: Percentile): AnswerWords => ({
  within: targetsInWords(targets, `${percentileName(percentile)} `),
  closest: closestInWords(plan, targets, percentile),
  latency: (best) => {
    const times = (of: Time) =>
      told(percentile)
        .map((one) => `${timeInWords(plan, best, of, one)} at ${percentileName(one)}`)
        .join(", ");
    const tokens = loadOf(plan, best).token.p50_ms > 0 ? `; TPOT ${times("token")}` : "";
    return `At this rate: TTFT ${times("first_token")}${tokens}`;
  },
  arrivals: "with Poisson arrivals, simulated",
  need: "need",
});

/** Why a row is not the answer under load. */
export function whyNotUnderLoad(plan: PlanGoodputResults, row: Row, targets: Targets, percentile: Percentile): string {
  const { simulated, capacity_per_sec } = loadOf(plan, row);
  const at = percentileName(percentile);
  if (row.verdict === "less_throughput" && !simulated)
    return `not simulated: at most ${significant(capacity_per_sec, 3)} requests/s without a queue`;
  if (row.verdict === "token_too_slow" && simulated)
    return `${at} TPOT over ${ms(targets.most_token_ms)} even at the lowest rate tried`;
  if (row.verdict === "first_token_too_slow" && simulated)
    return `${at} TTFT over ${ms(targets.most_first_token_ms)} even at the lowest rate tried`;
  return whyNot(row, plan.deployments[0]!, targets);
}

/** Figures of a row under load; a dash if it was not simulated. */
export function loadColumns(plan: PlanGoodputResults, percentile: Percentile): readonly Column[] {
  const served = (told: (row: Row) => string) => (row: Row) =>
    loadOf(plan, row).simulated && row.requests_per_sec > 0 ? told(row) : "–";
  const times = (name: string, of: Time) =>
    told(percentile).map(
      (one): Column => [
        `loads.${of}.${one}_ms`,
        `${percentileName(one)} ${name}`,
        (row) => (loadOf(plan, row).simulated ? timeInWords(plan, row, of, one) : "–"),
      ],
    );
  return [
    ["deployments.replicas", "replicas", ({ replicas }) => exact(replicas)],
    ["deployments.batch_size", "batch", ({ batch_size }) => exact(batch_size)],
    stepColumn,
    ["deployments.requests_per_sec", "requests/s", served((row) => significant(row.requests_per_sec, 3))],
    [
      "deployments.output_tokens_per_sec_per_gpu",
      "tokens/s/GPU",
      served((row) => significant(row.output_tokens_per_sec_per_gpu, 3)),
    ],
    ...times("TPOT", "token"),
    ...times("TTFT", "first_token"),
    ["deployments.memory_gib", "memory", ({ memory_gib }, sizes) => sizes.memory(memory_gib)],
    ...neededColumns(plan.deployments),
  ];
}
