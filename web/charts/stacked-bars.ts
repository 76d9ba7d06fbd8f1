import { scaleLinear } from "d3-scale";
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { bottomAxis, thin, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";

/** A piece of a bar. */
export interface StackedPart {
  name: string;
  value: number;
  /** 1 to 8: the same name, the same colour, in all bars. */
  color: number;
}

/** A bar, its parts one after the other. */
export interface StackedBar {
  label: string;
  parts: readonly StackedPart[];
  /** A mark across the bar, such as what there is room for. */
  limit?: { at: number; label: string };
  /** Paler: another scenario's. */
  quiet?: boolean;
}

/** Bars of parts, lying, on one axis. */
export interface StackedBarsSpec extends FigureSpec {
  bars: readonly StackedBar[];
  axis: string;
  format: (value: number) => string;
}

const barHeight = 26;
const barPitch = 52;

/** Lying bars of parts: how much there is in all, and of what. */
export class StackedBars extends ChartFigure<StackedBarsSpec> {
  private get height(): number {
    return 12 + this.spec.bars.length * barPitch + 44;
  }

  private get plot(): Plot {
    return { left: 10, right: this.width - 14, top: 12, bottom: this.height - 44 };
  }

  private total(bar: StackedBar): number {
    return bar.parts.reduce((sum, part) => sum + part.value, 0);
  }

  private get scale() {
    const most = Math.max(...this.spec.bars.map((bar) => Math.max(this.total(bar), bar.limit?.at ?? 0)), 0);
    return scaleLinear()
      .domain([0, most || 1])
      .range([this.plot.left, this.plot.right]);
  }

  private get flat(): { bar: StackedBar; part: StackedPart; row: number; from: number }[] {
    return this.spec.bars.flatMap((bar, row) => {
      let from = 0;
      return bar.parts.map((part) => {
        const placed = { bar, part, row, from };
        from += part.value;
        return placed;
      });
    });
  }

  protected override get stops(): number {
    return this.flat.length;
  }

  protected override stopAt(x: number, y: number): number {
    const row = Math.min(this.spec.bars.length - 1, Math.max(0, Math.floor((y - this.plot.top) / barPitch)));
    const value = this.scale.invert(x);
    let best = 0;
    this.flat.forEach((placed, index) => {
      if (placed.row === row && placed.from <= value) best = index;
    });
    return best;
  }

  protected override reading(stop: number): string {
    const placed = this.flat[stop];
    if (!placed) return "";
    const share = (100 * placed.part.value) / (this.total(placed.bar) || 1);
    return `${placed.bar.label}: ${placed.part.name} ${this.spec.format(placed.part.value)}, ${
      share >= 0.1 || share === 0 ? share.toFixed(1) : "under 0.1"
    } %`;
  }

  private drawBar(bar: StackedBar, row: number): SVGTemplateResult {
    const y = this.plot.top + row * barPitch;
    return svg`<text class="bar-label" x=${this.plot.left} y=${y + 13}>${bar.label}
        <tspan class="total">${this.spec.format(this.total(bar))}</tspan></text>
      ${this.flat.map((placed, index) => {
        if (placed.row !== row) return nothing;
        const x = this.scale(placed.from);
        const width = this.scale(placed.from + placed.part.value) - x;
        const fits = placed.part.name.length * 6.2 + 8 < width;
        return svg`<rect class="part fill-${placed.part.color} ${bar.quiet ? "quiet" : ""} ${index === this.cursor ? "current" : ""}" x=${x} y=${y + 19}
            width=${Math.max(0, width)} height=${barHeight} />
          ${fits ? svg`<text class="inside" x=${x + width / 2} y=${y + 19 + barHeight / 2} dy="0.35em" text-anchor="middle">${placed.part.name}</text>` : nothing}`;
      })}
      ${
        bar.limit
          ? svg`<line class="limit" x1=${this.scale(bar.limit.at)} x2=${this.scale(bar.limit.at)} y1=${y + 15} y2=${y + 23 + barHeight} />
        <text class="halo" x=${this.scale(bar.limit.at) - 5} y=${y + 13} text-anchor="end">${bar.limit.label}</text>`
          : nothing
      }`;
  }

  private get legend(): StackedPart[] {
    const seen = new Map<string, StackedPart>();
    for (const { part } of this.flat) if (part.value > 0 && !seen.has(part.name)) seen.set(part.name, part);
    return [...seen.values()];
  }

  protected override draw(): TemplateResult {
    const { spec, plot, width, height, scale } = this;
    const ticks = thin(
      scale.ticks(6).map((value) => ({ at: scale(value), label: value === 0 ? "0" : spec.format(value) })),
      64,
    );
    return html`<svg viewBox="0 0 ${width} ${height}" tabindex="0" role="slider" aria-roledescription="stacked bars"
        aria-label=${`${spec.title} ${spec.summary}`} aria-valuemin="0" aria-valuemax=${Math.max(0, this.stops - 1)}
        aria-valuenow=${this.cursor ?? this.firstStop} aria-valuetext=${this.reading(this.cursor ?? this.firstStop)}
        @keydown=${this.onKey} @pointermove=${this.onPointer} @pointerdown=${this.onPointer} @pointerleave=${this.onLeave}
        @focus=${this.onFocus} @blur=${this.onLeave}>
      ${spec.bars.map((bar, row) => this.drawBar(bar, row))}
      ${bottomAxis(plot, ticks, spec.axis)}
    </svg>
    <ul class="legend">${this.legend.map(
      (part) => html`<li><svg class="key" viewBox="0 0 18 12" aria-hidden="true">
      <rect class="part fill-${part.color}" width="18" height="12" /></svg>${part.name}</li>`,
    )}</ul>`;
  }

  static override styles = [
    ChartFigure.styles,
    css`
    svg .part { stroke: var(--paper); stroke-width: 1; }
    svg .part.current { stroke: var(--ink); stroke-width: 2; }
    svg .part.quiet { fill-opacity: 0.7; }
    svg .inside { fill: var(--paper); font-weight: 600; pointer-events: none; }
    svg .bar-label { fill: var(--ink); font-size: 12.5px; }
    svg .total { font-weight: 600; }
    svg .limit { stroke: var(--bad); stroke-width: 2; }
    .legend { list-style: none; margin: 0.25rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem;
      font-family: var(--sans); font-size: var(--small); color: var(--ink-soft); }
    .legend li { display: flex; align-items: center; gap: 0.4rem; }
    .legend .key { width: 18px; height: 12px; }
  `,
  ];
}

customElements.get("commcost-stacked-bars") ?? customElements.define("commcost-stacked-bars", StackedBars);
