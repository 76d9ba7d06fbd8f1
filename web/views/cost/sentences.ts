import type { PredictCollectiveResults, TensorParallelAllreduceCostResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { saidProblem } from "../../elements/problem-words.js";
import { meaning } from "../../elements/meaning.js";
import { bandwidth, exact, milliseconds, us } from "../../state/format.js";
import { comparable, linkRate, measuredAlike, nodesInWords } from "../../state/machine.js";
import { ownCurveOf, ownTimeUs } from "../../state/own-log.js";
import { callsOf, type Expectation } from "../../state/expectation.js";
import type { Scenario } from "../../state/scenario.js";
import { between } from "../../state/step.js";
import { why } from "../../elements/prediction.js";
import { opening } from "../../elements/view-link.js";

/** The sentences of Cost: tests/page/support/claims/cost.mjs knows which claims in them must be true. */

const calculation = "tensor_parallel_allreduce_cost";

/** The answer in one sentence. */
export function headline(
  scenario: Scenario,
  inputs: Record<string, number>,
  results: TensorParallelAllreduceCostResults,
  expected: Expectation | undefined,
): TemplateResult {
  if (inputs["num_gpus"] === 1)
    return html`<p part="headline" class="headline">One GPU sends nothing: no tensor parallelism, no communication.</p>`;
  const formula = html`<span class="number">${meaning(scenario, calculation, "total_comm_time_ms", milliseconds(results.total_comm_time_ms))}</span>`;
  if (!expected?.results)
    return html`<p part="headline" class="headline">By the textbook formula, tensor parallelism adds ${formula} to a forward pass.</p>`;
  const { total_ms, total_low_ms, total_high_ms, nodes } = expected.results;
  return html`<p part="headline" class="headline">On ${nodesInWords(scenario, nodes)}, tensor parallelism adds about
    <b class="number">${milliseconds(total_ms, 2)}</b> (${between(total_low_ms, total_high_ms, 2)}) to a forward pass. The textbook formula gives ${formula}.</p>`;
}

function measuredThere(scenario: Scenario, results: PredictCollectiveResults, gpus: number, message: number): string {
  const times = measuredAlike(scenario, "all_reduce", gpus, results)
    .filter((series) => comparable(series, results))
    .flatMap((series) => {
      const index = [...series.message_size_bytes].indexOf(message);
      return index < 0 ? [] : [series.time_us[index]!];
    });
  if (times.length === 0) return "";
  const [least, most] = [us(Math.min(...times)), us(Math.max(...times))];
  return ` (published measurements of ${scenario.sizes.binaryBytes(message)} there: ${least === most ? least : `${least} to ${most}`})`;
}

/** Why it takes as long as it does, if that was measured, and which rate the textbook formula uses. */
export function reasons(
  scenario: Scenario,
  inputs: Record<string, number>,
  { message_size_bytes: message, total_comm_volume_bytes: sent }: TensorParallelAllreduceCostResults,
  expected: Expectation | undefined,
): TemplateResult | typeof nothing {
  if (!expected) return nothing;
  const { results, problems } = expected;
  if (!results)
    return html`<p class="under soft">Can’t predict this on real hardware: ${saidProblem(scenario, problems[0]!.message)}.</p>`;
  const link = linkRate(scenario);
  const typed = inputs["bandwidth_gb_per_sec"]!;
  const calls = callsOf(inputs);
  const mine = ownCurveOf(scenario, "all_reduce", inputs["num_gpus"]!);
  const own = mine && ownTimeUs(mine, message);
  return html`<p class="under" data-expected>Each of ${exact(inputs["num_gpus"]!)} GPUs sends
    <b class="number">${meaning(scenario, "tensor_parallel_allreduce_cost", "total_comm_volume_bytes", scenario.sizes.bytes(sent))}</b> in ${exact(calls)} all-reduce${calls === 1 ? "" : "s"}. ${
      link !== undefined && typed !== link
        ? `The formula takes the ${bandwidth(typed)} given as link bandwidth; the prediction takes the machine’s own links of ${bandwidth(link)}`
        : why(scenario, results)
    }${measuredThere(scenario, results, inputs["num_gpus"]!, message)}. ${
      own === undefined
        ? nothing
        : html`<span data-own>Your log has ${us(own)} a call, ${us(own * calls, 2)} in all.</span> `
    }${
      scenario.alone
        ? nothing
        : html`<a href="#view=network" @click=${opening("network")} class="no-print">Every size, with measurements</a>`
    }</p>`;
}
