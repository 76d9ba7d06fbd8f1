import { html, nothing, type TemplateResult } from "lit";
import "../charts/line-chart.js";
import { significant } from "../state/format.js";
import { completeInputs, run } from "../state/run.js";
import { gpus, SmallFigure } from "./small-figure.js";
import { volumeChart } from "./volume-chart.js";
import { define } from "../elements/define.js";

const calculation = "tensor_parallel_allreduce_cost";

/** What each GPU sends, against how many share the work. */
export class VolumeFigure extends SmallFigure {
  private get exercise() {
    return run(this.scenario, calculation);
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    const { results } = this.exercise;
    if (!results) return "These inputs don’t make an all-reduce yet.";
    const count = this.scenario.number("tensor_parallel");
    const { comm_volume_per_allreduce_bytes: sent, message_size_bytes: message } = results;
    return count === 1
      ? "One GPU sends nothing. The second already costs half of the maximum."
      : `With ${gpus(count)} each sends ${this.scenario.sizes.bytes(sent, 3)}, ${significant(sent / message, 3)} times the message. With any number of GPUs it stays below twice the message.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { results } = this.exercise;
    if (!results) return nothing;
    const complete = completeInputs(this.scenario, calculation) as Record<string, number>;
    const { rules = [], ...chart } = volumeChart(this.scenario, complete, results);
    const spec = { ...chart, rules: rules.filter(({ axis }) => axis === "y") };
    return html`<commcost-line-chart bare .spec=${spec}
      @change=${({ detail }: CustomEvent<{ x: number }>) => this.group(detail.x)}></commcost-line-chart>`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }
}

define("commcost-volume-figure", VolumeFigure);
