// Random numbers that a seed repeats, and what measurements scatter by.

/** Numbers from 0 to below 1 (mulberry32), the same for the same seed. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
