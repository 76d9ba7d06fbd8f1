import { LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { drawingStyles } from "../charts/drawing.js";
import { define } from "../elements/define.js";
import { html } from "../elements/html.js";
import { OwnWidth } from "../elements/own-width.js";
import { base, theme } from "../elements/theme.js";
import styles from "./layout-board.css?inline";

/** A place of the board: a tensor and a pipeline degree. */
export interface Place {
  tensor: number;
  pipeline: number;
}

export interface Tile extends Place {
  /** Its label, in as few characters as a narrow board has room for. */
  text: string;
  /** The same for screen readers, after its degrees. */
  name: string;
  /** Whether it can't be chosen: no layout has these degrees. */
  never?: boolean;
  /** Whether nothing fits there. */
  unfit?: boolean;
  /** How much longer a step takes there than the fastest, percent; nothing if that is not known, or not shown. */
  slower?: number;
  /** Whether it is within error of the fastest. */
  best?: boolean;
}

export const isSame = (one: Place, other: Place | undefined): boolean =>
  one.tensor === other?.tensor && one.pipeline === other.pipeline;

/** Position and size of a tile, px. */
type Box = readonly [x: number, y: number, wide: number, high: number];

/** How much longer, percent, a full tile stands for. */
const full = 100;
/** Left of the tiles, above them, between them; px. */
const names = 44;
const top = 20;
const gap = 3;

/** TP by PP as a landscape: a flag is planted on a tile, and a tile whose time is known is filled the higher, the slower its layout is. */
class LayoutBoard extends LitElement {
  static override properties = {
    tiles: { attribute: false },
    planted: { attribute: false },
    given: { attribute: false },
    asked: { attribute: false },
    legend: { attribute: false },
    told: { attribute: false },
    rowHeight: { attribute: false },
    width: { state: true },
  };

  declare tiles: readonly Tile[];
  /** Position of the flag. */
  declare planted: Place | undefined;
  /** The layout that the text is about: outlined. */
  declare given: Place | undefined;
  /** What a flag triggers. */
  declare asked: string;
  /** The legend of its marks. */
  declare legend: string;
  /** The drawing in words. */
  declare told: string;
  declare rowHeight: number;
  declare width: number;

  constructor() {
    super();
    this.tiles = [];
    this.asked = this.legend = this.told = "";
    this.rowHeight = 34;
    this.width = 560;
    new OwnWidth(this, (width) => (this.width = width));
  }

  private choose({ tensor, pipeline }: Place): void {
    this.dispatchEvent(new CustomEvent("plant", { detail: { tensor, pipeline } satisfies Place, bubbles: true }));
  }

  private drawn(tile: Tile, [x, y, wide, high]: Box): SVGTemplateResult {
    const { text, never, unfit, slower, best } = tile;
    const planted = isSame(tile, this.planted);
    const level = Math.min(1, (slower ?? 0) / full);
    const look = never ? "never" : unfit ? "unfit" : best ? "best" : "open";
    return svg`<g class="tile" transform="translate(${x} ${y})">
      ${never ? nothing : svg`<rect class=${look} width=${wide} height=${high} rx="3" fill=${unfit ? "url(#unfit)" : "var(--paper-raised)"} />`}
      ${slower === undefined || best ? nothing : svg`<rect class="height" y=${high * (1 - level)} width=${wide} height=${high * level} />`}
      ${isSame(tile, this.given) ? svg`<rect class="given" x="1" y="1" width=${wide - 2} height=${high - 2} rx="3" />` : nothing}
      ${planted ? svg`<rect class="planted" x="1" y="1" width=${wide - 2} height=${high - 2} rx="3" /><text class="flag" x="2" y="7">⚑</text>` : nothing}
      <text class=${never ? "soft" : unfit ? "halo" : best || planted ? "strong" : ""} x=${wide / 2} y=${high / 2} dy="0.35em">${text}</text></g>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { tiles, width, rowHeight: high } = this;
    if (tiles.length === 0) return nothing;
    const rows = [...new Set(tiles.map(({ tensor }) => tensor))];
    const columns = [...new Set(tiles.map(({ pipeline }) => pipeline))];
    const wide = (width - names) / columns.length - gap;
    const place = ({ tensor, pipeline }: Place): Box => [
      names + columns.indexOf(pipeline) * (wide + gap) + gap,
      top + rows.indexOf(tensor) * (high + gap),
      wide,
      high,
    ];
    const height = top + rows.length * (high + gap);
    return html`<div class="board" role="radiogroup" aria-label=${this.asked} aria-describedby="legend">
      <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${this.told}>
        <pattern id="unfit" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="2" height="7" fill="var(--rule)" /></pattern>
        ${columns.map((pipeline) => svg`<text class="soft" x=${place({ tensor: rows[0]!, pipeline })[0] + wide / 2} y="12">PP ${pipeline}</text>`)}
        ${rows.map((tensor) => svg`<text class="soft name" x=${names - 6} y=${place({ tensor, pipeline: columns[0]! })[1] + high / 2} dy="0.35em">TP ${tensor}</text>`)}
        ${tiles.map((tile) => this.drawn(tile, place(tile)))}
      </svg>
      ${tiles
        .filter(({ never }) => !never)
        .map((tile) => {
          const [x, y] = place(tile);
          return html`<input type="radio" name="layout" value="${tile.tensor}-${tile.pipeline}" aria-label=${`TP ${tile.tensor}, PP ${tile.pipeline}: ${tile.name}`}
            .style=${`left: ${x}px; top: ${y}px; inline-size: ${wide}px; block-size: ${high}px`} .checked=${isSame(tile, this.planted)} @change=${() => this.choose(tile)} />`;
        })}</div>
      <p id="legend" class="small soft">${this.legend}</p>`;
  }

  static override styles = [theme, base, drawingStyles, unsafeCSS(styles)];
}

define("commcost-layout-board", LayoutBoard);
