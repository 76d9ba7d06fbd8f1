// What the tests of the engine share: the built artifact, the exercise, and random numbers that a seed repeats.
import assert from "node:assert/strict";
import { InvalidInputError, loadEngine } from "../../build/engine/commcost.js";

export { InvalidInputError, loadEngine };
export const engine = await loadEngine();

export const exercise = Object.freeze({
  hidden_size: 4096,
  sequence_length: 2048,
  batch_size: 8,
  num_gpus: 8,
  num_layers: 32,
});

/** The problems for which a call is refused; fails where it is not, or not by an InvalidInputError. */
export function problemsOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, `threw ${error?.stack ?? String(error)}`);
    return error.problems;
  }
  return assert.fail("was not refused");
}

/** A function of random numbers from 0 to below 1 (mulberry32), the same for the same seed. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
