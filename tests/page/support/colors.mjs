// Colours as the colour-blind see them, and how far apart two of them are.

/** Full loss of a kind of cone, on linear sRGB: Machado, Oliveira, Fernandes 2009, table 1 (severity 1.0). */
export const sights = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
};

const times = (m, [a, b, c]) => [0, 3, 6].map((row) => m[row] * a + m[row + 1] * b + m[row + 2] * c);

/** "#rrggbb" as linear sRGB, 0 to 1. */
export function linear(hex) {
  return [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
}

/** Oklab (Ottosson 2020): equal distances look about equally far. */
export function oklab(rgb) {
  const lms = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376,
      0.6299787005,
    ],
    rgb,
  ).map((value) => Math.cbrt(Math.max(0, value)));
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662,
      -0.808675766,
    ],
    lms,
  );
}

/** A linear colour as seen with that type of colour vision. */
export const seen = (sight, rgb) => times(sights[sight], rgb).map((value) => Math.min(1, Math.max(0, value)));

/** Distance of two linear colours in Oklab: 0.02 is just to be seen, black and white are 1 apart. */
export function distance(one, other) {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Contrast of two linear colours as WCAG 2 counts it. */
export function contrast(one, other) {
  const [a, b] = [one, other].map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
