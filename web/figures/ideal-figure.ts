import { html, nothing, type TemplateResult } from "lit";
import "../charts/line-chart.js";
import type { LineChartSpec } from "../charts/line-chart.js";
import { saidProblem } from "../elements/problem-words.js";
import { layerMessage } from "../state/resolver.js";
import { bandwidth, exactSize, significant, us } from "../state/format.js";
import { comparable, measuredAlike } from "../state/machine.js";
import { run } from "../state/run.js";
import { networkChart } from "./network-curve.js";
import { gpus, SmallFigure } from "./small-figure.js";
import { define } from "../elements/define.js";

/** The messages that can be looked at: 4 KiB to 4 GiB. */
const sizes = Array.from({ length: 21 }, (_, index) => 2 ** (12 + index));

/** What a link promises, and what measured all-reduces make of it. */
export class IdealFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, held: { state: true } };

  /** The message that the reader has chosen here; else the layer's. */
  declare held: number | undefined;

  private get message(): number {
    return this.held ?? layerMessage(this.scenario);
  }

  private get predicted() {
    return run(this.scenario, "predict_collective", {
      collective: "all_reduce",
      num_gpus: this.scenario.number("tensor_parallel"),
      message_size_bytes: this.message,
    });
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    if (!(this.message > 0)) return "These inputs don’t make a message yet.";
    const { results, problems } = this.predicted;
    if (problems) return `${saidProblem(this.scenario, problems[0]!.message)}.`;
    if (results.textbook_us === 0) return "One GPU sends nothing: choose two or more.";
    const ratio = significant(results.time_us / results.textbook_us, 2);
    const against =
      ratio === "1"
        ? ", about what the textbook formula gives."
        : `, ${ratio} times the textbook formula’s ${us(results.textbook_us, 2)}.`;
    return `${this.scenario.sizes.binaryBytes(this.message, 3)} on ${gpus(this.scenario.number("tensor_parallel"))}: ${us(results.time_us, 2)}${against} The link reaches ${bandwidth(results.bus_bandwidth_gb_per_sec, 3)}.`;
  }

  private choose(message: number): void {
    this.held = message;
  }

  /** The network's curve on a linear axis, without what only experts ask for. */
  private get spec(): LineChartSpec | undefined {
    const answer = this.predicted;
    if (answer.problems || answer.results.textbook_us === 0) return undefined;
    const { results, inputs } = answer;
    const measured = measuredAlike(
      this.scenario,
      "all_reduce",
      this.scenario.number("tensor_parallel"),
      results,
    ).filter((series) => comparable(series, results));
    const whole = networkChart(this.scenario, inputs, results, measured, "bandwidth");
    const series = whole.series.filter(({ color }) => color !== "nccl");
    const greatest = Math.max(
      ...series.flatMap(({ points }) => points.map(({ y }) => y)).filter((value) => Number.isFinite(value)),
    );
    const { here: _, ...rest } = whole;
    return {
      ...rest,
      x: { ...whole.x, domain: [sizes[0]!, sizes.at(-1)!] },
      y: { ...whole.y, label: "Reached by the link", scale: "linear", domain: [0, greatest * 1.12] },
      series: series.map((each) => ({
        ...each,
        points: each.points.filter(({ x }) => x >= sizes[0]! && x <= sizes.at(-1)!),
      })),
      rules: [],
      here: {
        x: this.message,
        y: results.bus_bandwidth_gb_per_sec,
        // The sentence says it: here dots are thick.
        label: "",
        drag: { label: "Message", values: sizes, format: (size) => this.scenario.sizes.binaryBytes(size, 3) },
      },
    };
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { spec } = this;
    return spec
      ? html`<commcost-line-chart bare .spec=${spec}
          @change=${({ detail }: CustomEvent<{ x: number }>) => this.choose(detail.x)}></commcost-line-chart>`
      : nothing;
  }

  protected override control(): TemplateResult | typeof nothing {
    const now = this.message;
    if (!(now > 0)) return nothing;
    const stops = [...new Set([...sizes, now])].sort((a, b) => a - b);
    const text = this.scenario.sizes.binaryBytes(now, 3);
    return this.slider({ label: "Message", stops, now, text, choose: (size) => this.choose(size) });
  }

  override get shown(): Record<string, string> {
    const link = { collective: "all_reduce", show: "bandwidth" };
    return this.held === undefined ? link : { ...link, message_size_bytes: exactSize(this.held) };
  }
}

define("commcost-ideal-figure", IdealFigure);
