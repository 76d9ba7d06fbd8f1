import { type CSSResultGroup, type nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { legendIn, LegendOfDrawn, legendStyles } from "../charts/legend.js";
import type { Picture } from "../charts/still.js";
import { subjectClasses } from "../elements/colors.js";
import { OwnWidth } from "../elements/own-width.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { base, theme } from "../elements/theme.js";
import { isPrinting, WhenSeen } from "../elements/when-seen.js";
import { gpus } from "../state/format.js";
import { groupStops } from "./group-stops.js";
import styles from "./small-figure.css?inline";
import { drawingStyles } from "../charts/drawing.js";

/** A range that moves through a few values. */
interface Slider {
  label: string;
  stops: readonly number[];
  now: number;
  text: string;
  choose: (value: number) => void;
}

/**
 * One figure over the scenario, small enough for a story or an article: a picture, a sentence that says what it shows
 * now, and one control, which a pointer on the picture stands in for. It draws itself once it is near the screen.
 */
export abstract class SmallFigure extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    width: { state: true },
    room: { attribute: false },
    asks: { attribute: false },
    answered: { attribute: false },
  };

  declare width: number;
  /** How high its picture may get, px. */
  declare room: number;
  /** Whether readers guess before they are shown, and drag the picture itself: its slider is only for the keyboard. */
  declare asks: boolean;
  /** Whether it shows its answer anyway: on paper, and as a still. */
  declare answered: boolean;
  private stepShown = "";
  private readonly sight = new WhenSeen(this);

  constructor() {
    super();
    this.width = 560;
    this.room = 400;
    this.asks = false;
    this.answered = false;
    new OwnWidth(this, (width) => (this.width = width));
    new LegendOfDrawn(this);
  }

  private readonly onPaper = (): void => {
    this.answered = true;
  };
  private readonly offPaper = (): void => {
    this.answered = false;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.answered = isPrinting();
    addEventListener("beforeprint", this.onPaper);
    addEventListener("afterprint", this.offPaper);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("beforeprint", this.onPaper);
    removeEventListener("afterprint", this.offPaper);
  }

  /** Whether the reader must guess first. */
  protected get asking(): boolean {
    return this.asks && !this.answered;
  }

  protected override shouldUpdate(changed: PropertyValues): boolean {
    return this.scenario !== undefined && this.sight.seen && super.shouldUpdate(changed);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    // In an article its author describes it, once or while it is read.
    const { scenario } = this;
    const text = scenario?.alone ? scenario.text("step") : "";
    const said = `${text} ${scenario?.stepsSaid}`;
    if (said === this.stepShown) return;
    this.stepShown = said;
    const step = Number(text);
    if (text !== "" && Number.isFinite(step)) this.showStep(step);
  }

  /** Shows the step with that number, from 0, if its story has steps. */
  protected showStep(_: number): void {}

  /** Whether the picture itself is dragged; its slider does the same for the keyboard. */
  protected get moved(): boolean {
    return false;
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new Event("drawn", { bubbles: true, composed: true }));
  }

  /** What it shows now, in a sentence or two; also shown if it can't be drawn. */
  protected abstract told(): string;
  /** Nothing if there is nothing to draw. */
  protected abstract picture(): TemplateResult | typeof nothing;
  protected abstract control(): TemplateResult | typeof nothing;

  /** The picture as drawn, its sentence, and the names of its marks; nothing before it is drawn. */
  get drawn(): Pick<Picture, "svg" | "lines" | "legend"> | undefined {
    const drawing = this.renderRoot.querySelector(".picture > *");
    const root = drawing?.shadowRoot ?? this.renderRoot;
    const svg = root.querySelector<SVGSVGElement>('svg[role="img"]');
    return svg ? { svg, lines: [this.told()], legend: legendIn(root) } : undefined;
  }

  /** Captures the picture with its answer, whatever the reader has guessed. */
  answering<Taken>(take: () => Taken): Taken {
    const before = this.answered;
    this.answered = true;
    this.drawNow();
    try {
      return take();
    } finally {
      this.answered = before;
      this.drawNow();
    }
  }

  private drawNow(): void {
    this.performUpdate();
    for (const part of this.renderRoot.querySelectorAll<SmallFigure>(".picture > *")) part.performUpdate?.();
  }

  /** Fields of a link that reproduce the figure, if its control is not the scenario's. */
  get shown(): Record<string, string> {
    return {};
  }

  protected slider({ label, stops, now, text, choose }: Slider): TemplateResult {
    const index = stops.indexOf(now);
    return html`<div class=${this.asks && this.moved ? "hand no-print quiet" : "hand no-print"}><label for="hand">${label}</label>
      <input id="hand" type="range" min="0" max=${stops.length - 1} step="1" .value=${String(Math.max(0, index))} ?disabled=${this.scenario.readonly}
        aria-valuetext=${text} aria-describedby="told"
        @input=${(event: Event) => choose(stops[Number((event.target as HTMLInputElement).value)]!)} />
      <span class="number" aria-hidden="true">${text}</span></div>`;
  }

  /** A guess, and the button that compares it with the answer. */
  protected comparing(slider: Slider, compare: () => void): TemplateResult {
    return html`<p class="again no-print"><button @click=${compare}>Compare</button></p>${this.slider(slider)}`;
  }

  /** Rows are closer together where there is less room. */
  protected get rowHeight(): number {
    return this.room < 300 ? 24 : 30;
  }

  /** What most of them hold: the GPUs of the tensor group. */
  protected groupSlider(): TemplateResult {
    const now = this.scenario.number("tensor_parallel");
    return this.slider({
      label: "GPUs in the group",
      stops: groupStops(this.scenario),
      now,
      text: gpus(now),
      choose: (count) => this.group(count),
    });
  }

  protected group(count: number): void {
    if (!this.scenario.readonly) this.scenario.set({ tensor_parallel: String(count) });
  }

  override render(): TemplateResult {
    // All figures of a story follow each other: only the one being moved is announced.
    const live = this.matches(":focus-within") ? "polite" : "off";
    return html`<div class="picture">${this.picture()}</div>
      <p id="told" class="told" aria-live=${live}>${this.told()}</p>
      ${this.control()}`;
  }

  static override styles: CSSResultGroup = [
    theme,
    base,
    subjectClasses,
    drawingStyles,
    legendStyles,
    unsafeCSS(styles),
  ];
}
