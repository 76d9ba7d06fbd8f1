/** Every figure, in the order of the catalog; a file of their own for the command, which draws none itself. */
export const figureNames = [
  ...(["fit", "knife", "cells", "matrices", "guess", "ring", "volume", "ideal", "switch", "cliff"] as const),
  ...(["hide", "layout", "cost", "timeline", "front"] as const),
];
export type FigureName = (typeof figureNames)[number];
