import type { ServingLoadResults } from "#engine";
import { ms, percent, significant } from "../../state/format.js";
import { between } from "../../state/step.js";
import type { Row, Targets } from "./answer.js";

/** The load at which the answer's percentiles are reported. */
export interface AnswerLoad {
  requests_per_sec: number;
  max_concurrency: number;
  /** Whether the rate is only most of the servers' capacity, however much that is. */
  rate_follows_steps: boolean;
}

/** No server is run at full capacity: queues would only grow. */
const usual = 0.8;

/** The rate asked for, otherwise most of the answer's capacity. */
export const answerLoad = (row: Row, rate: number): AnswerLoad => ({
  requests_per_sec: rate > 0 ? rate : Number((usual * row.requests_per_sec).toPrecision(3)),
  max_concurrency: 0,
  rate_follows_steps: !(rate > 0),
});

/** "TTFT 98 ms (80–130 ms) at P50, 260 ms (210–350 ms) at P99". */
const told = (
  name: string,
  { p50_ms, p50_low_ms, p50_high_ms, p99_ms, p99_low_ms, p99_high_ms }: ServingLoadResults["token"],
  range = between,
) =>
  `${name} ${ms(p50_ms)} (${range(p50_low_ms, p50_high_ms)}) at P50, ${ms(p99_ms)} (${range(p99_low_ms, p99_high_ms)}) at P99`;

/** The range of a TTFT; if a queue may grow, its upper end only depends on how long it was watched. */
export const firstTokenRange = ({ surely_keeps_up }: ServingLoadResults): typeof between =>
  surely_keeps_up ? between : (low_ms) => `${ms(low_ms)} or more`;

/** Which limits the slowest miss, although the answer without a queue keeps them. */
function missedInWords({ first_token, token }: ServingLoadResults, limits: Targets): string {
  const missed = [
    ...(limits.most_first_token_ms > 0 && first_token.p99_ms > limits.most_first_token_ms ? ["TTFT"] : []),
    ...(limits.most_token_ms > 0 && token.p99_ms > limits.most_token_ms ? ["TPOT"] : []),
  ];
  return missed.length > 0 ? ` More than one request in a hundred misses your limit for ${missed.join(" and ")}.` : "";
}

const mayFallBehind =
  "If every step took as long as its range allows, at least one request in twenty would still wait when the last one arrives.";

/** A smaller share still waiting, percent, is not mentioned: some requests always wait. */
const noticed = 1;

/** "4.2 % of the requests still wait when the last one arrives". */
export const stillWaiting = ({ left_waiting_percent }: ServingLoadResults): string =>
  `${percent(left_waiting_percent, 2)} of the requests still wait when the last one arrives`;

/** What users of the answer wait at that load, next to the limits. */
export function percentilesInWords(
  { requests_per_sec, rate_follows_steps }: AnswerLoad,
  results: ServingLoadResults,
  limits: Targets,
): string {
  const { first_token, token, keeps_up, surely_keeps_up } = results;
  const asked = !rate_follows_steps;
  const rate = `${significant(requests_per_sec, 3)} requests/s`;
  if (!keeps_up)
    return asked
      ? `It can’t keep up with your ${rate}: ${stillWaiting(results)}.`
      : `It can’t keep up with ${rate}, 80 % of what it serves: ${stillWaiting(results)}.`;
  const tokens = token.p50_ms > 0 ? `; ${told("TPOT", token)}` : "";
  const load = asked ? `your ${rate}` : `${rate}, 80 % of what it serves`;
  const doubt = surely_keeps_up ? "" : ` ${mayFallBehind}`;
  return `At ${load}: ${told("TTFT", first_token, firstTokenRange(results))}${tokens}.${results.left_waiting_percent >= noticed ? ` ${stillWaiting(results)}.` : ""}${doubt}${missedInWords(results, limits)}`;
}
