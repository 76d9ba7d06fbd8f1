import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { exact, ms, significant } from "../../state/format.js";
import { between } from "../../state/step.js";
import { serversInWords, type Row } from "./answer.js";
import type { AtRate } from "./load-run.js";
import { firstTokenRange, stillWaiting } from "./percentiles-sentences.js";

const perSecond = (rate: number) => `${significant(rate, 3)} requests/s`;

/** The highest rate at which 99 of 100 requests are in time, and the figures at the rate asked for. */
export function loadLead(row: Row, rates: readonly AtRate[], knee: AtRate | undefined, own: number): TemplateResult {
  const asked = rates.find(({ rate }) => rate === own);
  const told = ({ results }: AtRate) =>
    `P99 TTFT ${ms(results.first_token.p99_ms)} (${firstTokenRange(results)(results.first_token.p99_low_ms, results.first_token.p99_high_ms)}), P99 TPOT ${ms(results.token.p99_ms)} (${between(results.token.p99_low_ms, results.token.p99_high_ms)})`;
  const most = knee
    ? html`${serversInWords(row)} takes about <b class="number" data-load="knee">${perSecond(knee.rate)}</b> with 99 of 100 requests in time: ${told(knee)}.`
    : html`Even at ${perSecond(rates[0]!.rate)}, one request in a hundred waits too long: ${told(rates[0]!)}.`;
  return html`<p data-load="lead">${most}${
    asked
      ? html` At your ${perSecond(asked.rate)}: ${asked.results.keeps_up ? told(asked) : stillWaiting(asked.results)}.`
      : nothing
  }</p>`;
}

/** TTFT from the lowest rate to the highest, and where the server stops keeping up. */
export function firstTokenOverRates(rates: readonly AtRate[]): string {
  const [low, high] = [rates[0]!, rates.at(-1)!];
  const after = (kept: (results: AtRate["results"]) => boolean) =>
    rates[rates.findLastIndex(({ results }) => kept(results)) + 1];
  const grows = after(({ keeps_up }) => keeps_up);
  const may = after(({ surely_keeps_up }) => surely_keeps_up);
  const certain = grows
    ? `From ${perSecond(grows.rate)} on, at least one request in twenty is still waiting when the last one arrives.`
    : "At each of these rates, fewer than one request in twenty are still waiting when the last one arrives.";
  const doubt =
    may && may !== grows
      ? ` With every step as long as its range allows, one in twenty would still be waiting from ${perSecond(may.rate)} on.`
      : "";
  return `P99 TTFT goes from ${ms(low.results.first_token.p99_ms)} at ${perSecond(low.rate)} to ${ms(high.results.first_token.p99_ms)} at ${significant(high.rate, 3)}. ${certain}${doubt}`;
}

/** TPOT from the lowest rate to the highest, and how many sequences share its steps. */
export function tokenOverRates(rates: readonly AtRate[]): string {
  const [low, high] = [rates[0]!, rates.at(-1)!];
  const running = ({ results }: AtRate) => significant(results.mean_sequences, 3);
  return `Median TPOT goes from ${ms(low.results.token.p50_ms)} at ${perSecond(low.rate)}, with ${running(low)} sequences sharing a step on average, to ${ms(high.results.token.p50_ms)} at ${significant(high.rate, 3)}, with ${running(high)}.`;
}

/** What runs at once at a rate, and what waits. */
export const queueAtRate = ({ rate, results }: AtRate): string =>
  `At ${perSecond(rate)}, ${significant(results.mean_sequences, 3)} sequences run at once on average, and ${significant(results.mean_waiting, 2)} requests wait.`;

/** What the median request waits for at a rate. */
export const waitedAtRate = ({ rate, results }: AtRate): string =>
  `At ${perSecond(rate)}, the median request has TTFT ${ms(results.first_token.p50_ms)} and TPOT ${ms(results.token.p50_ms)}.`;

/** The note that the cache filled up; nothing if it did not. */
export function evictedAtRate({ rate, results: { preemptions } }: AtRate): string {
  if (preemptions === 0) return "";
  const times = preemptions === 1 ? "once" : `${exact(preemptions)} times`;
  return `At ${perSecond(rate)} the KV cache fills up: ${times}, a sequence goes back to the queue and its tokens are computed again.`;
}

/** What the simulation is, and how far to trust it. */
export const loadNote =
  "Poisson arrivals, simulated on this page: continuous batching, first come, first served, each step as long as we predict for its batch and context. No stack publishes percentiles that we could check this against, so the ranges are wide (every step 20 % faster to 30 % slower, or more) and the tail depends on your own traffic.";
