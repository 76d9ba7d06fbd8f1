import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { exact, gpus } from "../state/format.js";
import { run } from "../state/run.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./knife-figure.css?inline";
import { define } from "../elements/define.js";

/** The plates that a model is drawn with, and how many GPUs share them at most. */
const plates = 16;
const mostDrawn = 8;
const greatestWidth = 560;
const foot = 22;

type Way = "layers" | "matrices";

/** A model as a stack of plates, and a knife: between them, or through each. */
export class KnifeFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, way: { state: true }, turned: { state: true } };

  declare way: Way;
  /** The knife's turn while it is held, radians from lying flat; nothing while it rests. */
  declare turned: number | undefined;

  constructor() {
    super();
    this.way = "layers";
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override showStep(step: number): void {
    this.way = step >= 1 ? "matrices" : "layers";
  }

  private get count(): number {
    const group = this.scenario.number("tensor_parallel");
    return group >= 2 ? group : mostDrawn;
  }

  protected override told(): string {
    const { count, scenario } = this;
    const { results } = run(scenario, "tensor_parallel_allreduce_cost");
    const layers = scenario.number("num_layers");
    if (!results) return "These inputs don’t make a layer yet.";
    const size = scenario.sizes.binaryBytes(results.message_size_bytes, 3);
    const calls = layers * scenario.number("allreduces_per_layer");
    if (this.way === "layers") {
      const stages = Math.min(count, layers);
      if (stages === 1) return "One layer has nothing to cut between.";
      const cuts = stages === 2 ? "the cut" : `each of the ${exact(stages - 1)} cuts`;
      return `Cut between the layers: ${exact(stages)} stretches, one on each GPU. In a forward pass ${size} cross ${cuts} once, and only one GPU at a time works on a token.`;
    }
    return `Cut through every layer: ${gpus(count)} each hold a slice of ${layers === 1 ? "the layer" : `all ${exact(layers)} layers`} and work on every token together. In a forward pass they add up ${size} ${calls === 1 ? "once" : `${exact(calls)} times`}.`;
  }

  private get height(): number {
    return Math.min(this.room, 300);
  }

  /** Which GPU has a piece, by its place in the model. */
  private piece(x: number, y: number, wide: number, high: number, gpu: number, drawn: number): SVGTemplateResult {
    return svg`<rect class="plate" x=${x} y=${y} width=${wide} height=${high} fill=${originColor(gpu, drawn)} />`;
  }

  protected override picture(): TemplateResult {
    const width = Math.min(this.width, greatestWidth);
    const { height, count } = this;
    const drawn = Math.min(count, mostDrawn);
    const wide = width * 0.5;
    const [left, tall] = [(width - wide) / 2, (height - 30 - foot) / plates];
    const top = 15;
    const flat = this.way === "layers";
    const apart = 5;
    const gap = apart * (drawn - 1);
    const all = flat
      ? Array.from({ length: plates }, (_, index) => {
          const stage = Math.floor((index * drawn) / plates);
          const high = (height - 30 - foot - gap) / plates;
          return this.piece(left, top + index * high + stage * apart, wide, high, stage, drawn);
        })
      : Array.from({ length: plates * drawn }, (_, index) => {
          const [row, gpu] = [Math.floor(index / drawn), index % drawn];
          const slice = (wide - gap) / drawn;
          return this.piece(left + gpu * (slice + apart), top + row * tall, slice, tall, gpu, drawn);
        });
    const names = Array.from({ length: drawn }, (_, gpu) => {
      if (!flat)
        return svg`<text x=${left + gpu * ((wide - gap) / drawn + apart) + (wide - gap) / drawn / 2} y=${height - 26}>${gpu}</text>`;
      const row = (plates * (gpu + 0.5)) / drawn;
      return svg`<text x=${left - 26} y=${top + (row * (height - 30 - foot - gap)) / plates + gpu * apart} dy="0.35em">GPU ${gpu}</text>`;
    });
    const turn = this.turned ?? (flat ? 0 : Math.PI / 2);
    const [cx, cy] = [width / 2, top + (height - 30 - foot) / 2];
    const reach = Math.min(wide * 0.6, (height - 30 - foot) / 2 + 4);
    const [dx, dy] = [reach * Math.cos(turn), reach * Math.sin(turn)];
    return html`<svg class="cut" viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.told()}
      @pointerdown=${this.grab} @pointermove=${this.turn} @pointerup=${this.release} @pointercancel=${this.release}>
      ${all}${names}
      <line class="knife" x1=${cx - dx} y1=${cy - dy} x2=${cx + dx} y2=${cy + dy} />
      <circle class="handle-of-knife" cx=${cx + dx} cy=${cy + dy} r="8" />
      ${drawn < count ? svg`<text class="soft" x=${width / 2} y=${height - 2}>drawn with ${drawn} GPUs</text>` : nothing}
    </svg>`;
  }

  private readonly grab = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.turn(event);
  };

  /** The knife points to the pointer; which way it cuts follows from how steep it is. */
  private readonly turn = (event: PointerEvent): void => {
    const picture = event.currentTarget as Element;
    if (!picture.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    const [x, y] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    if (Math.hypot(x, y) < 6) return;
    this.turned = Math.atan2(y, x);
    this.way = Math.abs(y) > Math.abs(x) ? "matrices" : "layers";
  };

  private readonly release = (): void => {
    this.turned = undefined;
  };

  protected override control(): TemplateResult {
    const now = this.way === "layers" ? 0 : 1;
    return this.slider({
      label: "Knife",
      stops: [0, 1],
      now,
      text: now === 0 ? "between the layers" : "through every layer",
      choose: (way) => (this.way = way === 0 ? "layers" : "matrices"),
    });
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-knife-figure", KnifeFigure);
