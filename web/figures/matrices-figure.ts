import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { gpus, significant } from "../state/format.js";
import { modelSizes } from "../state/model-size.js";
import { run } from "../state/run.js";
import { groupStops } from "./group-stops.js";
import { SmallFigure } from "./small-figure.js";
import styles from "./matrices-figure.css?inline";
import { define } from "../elements/define.js";

/** The heights of what is drawn, px: matrices as high as they have rows, more or less. */
const rows = { tokens: 104, hidden: 60, wide: 150 };
const middle = 82;
const height = 206;
const greatestWidth = 660;
/** How far the sheets are dragged from one number of GPUs to the next, px. */
const dragPerStop = 28;
/** Slices thinner than this have no number. */
const numbered = 14;
/** The number of partial sums drawn on top of each other. */
const mostCards = 8;

interface Box {
  x: number;
  width: number;
  height: number;
}

const rect = ({ x, width, height: high }: Box, kind: string, y = middle - high / 2): SVGTemplateResult =>
  svg`<rect class=${kind} x=${x} y=${y} width=${width} height=${high} />`;

/** A matrix in slices, a colour for each GPU: side by side, or one below the other. */
function sliced(box: Box, count: number, way: "columns" | "rows"): SVGTemplateResult {
  const top = middle - box.height / 2;
  const across = way === "columns";
  const size = (across ? box.width : box.height) / count;
  const gap = size > 5 ? 1 : 0;
  return svg`${Array.from({ length: count }, (_, rank) => {
    const [x, y] = across ? [box.x + rank * size, top] : [box.x, top + rank * size];
    const [wide, high] = across ? [size - gap, box.height] : [box.width, size - gap];
    return svg`<rect x=${x} y=${y} width=${wide} height=${high} fill=${originColor(rank, count)} />${
      size >= numbered ? svg`<text x=${x + wide / 2} y=${y + high / 2} dy="0.35em">${rank}</text>` : nothing
    }`;
  })}`;
}

/** Partial sums, each as large as the whole. */
function cards(box: Box, count: number): SVGTemplateResult {
  const drawn = Math.min(count, mostCards);
  const step = drawn > 1 ? Math.min(9, (box.width * 0.55) / (drawn - 1)) : 0;
  const down = drawn > 1 ? Math.min(6, 36 / (drawn - 1)) : 0;
  return svg`${Array.from({ length: drawn }, (_, rank) => {
    const x = box.x + rank * step;
    const y = middle - box.height / 2 + (rank - (drawn - 1) / 2) * down;
    return svg`<rect class="card" x=${x} y=${y} width=${box.width} height=${box.height} fill=${originColor(rank, count)} />`;
  })}`;
}

/**
 * Two matrices of a layer, the first cut into columns, the second into rows: what every GPU ends up with must be added
 * up.
 */
