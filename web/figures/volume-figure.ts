import type { TensorParallelAllreduceCostResults } from "#engine";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { handleStyles, keyed, knob } from "../charts/drag.js";
import "../charts/line-chart.js";
import { define } from "../elements/define.js";
import { exact, gpus, significant } from "../state/format.js";
import { completeInputs, run } from "../state/run.js";
import { SmallFigure } from "./small-figure.js";
import { volumeChart } from "./volume-chart.js";
import styles from "./volume-figure.css?inline";

const calculation = "tensor_parallel_allreduce_cost";

/** Groups whose bars are given, and those whose bars the reader draws. */
const given = [2, 4, 8];
const asked = [16, 32, 64];
/** How high a bar may be drawn, in messages, and in what steps. */
const heights = Array.from({ length: 81 }, (_, step) => step / 20);
const mostDrawn = heights.at(-1)!;
const greatestWidth = 560;
const top = 26;
const foot = 40;

const listed = (all: readonly (string | number)[]): string => `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;

/** What each GPU sends, against how many share the work: its reader draws the next bars before they are shown. */
export class VolumeFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    bars: { state: true },
    compared: { state: true },
  };

  /** The bars that the reader has drawn, in messages; nothing for one that is not. */
  declare bars: readonly (number | undefined)[];
  declare compared: boolean;

  constructor() {
    super();
    this.bars = asked.map(() => undefined);
    this.compared = false;
  }

  private get exercise() {
    return run(this.scenario, calculation);
  }

  /** What each GPU of a group sends, in messages. */
  private shareOf(group: number): number {
    const { results } = run(this.scenario, calculation, { num_gpus: group });
    return results ? results.comm_volume_per_allreduce_bytes / results.message_size_bytes : NaN;
  }

  private get drawing(): boolean {
    return this.asking && !this.compared;
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    const { results } = this.exercise;
    if (!results) return "These inputs don’t make an all-reduce yet.";
    const shares = (groups: readonly number[]) => listed(groups.map((group) => significant(this.shareOf(group), 3)));
    if (this.drawing) {
      const drawn = this.bars.filter((bar) => bar !== undefined).length;
      const next =
        drawn < asked.length
          ? `Draw the bars of ${listed(asked)} GPUs.`
          : `Compare what you have drawn with what they send.`;
      return `With ${listed(given)} GPUs each sends ${shares(given)} times the message. ${next}`;
    }
    const own = this.compared
      ? `For ${listed(asked)} GPUs you drew ${listed(this.bars.map((bar) => significant(bar!, 3)))} times the message; it is ${shares(asked)}. `
      : "";
    const count = this.scenario.number("tensor_parallel");
    const { comm_volume_per_allreduce_bytes: sent, message_size_bytes: message } = results;
    return count === 1
      ? `${own}One GPU sends nothing. The second already costs half of the maximum.`
      : `${own}With ${gpus(count)} each sends ${this.scenario.sizes.bytes(sent, 3)}, ${significant(sent / message, 3)} times the message. With any number of GPUs it stays below twice the message.`;
  }

  private draw(index: number, height: number): void {
    this.bars = this.bars.map((bar, at) => (at === index ? height : bar));
  }

  /** Bars in messages, of which the last are drawn by hand: across them all, or one after the other. */
  private barsPicture(): TemplateResult {
    const width = Math.min(this.width, greatestWidth);
    const height = Math.min(this.room, 260);
    const groups = [...given, ...asked];
    const step = width / groups.length;
    const wide = step * 0.62;
    const floor = height - foot;
    const y = (messages: number) => floor - ((floor - top) * messages) / mostDrawn;
    const x = (index: number) => step * (index + 0.5);
    const onDraw = (event: PointerEvent) => {
      const picture = event.currentTarget as SVGSVGElement;
      if (event.buttons !== 1 || (event.type === "pointermove" && !picture.hasPointerCapture(event.pointerId))) return;
      if (event.type === "pointerdown") picture.setPointerCapture(event.pointerId);
      const box = picture.getBoundingClientRect();
      const index = Math.floor(((event.clientX - box.left) / box.width) * groups.length) - given.length;
      if (index >= 0 && index < asked.length) this.draw(index, this.heightAt(event, box, floor));
    };
    return html`<div class="drawing" .style=${`inline-size: ${width}px`}>
      <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${this.told()} @pointerdown=${onDraw} @pointermove=${onDraw}>
        <rect fill="transparent" width=${width} height=${height} />
        <line class="axis" x1="0" x2=${width} y1=${floor} y2=${floor} />
        ${groups.map((group, index) => {
          const own = this.bars[index - given.length];
          const share = index < given.length ? this.shareOf(group) : own;
          return svg`${
            share === undefined
              ? svg`<text class="soft" x=${x(index)} y=${floor - 10}>?</text>`
              : svg`<rect class=${index < given.length ? "fill-textbook" : "own"} x=${x(index) - wide / 2} y=${y(share)} width=${wide} height=${Math.max(0.5, floor - y(share))} />
                <text x=${x(index)} y=${y(share) - 8}>${significant(share, 3)}</text>`
          }<text x=${x(index)} y=${floor + 16}>${exact(group)}</text>`;
        })}
        <text class="soft" x=${width / 2} y=${height - 6}>GPUs; sent by each, in messages</text>
      </svg>
      ${asked.map((group, index) => {
        const now = this.bars[index] ?? 0;
        return html`<span class="place" .style=${`position: absolute; left: ${x(given.length + index)}px; top: ${y(now)}px`}>${knob(
          {
            label: `Sent by each of ${exact(group)} GPUs`,
            now,
            text: this.bars[index] === undefined ? "not drawn" : `${significant(now, 3)} times the message`,
            least: 0,
            most: mostDrawn,
            onKey: (event) => {
              const to = keyed({ label: "", values: heights, format: String }, "linear", now, event.key);
              if (to === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              this.draw(index, to);
            },
            onDrag: (event) => {
              const picture = this.renderRoot.querySelector(".drawing svg")!;
              this.draw(index, this.heightAt(event, picture.getBoundingClientRect(), floor));
            },
          },
        )}</span>`;
      })}</div>`;
  }

  /** The height that a pointer is at, in messages. */
  private heightAt({ clientY }: PointerEvent, box: DOMRect, floor: number): number {
    const messages = ((floor - (clientY - box.top)) / (floor - top)) * mostDrawn;
    const step = Math.round((Math.min(mostDrawn, Math.max(0, messages)) / mostDrawn) * (heights.length - 1));
    return heights[step]!;
  }

  private chart(results: TensorParallelAllreduceCostResults): TemplateResult {
    const complete = completeInputs(this.scenario, calculation) as Record<string, number>;
    const { rules = [], series, ...chart } = volumeChart(this.scenario, complete, results);
    const points = asked.map((x, index) => ({ x, y: (this.bars[index] ?? 0) * results.message_size_bytes }));
    const spec = {
      ...chart,
      series: this.compared ? [...series, { name: "as you drew it", color: "own" as const, points }] : series,
      rules: rules.filter(({ axis }) => axis === "y"),
    };
    return html`<commcost-line-chart bare .spec=${spec}
      @change=${({ detail }: CustomEvent<{ x: number }>) => this.group(detail.x)}></commcost-line-chart>`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { results } = this.exercise;
    if (!results) return nothing;
    return this.drawing ? this.barsPicture() : this.chart(results);
  }

  protected override control(): TemplateResult {
    return this.drawing
      ? html`<p class="again no-print"><button ?disabled=${this.bars.includes(undefined)} @click=${() => (this.compared = true)}>Compare</button></p>`
      : this.groupSlider();
  }

  static override styles = [SmallFigure.styles, handleStyles, unsafeCSS(styles)];
}

define("commcost-volume-figure", VolumeFigure);
