import type { Subject } from "../elements/tokens.js";
import { hasPlace } from "./axis.js";
import type { AxisSpec, Point, Series } from "./series.js";

/** The points of a series that both axes have a place for. */
export function placed({ kind, points }: Series, { x, y }: { x: AxisSpec; y: AxisSpec }): Point[] {
  const heights = (point: Point) => (kind === "band" ? [point.low!, point.high!] : [point.y]);
  return points.filter(
    (point) => hasPlace(x.scale, point.x) && heights(point).every((height) => hasPlace(y.scale, height)),
  );
}

/** A value between two points, as the axes are scaled. */
function between(
  one: Point,
  other: Point,
  x: number,
  axes: { x: AxisSpec; y: AxisSpec },
  of: (point: Point) => number,
) {
  const along = axes.x.scale === "log" ? Math.log : Number;
  const share = (along(x) - along(one.x)) / (along(other.x) - along(one.x));
  const [from, to] = [of(one), of(other)];
  return axes.y.scale === "log" && from > 0 && to > 0
    ? Math.exp(Math.log(from) + share * (Math.log(to) - Math.log(from)))
    : from + share * (to - from);
}

/** A line's point at x, between its own where it has none there; undefined outside of it. */
export function pointAt(points: readonly Point[], x: number, axes: { x: AxisSpec; y: AxisSpec }): Point | undefined {
  const shown = points.filter((point) => Number.isFinite(point.y) || point.low !== undefined);
  const exact = shown.find((point) => point.x === x);
  if (exact) return exact;
  const next = shown.findIndex((point) => point.x > x);
  if (next <= 0) return undefined;
  const [one, other] = [shown[next - 1]!, shown[next]!];
  const value = (of: (point: Point) => number) => between(one, other, x, axes, of);
  return one.low === undefined
    ? { x, y: value((point) => point.y) }
    : { x, y: NaN, low: value((point) => point.low!), high: value((point) => point.high!) };
}

/**
 * The value of a series at x: one value for a line or band, all dots at that place; with its height if the axis has a
 * place for it.
 */
export function readAt(
  series: Series,
  x: number,
  axes: { x: AxisSpec; y: AxisSpec },
): { subject: Subject; text: string; y?: number }[] {
  const { name, color: subject, kind, points } = series;
  const { format } = axes.y;
  const height = (y: number) => (hasPlace(axes.y.scale, y) ? { y } : {});
  const noted = (text: string, note?: string) => `${name} ${text}${note ? ` (${note})` : ""}`;
  if (kind === "dots") {
    return points
      .filter((point) => point.x === x && Number.isFinite(point.y))
      .map((point) => ({ subject, text: noted(format(point.y), point.note), ...height(point.y) }));
  }
  const point = pointAt(points, x, axes);
  if (!point) return [];
  return kind === "band"
    ? [{ subject, text: noted(`${format(point.low!)} to ${format(point.high!)}`, point.note) }]
    : [{ subject, text: noted(format(point.y), point.note), ...height(point.y) }];
}
