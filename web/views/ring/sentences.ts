import type { CollectiveCostResults, CollectiveTimelineResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { choiceWord } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { withArticle } from "../../elements/prediction.js";
import { type Algorithm, type Collective, timeText } from "../../figures/collective-words.js";
import { capital, dashed, exact, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";

/** The sentences of Ring: tests/page/support/claims/collectives.mjs knows which claims in them must be true. */

/** Whether every GPU sends as much as every other one. */
const isEven = (algorithm: Algorithm, collective: Collective): boolean =>
  algorithm === "ring" && ["all_reduce", "all_gather", "reduce_scatter"].includes(collective);

/** The answer in one sentence. Latency is in its time, so it is ideal, not the line rate's. */
export function headline(
  scenario: Scenario,
  { algorithm, cost }: { algorithm: Algorithm; cost: CollectiveCostResults },
  inputs: Record<string, unknown>,
): TemplateResult {
  const ranks = inputs["ranks"] as number;
  const collective = inputs["collective"] as Collective;
  if (ranks === 1)
    return html`<p part="headline" class="headline">One GPU sends nothing: the ${dashed(collective)} takes no time.</p>`;
  const name = `${choiceWord(scenario, "algorithm", algorithm)} ${dashed(collective)}`;
  const time = html`<b class="number">${meaning(scenario, "collective_cost", "time_us", timeText(cost.time_us))}</b>`;
  const rounds = `${exact(cost.rounds)} ${cost.rounds === 1 ? "round" : "rounds"}`;
  if (collective === "barrier")
    return html`<p part="headline" class="headline">${capital(withArticle(name))} of ${exact(ranks)} GPUs ideally takes ${time}, ${rounds}, once the last GPU
      has arrived. No GPU leaves before.</p>`;
  const share = cost.sent_bytes_per_rank / (inputs["message_size_bytes"] as number);
  return html`<p part="headline" class="headline">${capital(withArticle(name))} of ${scenario.sizes.binaryBytes(inputs["message_size_bytes"] as number)} over ${exact(ranks)} GPUs ideally takes
    ${time}: ${rounds}, and ${isEven(algorithm, collective) ? "each GPU" : "the busiest GPU"} sends ${share === 1 ? "the message once" : `${significant(share, 3)} times the message`}.</p>`;
}

/** When the first and the last GPU are done, if some are late. */
export function clockSummary(
  collective: Collective,
  { ready_us, last_arrival_us, first_leave_us, last_leave_us }: CollectiveTimelineResults,
): string {
  if (ready_us.length === 1) return "With one GPU there is nothing to wait for.";
  const [arrival, first, last] = [last_arrival_us, first_leave_us, last_leave_us].map((at) => timeText(at));
  if (collective === "barrier") return `The last GPU arrives at ${arrival}; the first leaves at ${first}, after it.`;
  return first_leave_us >= last_arrival_us
    ? `No GPU is done before the last has arrived at ${arrival}: the first is done at ${first}, the last at ${last}.`
    : `The first GPU is done at ${first}, before the last arrives at ${arrival}; the last is done at ${last}.`;
}
