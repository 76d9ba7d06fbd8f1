import { html, nothing, type TemplateResult } from "lit";
import { milliseconds, significant } from "../../state/format.js";
import { between } from "../../state/step.js";
import { serversInWords, type Row } from "./answer.js";
import type { AtRate } from "./load-run.js";

const ms = (value: number) => milliseconds(value, 3);

/** The highest rate at which 99 of 100 requests are in time, and what is seen at the rate that was asked for. */
export function loadLead(row: Row, rates: readonly AtRate[], knee: AtRate | undefined, own: number): TemplateResult {
  const asked = rates.find(({ rate }) => rate === own);
  const told = ({ results }: AtRate) =>
    `P99 TTFT ${ms(results.first_token.p99_ms)} (${between(results.first_token.p99_low_ms, results.first_token.p99_high_ms)}), P99 TPOT ${ms(results.token.p99_ms)} (${between(results.token.p99_low_ms, results.token.p99_high_ms)})`;
  const most = knee
    ? html`${serversInWords(row)} takes about <b class="number" data-load="knee">${significant(knee.rate, 3)} requests/s</b> with 99 of 100 requests in time: ${told(knee)}.`
    : html`Even at ${significant(rates[0]!.rate, 2)} requests/s, one request in a hundred waits too long: ${told(rates[0]!)}.`;
  return html`<p data-load="lead">${most}${
    asked
      ? html` At your ${significant(asked.rate, 3)} requests/s: ${asked.results.keeps_up ? told(asked) : "the queue only grows"}.`
      : nothing
  }</p>`;
}
