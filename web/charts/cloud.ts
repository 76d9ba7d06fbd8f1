import { nothing, svg, type SVGTemplateResult, unsafeCSS } from "lit";
import type { Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import styles from "./cloud.css?inline";
import { nearestOf, type Place } from "./marks.js";

/** A crowd as one path, a mark for each cell of a fine grid, px: points in the same cell are drawn once. */
export function crowd(places: Iterable<Place>, grid: number, mark: string): string {
  const seen = new Set<number>();
  let path = "";
  for (const [x, y] of places) {
    const left = Math.round(x / grid) * grid;
    const top = Math.round(y / grid) * grid;
    const spot = left * 16384 + top;
    if (seen.has(spot)) continue;
    seen.add(spot);
    path += `M${left} ${top}${mark}`;
  }
  return path;
}

/** A chart of points on two axes; the cursor snaps to the nearest. */
export abstract class CloudChart<Spec extends FigureSpec> extends ChartFigure<Spec> {
  /** Positions of the points that the cursor walks through. */
  protected abstract get places(): readonly Place[];

  protected override get margins(): Plot {
    return { ...super.margins, right: 16 };
  }

  protected override stopAt(x: number, y: number): number {
    return nearestOf(this.places, ([left, top]) => Math.hypot(left - x, top - y));
  }

  protected override anchor(stop: number): Place | undefined {
    return this.places[stop];
  }

  /** The point under the cursor. */
  protected cursorMark(): SVGTemplateResult | typeof nothing {
    const at = this.cursor === undefined ? undefined : this.places[this.cursor];
    return at ? svg`<circle class="cursor on-screen" cx=${at[0]} cy=${at[1]} r="7" />` : nothing;
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}
