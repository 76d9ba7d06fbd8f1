import { css, html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from "lit";
import { base, theme } from "../elements/theme.js";
import { csv, download, png, standaloneSvg } from "./export.js";

/** What every chart has: a title, one sentence that says what is to be seen, and its numbers as a table. */
export interface FigureSpec {
  /** Names the files that are exported. */
  id: string;
  title: string;
  /** One sentence, made from the data: what the picture shows. */
  summary: string;
  table: { header: string[]; rows: (string | number)[][] };
}

/**
 * The frame of all charts: caption, drawing, cursor readout, table and export. A chart draws itself into `draw()` at
 * the width it is given, and moves its cursor in `moveCursor`.
 */
export abstract class ChartFigure<Spec extends FigureSpec> extends LitElement {
  static override properties = {
    spec: { attribute: false },
    width: { state: true },
    cursor: { state: true },
    status: { state: true },
  };

  declare spec: Spec;
  declare width: number;
  /** The step that the cursor stands on, or none. */
  declare cursor: number | undefined;
  declare status: string;

  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.max(240, Math.round(entry!.contentRect.width));
    if (width !== this.width) this.width = width;
  });

  constructor() {
    super();
    this.width = 560;
    this.status = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  /** The drawing, `this.width` wide. */
  protected abstract draw(): TemplateResult;
  /** How many places the cursor can stand on. */
  protected abstract get stops(): number;
  /** What the cursor reads at a place, for eyes and for screen readers alike. */
  protected abstract reading(stop: number): string;
  /** The place nearest to a point of the drawing. */
  protected abstract stopAt(x: number, y: number): number;
  /** The place where the cursor stands first. */
  protected get firstStop(): number {
    return 0;
  }

  /** Attributes that make the drawing a slider: the arrow keys read it out. */
  protected onKey = (event: KeyboardEvent): void => {
    const last = this.stops - 1;
    const at = this.cursor ?? this.firstStop;
    const to: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: 0,
      End: last,
    };
    if (event.key === "Escape") this.cursor = undefined;
    if (to[event.key] === undefined) return;
    event.preventDefault();
    this.cursor = Math.min(last, Math.max(0, to[event.key]!));
  };

  protected onPointer = (event: PointerEvent): void => {
    const svg = event.currentTarget as SVGSVGElement;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    this.cursor = this.stopAt((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  };

  protected onLeave = (): void => {
    this.cursor = undefined;
  };

  protected onFocus = (): void => {
    this.cursor ??= this.firstStop;
  };

  private get svg(): SVGSVGElement {
    return this.renderRoot.querySelector("svg")!;
  }

  private say(message: string): void {
    this.status = message;
    setTimeout(() => (this.status = ""), 3000);
  }

  private saveCsv = (): void => {
    download(`${this.spec.id}.csv`, csv(this.spec.table.header, this.spec.table.rows), "text/csv");
    this.say("CSV saved");
  };

  private copyCsv = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(csv(this.spec.table.header, this.spec.table.rows));
      this.say("Table copied");
    } catch {
      this.say("Copying is not allowed here");
    }
  };

  private saveSvg = (): void => {
    download(`${this.spec.id}.svg`, standaloneSvg(this.svg), "image/svg+xml");
    this.say("SVG saved");
  };

  private savePng = async (): Promise<void> => {
    try {
      download(`${this.spec.id}.png`, await png(this.svg), "image/png");
      this.say("PNG saved");
    } catch {
      this.say("The picture could not be made");
    }
  };

  override render(): TemplateResult | typeof nothing {
    if (!this.spec) return nothing;
    const { title, summary, table } = this.spec;
    return html`<figure>
      <figcaption><b>${title}</b> <span class="soft">${summary}</span></figcaption>
      ${this.draw()}
      <output class="reading number" aria-live="off">${this.cursor === undefined ? html`&nbsp;` : this.reading(this.cursor)}</output>
      <div class="tools no-print">
        <details>
          <summary>Table</summary>
          <div class="scroll tall" tabindex="0" role="group" aria-label=${`${title}, as a table`}>
            <table>
              <thead><tr>${table.header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
              <tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
            </table>
          </div>
        </details>
        <span class="buttons">
          <span role="status" class="small">${this.status}</span>
          <button class="plain" @click=${this.copyCsv} aria-label=${`Copy the table of ${title}`}>Copy</button>
          <button class="plain" @click=${this.saveCsv} aria-label=${`${title} as CSV`}>CSV</button>
          <button class="plain" @click=${this.saveSvg} aria-label=${`${title} as SVG`}>SVG</button>
          <button class="plain" @click=${this.savePng} aria-label=${`${title} as PNG`}>PNG</button>
        </span>
      </div>
    </figure>`;
  }

  static override styles: CSSResultGroup = [
    theme,
    base,
    ...[1, 2, 3, 4, 5, 6, 7, 8].map(
      (index) => css`
    svg .series-${index} { stroke: var(--series-${index}); }
    svg .fill-${index}, svg text.fill-${index} { fill: var(--series-${index}); }
  `,
    ),
    css`
    :host { display: block; min-width: 0; container-type: inline-size; }
    figure { margin: 0; }
    figcaption { margin-bottom: 0.35rem; max-width: 68ch; font-size: 0.9375rem; }
    svg { display: block; width: 100%; height: auto; background: var(--paper); touch-action: pan-y; overflow: visible; }
    svg text { font-family: var(--sans); font-size: 11.5px; fill: var(--ink-soft); font-variant-numeric: tabular-nums; }
    svg .axis { stroke: var(--rule-strong); stroke-width: 1; }
    svg .grid { stroke: var(--rule); stroke-width: 1; }
    svg .halo { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
    .reading { display: block; min-height: 1.45em; font-family: var(--sans); font-size: var(--small); color: var(--ink); }
    .tools { display: flex; justify-content: space-between; align-items: start; gap: 0.5rem; flex-wrap: wrap; }
    .tools details { flex: 1 1 10rem; min-width: 0; }
    .buttons { display: flex; align-items: center; flex-wrap: wrap; }
    svg .line { fill: none; stroke-width: 2; }
    @media print { .reading { display: none; } }
    @media (forced-colors: active) { svg .line { stroke: CanvasText; } svg text { fill: CanvasText; } }
  `,
  ];
}
