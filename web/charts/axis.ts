import { svg, type SVGTemplateResult } from "lit";

/** Where a drawing's plot lies within it. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A tick: where it stands in the drawing, and what it says. */
export interface Tick {
  at: number;
  label: string;
}

/** Drops labels that would run into the one before. */
export function thin(ticks: Tick[], space: number): Tick[] {
  let last = -Infinity;
  return ticks.map((tick) => {
    const fits = Math.abs(tick.at - last) >= space && tick.label !== "";
    if (fits) last = tick.at;
    return fits ? tick : { ...tick, label: "" };
  });
}

/** The horizontal axis with its title. */
export function bottomAxis(plot: Plot, ticks: Tick[], title: string): SVGTemplateResult {
  return svg`<g>
    <line class="axis" x1=${plot.left} x2=${plot.right} y1=${plot.bottom} y2=${plot.bottom} />
    ${ticks.map(
      (tick) => svg`
      <line class="axis" x1=${tick.at} x2=${tick.at} y1=${plot.bottom} y2=${plot.bottom + (tick.label ? 5 : 3)} />
      <text x=${tick.at} y=${plot.bottom + 18} text-anchor="middle">${tick.label}</text>`,
    )}
    <text x=${(plot.left + plot.right) / 2} y=${plot.bottom + 36} text-anchor="middle">${title}</text>
  </g>`;
}

/** The vertical axis: grid lines, and the title above, where it reads without turning the head. */
export function leftAxis(plot: Plot, ticks: Tick[], title: string): SVGTemplateResult {
  return svg`<g>
    ${ticks
      .filter((tick) => tick.label)
      .map(
        (tick) => svg`
      <line class="grid" x1=${plot.left} x2=${plot.right} y1=${tick.at} y2=${tick.at} />
      <text x=${plot.left - 7} y=${tick.at} dy="0.35em" text-anchor="end">${tick.label}</text>`,
      )}
    <text x=${plot.left - 7} y=${plot.top - 12} text-anchor="start" dx=${-(plot.left - 8)}>${title}</text>
  </g>`;
}
