import type { DataOrTensorResults, ProjectScalingResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { exact, percent, significant } from "../../state/format.js";
import { claimedPercent, type Judged, squaredError, untouchedError } from "./judged.js";

/** A share of one. */
export const share = (value: number): string => percent(100 * value);

/** "2.5 times"; nothing for once. */
function times(value: number): string {
  const written = significant(value, 4);
  return written === "1" ? "" : `${written} times `;
}

/** How far projections are from measurements, and whether the slides' claim holds. */
export function projectionHeadline(rows: readonly Judged[]): TemplateResult {
  const error = squaredError(rows, "projected");
  return html`<p part="headline" class="headline">Projected from a few GPUs to many, throughput is off by a mean squared error of
    <b class="number" data-result="squared_error">${significant(error, 2)} %</b> over ${rows.length} measured runs: the claim of
    less than ${claimedPercent} % <b class=${error < claimedPercent ? "good" : "bad"} data-fact="claim">${error < claimedPercent ? "holds" : "does not hold"}</b>.</p>`;
}

/** The same by where the few GPUs are, and what else would have been said of them. */
export function projectionUnder(rows: readonly Judged[]): TemplateResult {
  const part = (several: boolean) => {
    const of = rows.filter((row) => row.several === several);
    return `${significant(squaredError(of, "projected"), 2)} % over ${of.length} runs from ${several ? "several nodes" : "one node"}`;
  };
  return html`<p class="under">${part(false)}, ${part(true)}. Predicting each step by itself gives ${significant(squaredError(rows, "predicted"), 2)} %,
    and assuming that GPUs lose nothing ${significant(untouchedError(rows), 2)} %${untouchedError(rows) < claimedPercent ? ": the claim is easily met, since most published runs lose little" : ""}.
    <span class="soft">Publishers don’t say how a step divides into compute and communication, so those shares are our model’s.</span></p>`;
}

/** A GPU's remaining throughput elsewhere. */
export const scalingHeadline = (results: ProjectScalingResults): TemplateResult =>
  html`<p part="headline" class="headline">Communication takes <b class="number">${significant(results.communication_time_ratio, 4)}×</b> as long: each GPU
    keeps ${share(results.speedup)} of its throughput and ${
      results.throughput_loss_percent < 0
        ? html`gains <b class="number" data-result="throughput_loss_percent">${significant(-results.throughput_loss_percent, 4)} %</b>`
        : html`loses <b class="number" data-result="throughput_loss_percent">${significant(results.throughput_loss_percent, 4)} %</b>`
    }${
      results.throughput_ratio > 0 ? html`; all GPUs together do ${times(results.throughput_ratio)}as much` : nothing
    }.</p>`;

/** What is left where the network is half as efficient as where the step was measured. */
export const atHalf = (speedup: number): string =>
  `At half the efficiency a GPU keeps ${share(speedup)} of its throughput.`;

/** Which of the two sends less, in a sentence that holds for these numbers. */
export function dataOrTensorWords(results: DataOrTensorResults, gpus: number): TemplateResult {
  const { ratio, printed_ratio, step_tokens, even_tokens } = results;
  const times = significant(ratio > 1 ? ratio : 1 / ratio, 3);
  const verdict =
    ratio > 1
      ? html`DP sends less: for each layer TP moves <b class="number" data-result="data_or_tensor">${times} times</b> as much`
      : ratio < 1
        ? html`TP sends less: for each layer DP moves <b class="number" data-result="data_or_tensor">${times} times</b> as much`
        : html`TP and DP send the same for each layer`;
  return html`<p>Over ${exact(gpus)} GPUs, ${verdict}. A step of ${exact(step_tokens)} tokens is ${ratio > 1 ? "above" : ratio < 1 ? "below" : "exactly"} the
    ${exact(Math.round(even_tokens))} at which both send the same. The rule’s short form, T/(3h), gives ${significant(printed_ratio, 3)}: it counts layers of 12h² parameters and no recomputation.</p>`;
}
