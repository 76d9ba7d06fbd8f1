import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import "../charts/line-chart.js";
import type { LineChartSpec } from "../charts/line-chart.js";
import { saidProblem } from "../elements/problem-words.js";
import { layerMessage } from "../state/resolver.js";
import { bandwidth, exactSize, gpus, significant, us } from "../state/format.js";
import { comparable, measuredAlike } from "../state/machine.js";
import { run } from "../state/run.js";
import { standsForOne } from "./group-stops.js";
import { networkChart } from "./network-curve.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./ideal-figure.css?inline";
import { define } from "../elements/define.js";

/** The messages that can be looked at: 4 KiB to 4 GiB. */
const sizes = Array.from({ length: 21 }, (_, index) => 2 ** (12 + index));

/** The message whose time is guessed, bytes, and the times that may be: 1 µs to 10 ms, ten a decade. */
const guessed = 1e6;
const guesses = Array.from({ length: 41 }, (_, index) => 10 ** (index / 10));
const decades = [1, 10, 100, 1000, 10_000];
const greatestWidth = 620;
const guessHeight = 96;
const margin = 28;

/** A link's rated speed, and what measured all-reduces achieve on it. */
export class IdealFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    held: { state: true },
    mark: { state: true },
    guess: { state: true },
  };

  /** Where the mark of the guess stands, and the guess once it is compared, us. */
  declare mark: number | undefined;
  declare guess: number | undefined;

  /** The message that the reader has chosen here; else the layer's. */
  declare held: number | undefined;

  /** The prediction whose time is guessed; nothing once it is guessed, or if there is nothing to guess. */
  private get asked() {
    if (!this.asking || this.guess !== undefined || this.held !== undefined) return undefined;
    const { results } = this.predictedOf(guessed);
    return results && results.textbook_us > 0 ? results : undefined;
  }

  /**
   * The number of GPUs it is about: the scenario's, or in the article, which always has an all-reduce, the group that
   * stands for one GPU.
   */
  private get joined(): number {
    const own = this.scenario.number("tensor_parallel");
    return this.asks && own === 1 ? standsForOne : own;
  }

  private get message(): number {
    return this.held ?? layerMessage(this.scenario);
  }

  private predictedOf(message: number) {
    return run(this.scenario, "predict_collective", {
      collective: "all_reduce",
      num_gpus: this.joined,
      message_size_bytes: message,
    });
  }

  private get predicted() {
    return this.predictedOf(this.message);
  }

  private compare(): void {
    this.guess = this.mark ?? this.predictedOf(guessed).results!.textbook_us;
    this.held = guessed;
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    const group = gpus(this.joined);
    const { asked } = this;
    if (asked)
      return `1 MB over ${group}: the textbook formula says ${us(asked.textbook_us, 2)}. Drag the mark to the time that you would expect, then compare.`;
    if (!(this.message > 0)) return "These inputs don’t make a message yet.";
    const { results, problems } = this.predicted;
    if (problems) return `${saidProblem(this.scenario, problems[0]!.message)}.`;
    if (results.textbook_us === 0) return "One GPU sends nothing: choose two or more.";
    const ratio = significant(results.time_us / results.textbook_us, 2);
    const against =
      ratio === "1"
        ? ", about what the textbook formula gives."
        : `, ${ratio} times the textbook formula’s ${us(results.textbook_us, 3)}.`;
    const own = this.guess !== undefined && this.message === guessed ? `You guessed ${us(this.guess, 2)}. ` : "";
    const size = this.message === guessed ? "1 MB" : this.scenario.sizes.binaryBytes(this.message, 3);
    return `${own}${size} on ${group}: ${us(results.time_us, 3)}${against} The link reaches ${bandwidth(results.bus_bandwidth_gb_per_sec, 3)}.`;
  }

  private choose(message: number): void {
    this.held = message;
  }

  /** The network's curve on a linear axis, without the expert's details. */
  private get spec(): LineChartSpec | undefined {
    const answer = this.predicted;
    if (answer.problems || answer.results.textbook_us === 0) return undefined;
    const { results, inputs } = answer;
    const measured = measuredAlike(this.scenario, "all_reduce", this.joined, results).filter((series) =>
      comparable(series, results),
    );
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

  /** A time axis with the formula's time and a mark that is dragged. */
  private guessing(textbookUs: number): TemplateResult {
    const width = Math.min(this.width, greatestWidth);
    const [first, last] = [guesses[0]!, guesses.at(-1)!];
    const scale = (width - 2 * margin) / Math.log(last / first);
    const x = (time: number) => margin + Math.log(Math.min(last, Math.max(first, time)) / first) * scale;
    const mark = this.mark ?? textbookUs;
    const drag = (event: PointerEvent) => {
      const drawing = event.currentTarget as SVGSVGElement;
      if (event.buttons !== 1 || (event.type === "pointermove" && !drawing.hasPointerCapture(event.pointerId))) return;
      if (event.type === "pointerdown") drawing.setPointerCapture(event.pointerId);
      const { left, width: wide } = drawing.getBoundingClientRect();
      const time = first * Math.exp((((event.clientX - left) / wide) * width - margin) / scale);
      this.mark = guesses.reduce((best, one) =>
        Math.abs(Math.log(one / time)) < Math.abs(Math.log(best / time)) ? one : best,
      );
    };
    return html`<svg class="guessing" viewBox="0 0 ${width} ${guessHeight}" role="img" aria-label=${this.told()} @pointerdown=${drag} @pointermove=${drag}>
      <line class="axis" x1=${margin} x2=${width - margin} y1="62" y2="62" />
      ${decades.map((time) => svg`<line class="axis" x1=${x(time)} x2=${x(time)} y1="58" y2="66" /><text class="soft" x=${x(time)} y="84">${us(time, 1)}</text>`)}
      <line class="formula" x1=${x(textbookUs)} x2=${x(textbookUs)} y1="36" y2="62" />
      <text class="soft" x=${x(textbookUs)} y="30">formula</text>
      <circle class="mark" cx=${x(mark)} cy="62" r="9" />
      <text class="strong halo" x=${x(mark)} y="14">${us(mark, 2)}</text>
    </svg>`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { asked } = this;
    if (asked) return this.guessing(asked.textbook_us);
    const { spec } = this;
    return spec
      ? html`<commcost-line-chart bare .spec=${spec}
          @change=${({ detail }: CustomEvent<{ x: number }>) => this.choose(detail.x)}></commcost-line-chart>`
      : nothing;
  }

  protected override control(): TemplateResult | typeof nothing {
    const { asked } = this;
    if (asked) {
      const time = this.mark ?? asked.textbook_us;
      return this.comparing(
        {
          label: "Your guess",
          stops: [...new Set([...guesses, time])].sort((a, b) => a - b),
          now: time,
          text: us(time, 2),
          choose: (guess) => (this.mark = guess),
        },
        () => this.compare(),
      );
    }
    const now = this.message;
    if (!(now > 0)) return nothing;
    const stops = [...new Set([...sizes, now])].sort((a, b) => a - b);
    const text = this.scenario.sizes.binaryBytes(now, 3);
    return this.slider({ label: "Message", stops, now, text, choose: (size) => this.choose(size) });
  }

  override get shown(): Record<string, string> {
    const link = { collective: "all_reduce", show: "bandwidth" };
    return this.held === undefined || this.held === guessed
      ? link
      : { ...link, message_size_bytes: exactSize(this.held) };
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-ideal-figure", IdealFigure);
