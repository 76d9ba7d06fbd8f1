import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { modelWords } from "../elements/scenario-words.js";
import { exact } from "../state/format.js";
import { acceleratorMemory, modelParameters } from "../state/model-size.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./fit-figure.css?inline";
import { define } from "../elements/define.js";

const top = 10;
const foot = 40;
const greatestWidth = 620;
/** The layers in the box before the reader fills it, as a share: a tenth, or half of what fits if that is less. */
const atFirst = 0.1;

interface Load {
  layers: number;
  layerBytes: number;
  memoryBytes: number;
  /** Layers that fit. */
  most: number;
}

/** A model as a stack of layers, next to one GPU's memory, to scale: how many of them fit. */
export class FitFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, held: { state: true } };

  /** Layers that the reader has put into the box. */
  declare held: number | undefined;

  protected override get moved(): boolean {
    return true;
  }

  protected override showStep(layers: number): void {
    if (this.load) this.fill(layers, this.load);
  }

  /** Worked out once for each drawing. */
  private load: Load | undefined;

  protected override willUpdate(): void {
    this.load = this.scenario && this.loaded();
    super.willUpdate();
  }

  private loaded(): Load | undefined {
    const parameters = modelParameters(this.scenario);
    const memory = acceleratorMemory(this.scenario);
    const layers = this.scenario.number("num_layers");
    const bytes = this.scenario.number("bytes_per_element");
    if (parameters === undefined || memory === undefined || !(layers >= 1) || !(bytes > 0)) return undefined;
    const layerBytes = (parameters * bytes) / layers;
    return {
      layers,
      layerBytes,
      memoryBytes: memory.bytes,
      most: Math.min(layers, Math.floor(memory.bytes / layerBytes)),
    };
  }

  private inside({ layers, most }: Load): number {
    const first = Math.max(1, Math.min(Math.round(layers * atFirst), Math.ceil(most / 2)));
    return Math.min(layers, this.held ?? (this.answered ? most : first));
  }

  protected override told(): string {
    const { load } = this;
    if (!load) return "This needs a GPU and a model whose sizes are known.";
    const inside = this.inside(load);
    const gpu = acceleratorMemory(this.scenario)!;
    const size = (bytes: number) => this.scenario.sizes.bytes(bytes, 3);
    const words = modelWords(this.scenario);
    const model = words.startsWith("like ") ? `, ${words}` : ` of ${words}`;
    const used = `${exact(inside)} of ${exact(load.layers)} layer${load.layers === 1 ? "" : "s"}${model}: ${size(inside * load.layerBytes)} of ${size(gpu.bytes)} on one ${gpu.name}.`;
    if (inside > load.most) return `${used} ${exact(inside - load.most)} too many.`;
    if (inside < load.most) return `${used} More fit.`;
    return load.most === load.layers ? `${used} All of them fit.` : `${used} No more fit.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { load } = this;
    if (!load) return nothing;
    const width = Math.min(this.width, greatestWidth);
    const height = Math.min(this.room, 320);
    const room = height - top - foot;
    const bytes = load.layers * load.layerBytes;
    const scale = room / Math.max(bytes, load.memoryBytes);
    const floor = top + room;
    const wide = Math.min(150, width * 0.26);
    const [stack, box] = [width * 0.3, width * 0.7];
    const inside = this.inside(load);
    const plate = (x: number, index: number, kind: string): SVGTemplateResult =>
      svg`<rect class=${kind} x=${x - wide / 2} y=${floor - (index + 1) * load.layerBytes * scale} width=${wide} height=${load.layerBytes * scale}
        fill=${kind === "plate" ? originColor(index, load.layers) : nothing} />`;
    const rim = floor - load.memoryBytes * scale;
    const gpu = acceleratorMemory(this.scenario)!;
    return html`<svg class="fit" viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.told()}>
      ${Array.from({ length: load.layers }, (_, index) => plate(stack, index, index < load.layers - inside ? "plate" : "gone"))}
      ${Array.from({ length: inside }, (_, index) => plate(box, index, index < load.most ? "plate" : "plate over"))}
      <path class="box" d="M${box - wide / 2 - 3} ${rim}V${floor + 1}H${box + wide / 2 + 3}V${rim}" />
      <line class="rim" x1=${box - wide / 2 - 14} x2=${box + wide / 2 + 14} y1=${rim} y2=${rim} />
      <circle class="knob" cx=${box} cy=${floor - inside * load.layerBytes * scale} r="9" />
      <rect class="grip" x=${width / 2} y="0" width=${width / 2} height=${floor} @pointerdown=${(event: PointerEvent) => this.grab(event, load)}
        @pointermove=${(event: PointerEvent) => this.pour(event, load)} />
      <text x=${stack} y=${height - 22} class="strong">${modelWords(this.scenario)}</text>
      <text x=${stack} y=${height - 6} class="soft">${this.scenario.sizes.bytes(bytes, 3)}</text>
      <text x=${box} y=${height - 22} class="strong">one ${gpu.name}</text>
      <text x=${box} y=${height - 6} class="soft">${this.scenario.sizes.bytes(gpu.bytes, 3)}</text>
    </svg>`;
  }

  private grab(event: PointerEvent, load: Load): void {
    if (event.button !== 0 || this.scenario.readonly) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.pour(event, load);
  }

  /** The box is filled up to the pointer. */
  private pour(event: PointerEvent, load: Load): void {
    const grip = event.currentTarget as SVGRectElement;
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const { top: above, height: tall } = grip.ownerSVGElement!.getBoundingClientRect();
    const height = Math.min(this.room, 320);
    const room = height - top - foot;
    const y = ((event.clientY - above) / tall) * height;
    const full = Math.max(load.layers * load.layerBytes, load.memoryBytes);
    this.fill(Math.round((((top + room - y) / room) * full) / load.layerBytes), load);
  }

  private fill(layers: number, load: Load): void {
    this.held = Math.min(load.layers, Math.max(0, layers));
  }

  protected override control(): TemplateResult | typeof nothing {
    const { load } = this;
    if (!load) return nothing;
    const now = this.inside(load);
    return this.slider({
      label: "Layers on one GPU",
      stops: Array.from({ length: load.layers + 1 }, (_, layers) => layers),
      now,
      text: `${exact(now)} layers`,
      choose: (layers) => this.fill(layers, load),
    });
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-fit-figure", FitFigure);
