// What the tests of the engine share: the built artifact and the exercise.
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
