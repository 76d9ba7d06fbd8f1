import { type CSSResultGroup, LitElement, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { OwnWidth } from "../elements/own-width.js";
import { base, theme } from "../elements/theme.js";
import { csv, download } from "../elements/export.js";
import { legendIn, legendList, LegendOfDrawn, legendStyles, type LegendEntry } from "./legend.js";
import { subjectClasses } from "../elements/colors.js";
import { ProvenanceRequest } from "../elements/provenance-request.js";
import type { Picture } from "./still.js";
import { tip, tipStyles, type TipLine } from "./tip.js";
import { wrapped } from "./wrapped.js";
import styles from "./figure.css?inline";
import { Status } from "../elements/status.js";
import { type Axis, bottomLabels, leftLabels, type Plot } from "./axis.js";
import { Labels } from "./labels.js";
import { drawingStyles } from "./drawing.js";

/** What every chart has: a title, one sentence that says what it shows, and its numbers as a table. */
export interface FigureSpec {
  /** Names the files that are exported. */
  id: string;
  title: string;
  /** One sentence, made from the data: what the picture shows. */
  summary: string;
  table: { header: string[]; rows: (string | number)[][] };
  /** Shown instead of a drawing if there is nothing to draw. */
  nothing?: string;
}

/**
 * The frame of all charts: caption, drawing, what the cursor reads, legend, table and export. A chart draws itself into
 * `draw()` at the width it is given, and says where its cursor can stand.
 */
export abstract class ChartFigure<Spec extends FigureSpec> extends LitElement {
  static override properties = {
    spec: { attribute: false },
    bare: { type: Boolean, reflect: true },
    width: { state: true },
    cursor: { state: true },
    tabled: { state: true },
  };

  declare spec: Spec;
  /** The drawing alone: its user provides the caption, and a control for what it marks. */
  declare bare: boolean;
  declare width: number;
  /** The step under the cursor, or none. */
  declare cursor: number | undefined;
  /** Whether the table was opened: until then its rows are not made. */
  declare tabled: boolean;
  private readonly status = new Status(this, 3000);

  constructor() {
    super();
    this.bare = false;
    this.width = 560;
    this.tabled = false;
    new OwnWidth(this, (width) => (this.width = Math.max(240, width)));
    new LegendOfDrawn(this);
  }

  /** How high the drawing is, px. */
  protected abstract get height(): number;
  /** The drawing, `this.width` wide. */
  protected abstract draw(): TemplateResult;
  /** The number of places for the cursor. */
  protected abstract get stops(): number;
  /** What the cursor says at a place, for screen readers, and for eyes if there is no tip. */
  protected abstract reading(stop: number): string;
  /** The place nearest to a point of the drawing. */
  protected abstract stopAt(x: number, y: number): number;
  /** Where the cursor starts. */
  protected get firstStop(): number {
    return 0;
  }
  /** The position of a place in the drawing: its reading appears next to it. */
  protected anchor(_stop: number): readonly [number, number] | undefined {
    return undefined;
  }
  /** What appears next to the cursor. */
  protected tipLines(stop: number): TipLine[] {
    return wrapped(this.reading(stop), Math.min(52, Math.floor((this.width - 40) / 6.4))).map((text) => ({ text }));
  }
  /** Marks without a name next to them. */
  protected get legend(): readonly LegendEntry[] {
    return [];
  }
  /** Whether there is nothing to show. */
  protected get empty(): boolean {
    return this.stops === 0;
  }

  /** What is left about the plot for axes and titles, px. */
  protected get margins(): Plot {
    return { left: 62, right: 14, top: 34, bottom: 44 };
  }

  protected get plot(): Plot {
    const { left, right, top, bottom } = this.margins;
    return { left, right: this.width - right, top, bottom: this.height - bottom };
  }

  /** The drawing's labels, which avoid what its axes say; `drawn` are points along its lines, and dots. */
  protected labels(up: Axis, across: Axis, drawn: readonly (readonly [number, number])[] = []): Labels {
    const { plot, width, height } = this;
    const all = { left: 0, right: width, top: 0, bottom: height };
    return new Labels(all, drawn).fix(...leftLabels(plot, up), ...bottomLabels(plot, across));
  }

  /** A height that follows the width, within bounds. */
  protected tall(share: number, least: number, most: number): number {
    return Math.round(Math.min(most, Math.max(least, this.width * share)));
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

  /** A pointer's position in the drawing's own coordinates. */
  protected placeOf(event: PointerEvent, drawing: SVGSVGElement): [number, number] {
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  protected onPointer = (event: PointerEvent): void => {
    this.cursor = this.stopAt(...this.placeOf(event, event.currentTarget as SVGSVGElement));
  };

  protected onLeave = (): void => {
    this.cursor = undefined;
  };

  protected onFocus = (): void => {
    this.cursor ??= this.firstStop;
  };

  protected get svg(): SVGSVGElement {
    return this.renderRoot.querySelector<SVGSVGElement>("svg.drawing") ?? this.renderRoot.querySelector("svg")!;
  }

  /** The drawing's frame: a slider that reads places out, with what appears next to the cursor on top. */
  protected drawing(kind: string, content: unknown, onKey = this.onKey): TemplateResult {
    const { spec, width, height, cursor } = this;
    const textures = svg`<defs>
        <pattern id="lines" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line class="thread" x1="0" x2="0" y1="0" y2="6" /></pattern>
        <pattern id="dots" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="spot" cx="3" cy="3" r="1.5" /></pattern>
      </defs>`;
    if (this.bare)
      return html`<svg class="drawing" viewBox="0 0 ${width} ${height}" role="img" aria-label=${`${spec.title} ${spec.summary}`}>${textures}${content}</svg>`;
    const at = cursor ?? this.firstStop;
    const anchor = cursor === undefined ? undefined : this.anchor(cursor);
    return html`<svg class="drawing" viewBox="0 0 ${width} ${height}" tabindex="0" role="slider" aria-roledescription=${kind}
        aria-label=${`${spec.title} ${spec.summary}`} aria-valuemin="0" aria-valuemax=${Math.max(0, this.stops - 1)}
        aria-valuenow=${at} aria-valuetext=${this.reading(at)}
        @keydown=${onKey} @pointermove=${this.onPointer} @pointerdown=${this.onPointer} @pointerleave=${this.onLeave}
        @focus=${this.onFocus} @blur=${this.onLeave}>
      ${textures}
      ${content}
      ${anchor ? tip(anchor, this.tipLines(cursor!), [width, height]) : nothing}
    </svg>`;
  }

  private get provenance() {
    const request = new ProvenanceRequest();
    this.dispatchEvent(request);
    return request.answer;
  }

  private get csv(): string {
    const { title, table } = this.spec;
    const { scenario, source, link } = this.provenance;
    const comments = [title, scenario, source, link].filter((line) => line !== undefined);
    return csv(table.header, table.rows, comments);
  }

  private get picture(): Picture {
    const { scenario, source, link } = this.provenance;
    const legend = legendIn(this.renderRoot);
    const lines = scenario ? [scenario] : [];
    return { svg: this.svg, title: `${this.spec.title} ${this.spec.summary}`, lines, legend, source, link };
  }

  private saveCsv = (): void => {
    download(`${this.spec.id}.csv`, this.csv, "text/csv");
    this.status.say("CSV saved");
  };

  private copyCsv = (): void => {
    const { header, rows } = this.spec.table;
    void this.status.copy(csv(header, rows), "Table copied", "Copying is not allowed here");
  };

  /** Code that makes files of pictures is loaded on demand. */
  private async save(
    kind: "svg" | "png",
    type: string,
    made: (still: typeof import("./still.js")) => Promise<Blob> | string,
  ): Promise<void> {
    try {
      download(`${this.spec.id}.${kind}`, await made(await import("./still.js")), type);
      this.status.say(`${kind.toUpperCase()} saved`);
    } catch {
      this.status.say("The picture could not be made");
    }
  }

  private saveSvg = (): void =>
    void this.save("svg", "image/svg+xml", ({ standaloneSvg }) => standaloneSvg(this.picture));

  private savePng = (): void => void this.save("png", "image/png", ({ png }) => png(this.picture));

  private table(): TemplateResult {
    const { title, table } = this.spec;
    const shown = (cell: string | number) => (typeof cell === "number" && !Number.isFinite(cell) ? "" : cell);
    return html`<div class="scroll tall" tabindex="0" role="group" aria-label=${`${title}, as a table`}>
      <table>
        <thead><tr>${table.header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
        <tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${shown(cell)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`;
  }

  private tools(): TemplateResult {
    const { title } = this.spec;
    return html`<div class="tools no-print">
      <details @toggle=${(event: Event) => (this.tabled ||= (event.target as HTMLDetailsElement).open)}>
        <summary>Table</summary>
        ${this.tabled ? this.table() : nothing}
      </details>
      <span class="buttons">
        <span role="status" class="small">${this.status.text}</span>
        <button class="plain" @click=${this.copyCsv} aria-label=${`Copy the table of ${title}`}>Copy</button>
        <button class="plain" @click=${this.saveCsv} aria-label=${`${title} as CSV`}>CSV</button>
        <button class="plain" @click=${this.saveSvg} aria-label=${`${title} as SVG`}>SVG</button>
        <button class="plain" @click=${this.savePng} aria-label=${`${title} as PNG`}>PNG</button>
      </span>
    </div>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.spec) return nothing;
    const { title, summary } = this.spec;
    if (this.bare)
      return this.empty ? nothing : html`<div class="stage">${this.draw()}${this.handle()}</div>${this.key()}`;
    if (this.empty) {
      return html`<figure><figcaption><b>${title}</b> <span class="soft">${this.spec.nothing ?? summary}</span></figcaption></figure>`;
    }
    const told = this.cursor === undefined ? undefined : this.reading(this.cursor);
    const beside = this.anchor(this.cursor ?? this.firstStop) !== undefined;
    return html`<figure>
      <figcaption><b>${title}</b> <span class="soft">${summary}</span></figcaption>
      <div class="stage">${this.draw()}${this.handle()}</div>
      ${this.key()}
      <output class=${beside ? "visually-hidden" : "reading number"} aria-live="off">${told ?? html`&nbsp;`}</output>
      ${this.tools()}
    </figure>`;
  }

  /** The marks with their names, under the drawing. */
  protected key(): TemplateResult | typeof nothing {
    return legendList(this.legend);
  }

  /** The handles on the drawing. */
  protected handle(): TemplateResult | typeof nothing {
    return nothing;
  }

  static override styles: CSSResultGroup = [
    theme,
    base,
    subjectClasses,
    drawingStyles,
    legendStyles,
    tipStyles,
    unsafeCSS(styles),
  ];
}
