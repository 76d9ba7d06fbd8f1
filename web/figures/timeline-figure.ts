import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import "../charts/lane-chart.js";
import { saidProblem } from "../elements/problem-words.js";
import { gpus, significant, us } from "../state/format.js";
import { ownCurve } from "../state/own-log.js";
import { run } from "../state/run.js";
import { layerChart } from "./layer-chart.js";
import { SmallFigure } from "./small-figure.js";
import { define } from "../elements/define.js";

/** A layer’s times, in as few digits as tell them apart. */
const time = (value: number): string => us(value, 2);

/** One layer on a tensor rank, forward and backward: what it computes, what it sends, and when compute waits. */
export class TimelineFigure extends SmallFigure {
  private get layer() {
    return run(this.scenario, "layer_timeline");
  }

  protected override told(): string {
    const { results, problems } = this.layer;
    const count = this.scenario.number("tensor_parallel");
    if (problems) return `${saidProblem(this.scenario, problems[0]!.message)}.`;
    const { forward_us, backward_us, communication_us, exposed_us } = results;
    const total = forward_us + backward_us;
    if (communication_us === 0) return `One GPU takes ${time(total)} for a layer and waits for no other.`;
    const waits = `compute waits for ${time(exposed_us)} (${significant((100 * exposed_us) / total, 2)} %)`;
    // Ranks other than tensor ranks may send to it.
    return `${count === 1 ? "A" : `${gpus(count)}: a`} layer takes ${time(total)} forward and backward. Of ${time(communication_us)} of messages ${time(communication_us - exposed_us)} are hidden; ${waits}.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { results } = this.layer;
    return results
      ? html`<commcost-lane-chart bare .spec=${layerChart(results, ownCurve(this.scenario))}></commcost-lane-chart>`
      : nothing;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }
}

define("commcost-timeline-figure", TimelineFigure);
