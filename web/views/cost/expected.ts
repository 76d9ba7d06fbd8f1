import type { PredictCollectiveResults, TensorParallelAllreduceCostResults } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { saidProblem } from "../../elements/problem-words.js";
import { meaning } from "../../elements/meaning.js";
import { bandwidth, exact, milliseconds, us } from "../../state/format.js";
import { comparable, linkRate, measuredAlike } from "../../state/machine.js";
import { ownCurveOf, ownTimeUs } from "../../state/own-log.js";
import { callsOf, type Expectation } from "../../state/expectation.js";
import type { Scenario } from "../../state/scenario.js";
import { why } from "../../elements/prediction.js";

function measuredThere(scenario: Scenario, results: PredictCollectiveResults, gpus: number, message: number): string {
  const times = measuredAlike(scenario, "all_reduce", gpus, results)
    .filter((series) => comparable(series, results))
    .flatMap((series) => {
      const index = [...series.message_size_bytes].indexOf(message);
      return index < 0 ? [] : [series.time_us[index]!];
    });
  if (times.length === 0) return "";
  const [least, most] = [us(Math.min(...times)), us(Math.max(...times))];
  return ` (${scenario.sizes.binaryBytes(message)} was measured there at ${least === most ? least : `${least} to ${most}`})`;
}

/** Why it takes as long as it does, where that was measured, and which rate the textbook's time stands on. */
export function expectedLine(
  scenario: Scenario,
  inputs: Record<string, number>,
  { message_size_bytes: message, total_comm_volume_bytes: sent }: TensorParallelAllreduceCostResults,
  expected: Expectation | undefined,
): TemplateResult | typeof nothing {
  if (!expected) return nothing;
  const { results, problems } = expected;
  if (!results)
    return html`<p class="under soft">What to expect on real hardware cannot be said: ${saidProblem(scenario, problems[0]!.message)}.</p>`;
  const link = linkRate(scenario);
  const typed = inputs["bandwidth_gb_per_sec"]!;
  const calls = callsOf(inputs);
  const mine = ownCurveOf(scenario, "all_reduce", inputs["num_gpus"]!);
  const own = mine && ownTimeUs(mine, message);
  return html`<p class="under" data-expected>Each of ${exact(inputs["num_gpus"]!)} GPUs sends
    <b class="number">${meaning(scenario, "tensor_parallel_allreduce_cost", "total_comm_volume_bytes", scenario.sizes.bytes(sent))}</b> in ${exact(calls)} all-reduces. ${
      link !== undefined && typed !== link
        ? `The line rate is the ${bandwidth(typed)} that was typed; the expectation stands on the machine’s own links of ${bandwidth(link)}`
        : why(scenario, results)
    }${measuredThere(scenario, results, inputs["num_gpus"]!, message)}. ${
      own === undefined
        ? nothing
        : html`<span data-own>Your log has it at ${us(own)}: ${milliseconds((own * calls) / 1e3, 2)} in all.</span> `
    }${
      scenario.alone
        ? nothing
        : html`<a href="#view=network" @click=${(event: MouseEvent) => {
            event.preventDefault();
            event.target!.dispatchEvent(
              new CustomEvent("open-view", { detail: "network", bubbles: true, composed: true }),
            );
          }} class="no-print">Every size, with measurements</a>`
    }</p>`;
}
