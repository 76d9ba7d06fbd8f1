// What measurements scatter by.
import { randomNumbers } from "../random-numbers.mjs";

/** By how much one configuration differs when it is measured twice, in the median (DESIGN: the noise floor). */
export const spread = 0.035;

/** Factors around 1 whose logarithm is normal, three spreads away at most. */
export function noiseOf(seed) {
  const random = randomNumbers(seed);
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(spread * Math.max(-3, Math.min(3, normal)));
  };
}
