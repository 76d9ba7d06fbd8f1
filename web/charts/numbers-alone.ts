/**
 * Stands in builds for what d3-scale imports of d3-interpolate and d3-format: our scales are of numbers, and the words of
 * ticks are the charts' own (web/charts/units.ts). Colours, and d3's way to write numbers, would be half of a chart's bytes.
 */

export const interpolateNumber =
  (from: number, to: number) =>
  (share: number): number =>
    from * (1 - share) + to * share;

export const interpolate = interpolateNumber;

const never = (): never => {
  throw new Error("scales here are of numbers alone, and write none");
};

export {
  never as format,
  never as formatPrefix,
  never as formatSpecifier,
  never as interpolateRound,
  never as piecewise,
  never as precisionFixed,
  never as precisionPrefix,
  never as precisionRound,
};
