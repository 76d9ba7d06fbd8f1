import type { PredictCollectiveResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { meaning } from "../../elements/meaning.js";
import { trust, why, withArticle } from "../../elements/prediction.js";
import { capital, exact, us } from "../../state/format.js";
import { comparable, type Measured, nodesInWords } from "../../state/machine.js";
import type { Scenario } from "../../state/scenario.js";
import { between } from "../../state/step.js";

/** What Network says of one collective: tests/page/support/claims/collectives.mjs knows what of it has to be true. */

const calculation = "predict_collective";

/** The answer in one sentence. */
export function headline(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  results: PredictCollectiveResults,
): TemplateResult {
  const gpus = inputs["num_gpus"] as number;
  if (gpus === 1)
    return html`<p part="headline" class="headline">One GPU sends nothing, so its collectives take no time.</p>`;
  const what = capital(withArticle(inputs["collective"] as string));
  const size =
    inputs["collective"] === "barrier"
      ? ""
      : ` of ${scenario.sizes.binaryBytes(inputs["message_size_bytes"] as number)}`;
  return html`<p part="headline" class="headline">${what}${size} over ${exact(gpus)} GPUs of
    ${nodesInWords(scenario, results.nodes)} takes about <b class="number">${meaning(scenario, calculation, "time_us", us(results.time_us))}</b>
    (${between(results.low_us / 1e3, results.high_us / 1e3)})${
      results.textbook_us > 0
        ? html`. At line rate it would take <span class="number">${meaning(scenario, calculation, "textbook_us", us(results.textbook_us))}</span>`
        : ""
    }.</p>`;
}

/** Why it takes so long, and how well that is known. */
export const reasons = (scenario: Scenario, results: PredictCollectiveResults): TemplateResult =>
  html`<p class="under">${why(scenario, results)}. <span class="soft">${trust(results)}</span></p>`;

/** What comparable runs took at a size, us. */
export const measuredAt = (
  measured: readonly Measured[],
  results: PredictCollectiveResults,
  size: number,
): readonly number[] =>
  measured
    .filter((series) => comparable(series, results))
    .flatMap((series) => {
      const index = [...series.message_size_bytes].indexOf(size);
      return index < 0 ? [] : [series.time_us[index]!];
    });

/** How many runs those are. */
export const runsAt = (times: readonly number[]): string =>
  times.length === 0
    ? "none at this size"
    : `${exact(times.length)} ${times.length === 1 ? "run" : "runs"} at this size`;
