import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { gpus, significant, us } from "../state/format.js";
import { layerMessage } from "../state/resolver.js";
import { type Reduction, reductionOf } from "./reduction.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./switch-figure.css?inline";
import { define } from "../elements/define.js";

const mostDrawn = 8;
const greatestWidth = 620;
const barHeight = 22;

/** The same all-reduce with a switch that passes chunks on, and with one that adds them up itself. */
export class SwitchFigure extends SmallFigure {
  static override properties = {
    ...SmallFigure.properties,
    adds: { state: true },
    pressed: { state: true },
  };

  declare adds: boolean;
  declare pressed: boolean;

  constructor() {
    super();
    this.pressed = false;
    this.adds = false;
  }

  private press(adds: boolean): void {
    this.adds = adds;
    this.pressed ||= adds;
  }

  private get waits(): boolean {
    return this.asking && !this.pressed;
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override showStep(step: number): void {
    this.press(step >= 1);
  }

  private get reduction(): Reduction | undefined {
    const message = layerMessage(this.scenario);
    const group = this.scenario.number("tensor_parallel");
    return message > 0 && group >= 1 ? reductionOf(this.scenario, group, message) : undefined;
  }

  protected override told(): string {
    const { reduction, adds, scenario } = this;
    if (!reduction) return "These inputs don’t make a message yet.";
    const { group, machine, onUs, offUs } = reduction;
    const size = scenario.sizes.binaryBytes(layerMessage(scenario), 3);
    const where = `${gpus(group)} on ${machine}`;
    const share = significant((2 * (group - 1)) / group, 3);
    return adds
      ? `The switch adds: each of ${where} sends ${size} up and gets the total back. Expect ${us(onUs, 2)}.`
      : `The switch only passes on: each of ${where} sends ${share} times ${size} round the ring. Expect ${us(offUs, 2)}.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { reduction, adds } = this;
    if (!reduction) return nothing;
    const width = Math.min(this.width, greatestWidth);
    const height = Math.min(this.room, 300);
    const count = Math.min(reduction.group, mostDrawn);
    const [floor, roof] = [height - 2 * barHeight - 44, 8];
    const step = width / count;
    const gpu = Math.min(46, step - 8);
    const at = (index: number) => step * (index + 0.5);
    const chip = { x: width * 0.2, wide: width * 0.6, high: 34 };
    const ways = Array.from({ length: count }, (_, index) => {
      const [x, top] = [at(index), chip.x + (chip.wide * (index + 0.5)) / count];
      const color = originColor(index, count);
      if (adds)
        return svg`<path class="way" stroke=${color} d="M${x - 4} ${floor}L${top - 4} ${roof + chip.high}" />
          <path class="way down" d="M${top + 4} ${roof + chip.high}L${x + 4} ${floor}" />`;
      const next = (index + 1) % count;
      const into = chip.x + (chip.wide * (next + 0.5)) / count;
      return svg`<path class="way" stroke=${color} d="M${x} ${floor}L${top} ${roof + chip.high - 8}Q${(top + into) / 2} ${roof + 4} ${into} ${roof + chip.high - 8}L${at(next)} ${floor}" />`;
    });
    const longest = this.waits ? reduction.offUs : Math.max(reduction.onUs, reduction.offUs);
    const bars = [
      { name: "ring", time: reduction.offUs, held: !adds },
      { name: "the switch adds", time: reduction.onUs, held: adds },
    ];
    const names = 122;
    const scale = (width - names - 64) / longest;
    return html`<svg class="fabric" viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.told()} @click=${() => this.press(!adds)}>
      <rect class=${adds ? "chip adds" : "chip"} x=${chip.x} y=${roof} width=${chip.wide} height=${chip.high} rx="4" />
      ${ways}
      <text x=${width / 2} y=${roof + chip.high / 2} dy="0.35em" class="strong halo">${adds ? "the switch adds" : "press: let the switch add"}</text>
      ${Array.from(
        { length: count },
        (
          _,
          index,
        ) => svg`<rect class="gpu" x=${at(index) - gpu / 2} y=${floor} width=${gpu} height="24" rx="3" fill=${originColor(index, count)} />
        <text x=${at(index)} y=${floor + 12} dy="0.35em">${index}</text>`,
      )}
      ${bars.map(({ name, time, held }, index) => {
        const y = height - (2 - index) * barHeight - 6;
        return svg`<text class="start ${held ? "strong" : "soft"}" x="0" y=${y + barHeight / 2} dy="0.2em">${name}</text>
          ${
            this.waits && !held
              ? svg`<text class="start soft" x=${names} y=${y + barHeight / 2} dy="0.2em">?</text>`
              : svg`<rect class="fill-tensor ${held ? "" : "idle"}" x=${names} y=${y + 3} width=${time * scale} height=${barHeight - 8} />
          <text class="start" x=${names + time * scale + 6} y=${y + barHeight / 2} dy="0.2em">${us(time, 2)}</text>`
          }`;
      })}
    </svg>`;
  }

  protected override control(): TemplateResult {
    return this.slider({
      label: "The switch",
      stops: [0, 1],
      now: this.adds ? 1 : 0,
      text: this.adds ? "adds" : "passes on",
      choose: (adds) => this.press(adds === 1),
    });
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-switch-figure", SwitchFigure);
