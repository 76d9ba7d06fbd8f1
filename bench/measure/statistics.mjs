/** The middle one of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One over the other, measured alternately `rounds` times: what slows the machine down slows both. */
export function interleavedRatio(one, other, rounds = 7) {
  const ratios = [];
  for (let round = 0; round < rounds; ++round) ratios.push(one() / other());
  return median(ratios);
}
