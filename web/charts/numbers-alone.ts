/**
 * Replaces in builds what d3-scale imports from d3-interpolate and d3-format: our scales are of numbers, and the charts
 * write their own ticks (web/charts/units.ts). Colours, and d3's number formats, would be half of a chart's bytes.
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
