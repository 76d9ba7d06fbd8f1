import { ticks as roundSteps } from "d3-array";
import type { ScaleKind } from "./units.js";
import type { Unit } from "../state/format.js";

/** Powers of ten, or 1, 2 and 5 of each, or even steps: as many as fit. */
function logTicks(low: number, high: number, count: number): number[] {
  const decades = Math.log10(high / low);
  if (decades < 0.9) return roundSteps(low, high, count);
  const every = Math.max(1, Math.ceil(decades / (count * 1.5)));
  const mantissas = decades * 3 <= count * 1.5 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    if (power % every !== 0) continue;
    ticks.push(...mantissas.map((mantissa) => Number(`${mantissa}e${power}`)));
  }
  return ticks.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

/** Where an axis has its ticks, in the chart's own numbers: round ones of its unit. */
export function tickValues(
  [low, high]: readonly [number, number],
  kind: ScaleKind,
  unit: Unit,
  count: number,
): number[] {
  const [from, to] = [low / unit.size, high / unit.size];
  return (kind === "log" && from > 0 ? logTicks(from, to, count) : roundSteps(from, to, count)).map(
    (value) => value * unit.size,
  );
}
