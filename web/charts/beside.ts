import type { BarChartSpec } from "./bar-chart.js";
import type { FigureSpec } from "./figure.js";
import type { HeatMapSpec } from "./heat-map.js";
import type { HistogramSpec } from "./histogram.js";
import type { LaneChartSpec } from "./lane-chart.js";
import type { LineChartSpec } from "./line-chart.js";
import type { ScatterSpec } from "./scatter-chart.js";
import type { StackedBarsSpec } from "./stacked-bars.js";
import type { AxisSpec } from "./series.js";

/** Merges the pinned scenario's picture, A, into the present one's: one chart, on one axis. */

/** Both tables in one, row by row under the same heads; the first column says which scenario a row belongs to. */
function both(now: FigureSpec["table"], then: FigureSpec["table"]): FigureSpec["table"] {
  const header = [...new Set([...now.header, ...then.header])];
  const under = (whose: string, table: FigureSpec["table"]) =>
    table.rows.map((row) => [whose, ...header.map((head) => row[table.header.indexOf(head)] ?? "")]);
  return { header: ["scenario", ...header], rows: [...under("present", now), ...under("A", then)] };
}

const alike = (now: FigureSpec, then: FigureSpec) => JSON.stringify(now.table) === JSON.stringify(then.table);

/** The range that holds both, where axes have theirs given. */
function widened(now: AxisSpec, then: AxisSpec): AxisSpec {
  if (!now.domain || !then.domain) return now;
  return { ...now, domain: [Math.min(now.domain[0], then.domain[0]), Math.max(now.domain[1], then.domain[1])] };
}

/**
 * Lines of A, thin and pale, in the chart of the present ones, and A's own point; bands and dots are left out, and so
 * are lines that would cover those that are there.
 */
export function besideLines(
  now: LineChartSpec,
  then: LineChartSpec | undefined,
  names?: readonly string[],
): LineChartSpec {
  if (!then) return now;
  const drawn = new Set(now.series.map(({ points }) => JSON.stringify(points)));
  const lines = then.series
    .filter(
      ({ kind = "line", name, points }) =>
        kind === "line" && (names?.includes(name) ?? true) && !drawn.has(JSON.stringify(points)),
    )
    .map((line) => ({ ...line, name: `A: ${line.name}`, color: "pinned" as const, quiet: true }));
  const there = then.here && !(now.here?.x === then.here.x && now.here.y === then.here.y) ? then.here : undefined;
  return {
    ...now,
    y: widened(now.y, then.y),
    series: [...now.series, ...lines],
    ...(there && { there }),
    table: alike(now, then) ? now.table : both(now.table, then.table),
  };
}

/** Bars of A under the present ones. */
export function besideBars(now: StackedBarsSpec, then: StackedBarsSpec | undefined): StackedBarsSpec {
  if (!then || alike(now, then)) return now;
  return {
    ...now,
    bars: [...now.bars, ...then.bars.map((bar) => ({ ...bar, label: `A: ${bar.label}`, quiet: true }))],
    table: both(now.table, then.table),
  };
}

/** A's front on the present one's axes. */
export function besideFront(now: ScatterSpec, then: ScatterSpec | undefined): ScatterSpec {
  if (!then || alike(now, then)) return now;
  return {
    ...now,
    then: { front: then.front, ...(then.best && { best: then.best }) },
    table: both(now.table, then.table),
  };
}

/** A's value marked on each bar that A has. */
export function besideMarks(now: BarChartSpec, then: BarChartSpec | undefined): BarChartSpec {
  if (!then || alike(now, then)) return now;
  const values = new Map(then.bars.map(({ name, value }) => [name, value]));
  const bars = now.bars.map((bar) => (values.has(bar.name) ? { ...bar, beside: values.get(bar.name)! } : bar));
  return { ...now, bars, table: both(now.table, then.table) };
}

/** Counts of A, which each class of the present ones has with it. */
export function besideBins(now: HistogramSpec, then: HistogramSpec | undefined): HistogramSpec {
  if (!then || alike(now, then)) return now;
  return { ...now, table: both(now.table, then.table) };
}

/** Lanes of A under the present ones, on one axis of time. */
export function besideLanes(now: LaneChartSpec, then: LaneChartSpec | undefined): LaneChartSpec {
  if (!then || alike(now, then)) return now;
  const first = now.lanes.length;
  return {
    ...now,
    lanes: [...now.lanes, ...then.lanes.map((lane) => `A: ${lane}`)],
    bars: [...now.bars, ...then.bars.map((bar) => ({ ...bar, lane: bar.lane + first }))],
    legend: [...now.legend, ...then.legend.filter(({ label }) => !now.legend.some((entry) => entry.label === label))],
    end: Math.max(now.end, then.end),
    then: { lane: first, splits: then.splits },
    table: both(now.table, then.table),
  };
}

/** A's place, and where its ratio is 1, on the map of the present one. */
export function besideMap(now: HeatMapSpec, then: HeatMapSpec | undefined): HeatMapSpec {
  if (!then || alike(now, then)) return now;
  return {
    ...now,
    then: { cells: then.cells.slice(0, now.y.values.length), here: then.here },
    table: both(now.table, then.table),
  };
}

/** Both tables as one, for a picture that contains A. */
export const besideTable = (now: FigureSpec, then: FigureSpec): FigureSpec["table"] =>
  alike(now, then) ? now.table : both(now.table, then.table);