export class MatricesFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, lifted: { state: true } };

  /** Whether the reader has lifted a sheet, or laid one on. */
  declare lifted: boolean | undefined;

  /** Whether it hides how large a sheet is. */
  private get waits(): boolean {
    return this.asking && !this.lifted && this.count > 1;
  }

  protected override group(count: number): void {
    this.lifted = true;
    super.group(count);
  }

  private get count(): number {
    return Math.max(1, this.scenario.number("tensor_parallel") || 1);
  }

  protected override get moved(): boolean {
    return true;
  }

  /** Sheets are lifted off to the left and laid on to the right, one for each GPU. */
  private readonly onLift = (event: PointerEvent): void => {
    if (event.button !== 0 || this.scenario.readonly) return;
    const stops = groupStops(this.scenario);
    const from = Math.max(0, stops.indexOf(this.count));
    const sheets = event.currentTarget as Element;
    event.preventDefault();
    sheets.setPointerCapture(event.pointerId);
    const onMove = ({ clientX }: PointerEvent) => {
      const place = from + Math.round((clientX - event.clientX) / dragPerStop);
      const count = stops[Math.min(stops.length - 1, Math.max(0, place))]!;
      if (count !== this.count) this.group(count);
    };
    sheets.addEventListener("pointermove", onMove as EventListener);
    sheets.addEventListener(
      "lostpointercapture",
      () => sheets.removeEventListener("pointermove", onMove as EventListener),
      { once: true },
    );
  };

  private get message(): number | undefined {
    return run(this.scenario, "tensor_parallel_allreduce_cost").results?.message_size_bytes;
  }

  protected override told(): string {
    const { count, message } = this;
    const sizes = modelSizes(this.scenario)?.sizes;
    const layer = sizes?.find(({ thing }) => thing === "layer");
    if (message === undefined) return "These inputs don’t make a layer yet.";
    const size = this.scenario.sizes.binaryBytes(message);
    const [unit, word] = layer && layer.elements >= 1e9 ? [1e9, "billion"] : [1e6, "million"];
    const weights = layer ? `${significant(layer.elements / unit, 3)} ${word} weights` : "weights";
    if (count === 1)
      return `One GPU does all of a layer’s ${weights} alone. Its result of ${size} is complete: nothing is sent.`;
    return this.waits
      ? `${gpus(count)} share a layer’s ${weights}, and each has a result. Lift sheets off, or lay more on.`
      : `${gpus(count)} share a layer’s ${weights}. Each cut shrinks the work but not the partial sums: still ${size} on each GPU.`;
  }

  protected override picture(): TemplateResult {
    const width = Math.min(this.width, greatestWidth);
    const { count, message, waits } = this;
    const gap = width * 0.055;
    const x = { x: 0, width: width * 0.115, height: rows.tokens };
    const a = { x: x.width + gap, width: width * 0.24, height: rows.hidden };
    const b = { x: a.x + a.width + gap, width: width * 0.115, height: rows.wide };
    const partial = { x: b.x + b.width + gap, width: width * 0.115, height: rows.tokens };
    const sum = { x: width - width * 0.115 - 12, width: width * 0.115, height: rows.tokens };
    const size = message === undefined ? "" : this.scenario.sizes.binaryBytes(message, 3);
    const centre = (box: Box) => box.x + box.width / 2;
    const between = (left: Box, sign: string) =>
      svg`<text class="sign" x=${left.x + left.width + gap / 2} y=${middle} dy="0.35em">${sign}</text>`;
    const named = (at: number, name: string, detail: string) =>
      svg`<text x=${at} y=${height - 30} class="strong">${name}</text><text x=${at} y=${height - 14} class="soft">${detail}</text>`;
    const stack = partial.x + partial.width * 0.77;
    const last = partial.x + partial.width * 1.55;
    return html`<svg class="matrices" viewBox="0 0 ${width} ${height}" role="img" aria-label=${this.told()}>
      ${rect(x, "plain")}${between(x, "×")}
      ${sliced(a, count, "columns")}${between(a, "×")}
      ${sliced(b, count, "rows")}${between(b, "=")}
      <g class="sheets" @pointerdown=${this.onLift}>${cards(count === 1 ? { ...partial, x: stack - partial.width / 2 } : partial, count)}</g>
      ${
        count === 1 || waits
          ? nothing
          : svg`<path class="arrow" d="M${last + 4} ${middle}H${sum.x - 9}" /><path class="head" d="M${sum.x - 2} ${middle}l-8 -4.5v9z" />
            ${rect(sum, "sum")}<text class="sign" x=${centre(sum)} y=${middle} dy="0.35em">Σ</text>`
      }
      ${named(centre(x), "input", width < 460 ? "" : "same on all")}
      ${named(centre(a), "first matrix", "cut in columns")}
      ${named(centre(b), "second", "in rows")}
      ${
        count === 1 || waits
          ? named(stack, waits ? `${count} results` : "result", waits ? "how large?" : size)
          : svg`${named(stack, width < 460 ? `${count} parts` : `${count} partial sums`, width < 460 ? size : `${size} each`)}${named(centre(sum), "sum", width < 460 ? "on all" : "on every GPU")}`
      }
    </svg>`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, unsafeCSS(styles)];
}

define("commcost-matrices-figure", MatricesFigure);
