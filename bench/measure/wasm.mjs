// The same work as in bench/core, by the engine as it ships.
import { loadEngine } from "../../build/engine/commcost.js";

const engine = await loadEngine();
const example = { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 };
const sizes = Float64Array.from({ length: 1_000_000 }, (_, index) => index + 1);

/** Nanoseconds a call of `work`, the quickest of `calls`: the first ones compile. */
function quickest(work, calls) {
  let least = Infinity;
  for (let call = 0; call < calls; ++call) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least * 1e6;
}

export const wasm = {
  tensor_parallel_cost: () =>
    quickest(() => {
      for (let call = 0; call < 1000; ++call) engine.tensor_parallel_allreduce_cost(example);
    }, 20) / 1000,
  sweep_of_a_million: () => {
    const axes = [{ field: "hidden_size", values: sizes }];
    return quickest(() => engine.sweep({ calculation: "tensor_parallel_allreduce_cost", inputs: example, axes }), 5);
  },
};
