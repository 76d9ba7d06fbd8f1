import type { PredictCollectiveResults } from "#engine";
import type { TemplateResult } from "lit";
import { atLineRate } from "../../figures/network-curve.js";
import { html } from "../../elements/html.js";
import { meaning } from "../../elements/meaning.js";
import { trust, why, withArticle } from "../../elements/prediction.js";
import { capital, exact, significant, us } from "../../state/format.js";
import { comparable, type Measured, nodesInWords } from "../../state/machine.js";
import type { Scenario } from "../../state/scenario.js";
import { between } from "../../state/step.js";

/** The sentences of Network: tests/page/support/claims/collectives.mjs knows which claims in them must be true. */

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
  const lineRate = atLineRate(inputs["collective"]);
  const size =
    inputs["collective"] === "barrier"
      ? ""
      : ` of ${scenario.sizes.binaryBytes(inputs["message_size_bytes"] as number)}`;
  return html`<p part="headline" class="headline">${what}${size} over ${exact(gpus)} GPUs of
    ${nodesInWords(scenario, results.nodes)} takes about <b class="number">${meaning(scenario, calculation, "time_us", us(results.time_us))}</b>
    (${between(results.low_us / 1e3, results.high_us / 1e3)})${
      results.textbook_us > 0
        ? html`. ${capital(lineRate)}${lineRate === "at line rate" ? " it" : ""} would take <span class="number">${meaning(scenario, calculation, "textbook_us", us(results.textbook_us))}</span>`
        : ""
    }.</p>`;
}

/** Why it takes so long, and how well that is known. */
export const reasons = (scenario: Scenario, results: PredictCollectiveResults): TemplateResult =>
  html`<p class="under">${why(scenario, results)}. <span class="soft">${trust(results)}</span></p>`;

/** How many nodes, pods and superpods the ranks span, and what that leaves of a network card. */
export function placeSummary(results: PredictCollectiveResults, gpus: number): string {
  const { nodes, topology, ranks_in_pod, ranks_in_superpod, spine_share_percent } = results;
  const ranks = exact(gpus);
  if (nodes === 1)
    return `All ${ranks} GPUs are in one ${topology === "torus" ? "slice of a torus" : "node"}: the collective doesn’t leave it.`;
  const of = (below: number) => (below > 0 ? Math.ceil(gpus / below) : 1);
  const [pods, superpods] = [of(ranks_in_pod), of(ranks_in_superpod)];
  if (ranks_in_pod === 0 && ranks_in_superpod === 0)
    return `The ${ranks} GPUs are in ${exact(nodes)} nodes. No pods are given, so they reach each other at their cards’ full rate.`;
  if (pods === 1 && superpods === 1)
    return ranks_in_pod > 0
      ? `All ${ranks} GPUs are in one pod: the collective doesn’t cross the spine.`
      : `All ${ranks} GPUs are in one superpod: the collective doesn’t cross the core.`;
  const places = [
    ...(pods > 1 ? [`${exact(pods)} pods, ${exact(ranks_in_pod)} in each`] : []),
    ...(superpods > 1 ? [`${exact(superpods)} superpods`] : []),
  ].join(", and in ");
  const crossed = superpods === 1 ? "the spine" : ranks_in_pod > 0 ? "spine and core" : "the core";
  return `The ${ranks} GPUs are in ${places}, so the collective crosses ${crossed}. While every group of this kind sends, ${crossed === "spine and core" ? "they leave" : "it leaves"} each network card ${significant(spine_share_percent, 3)} % of its rate.`;
}

/** Times of comparable runs at a size, us. */
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

/** The number of those runs. */
export const runsAt = (times: readonly number[]): string =>
  times.length === 0
    ? "none at this size"
    : `${exact(times.length)} ${times.length === 1 ? "run" : "runs"} at this size`;
