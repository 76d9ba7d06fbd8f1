import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import "../charts/line-chart.js";
import { callsOf, expectation } from "../state/expectation.js";
import { exact, gpus, milliseconds, ms } from "../state/format.js";
import { nodesInWords } from "../state/machine.js";
import { completeInputs, run } from "../state/run.js";
import { between } from "../state/step.js";
import { costChart } from "./cost-chart.js";
import { SmallFigure } from "./small-figure.js";
import { define } from "../elements/define.js";

const calculation = "tensor_parallel_allreduce_cost";

/**
 * The cost of tensor parallelism in a forward pass, against the number of GPUs that share the work: at line rate, and
 * predicted.
 */
export class CostFigure extends SmallFigure {
  private get exercise() {
    const { results } = run(this.scenario, calculation);
    return results && { results, inputs: completeInputs(this.scenario, calculation) as Record<string, number> };
  }

  protected override told(): string {
    const { exercise } = this;
    if (!exercise) return "These inputs don’t make an all-reduce yet.";
    const { inputs, results } = exercise;
    const count = inputs["num_gpus"]!;
    if (count === 1) return "One GPU sends nothing and pays nothing.";
    const ideal = ms(results.total_comm_time_ms);
    const lead = `${gpus(count)}, ${exact(callsOf(inputs))} all-reduces a forward pass:`;
    const expected = expectation(this.scenario, inputs, results.message_size_bytes)?.results;
    if (!expected) return `${lead} ${ideal} for a ring at line rate.`;
    const { total_ms, total_low_ms, total_high_ms, nodes } = expected;
    return `${lead} about ${milliseconds(total_ms, 2)} (${between(total_low_ms, total_high_ms, 2)}) on ${nodesInWords(this.scenario, nodes)}, where a ring at line rate would take ${ideal}.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { exercise } = this;
    if (!exercise) return nothing;
    const { here, ...chart } = costChart(this.scenario, exercise.inputs, exercise.results);
    // The sentence names the marked point: next to it, the label would cover the lines.
    const spec = { ...chart, here: { ...here!, label: "" } };
    return html`<commcost-line-chart bare .spec=${spec}
      @change=${({ detail }: CustomEvent<{ x: number }>) => this.group(detail.x)}></commcost-line-chart>`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }
}

define("commcost-cost-figure", CostFigure);
