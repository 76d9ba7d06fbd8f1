// The same work as in bench/core, by the engine as it ships.
import { loadEngine } from "../../build/engine/commcost.js";
import { forget } from "./boundary.mjs";

const engine = await loadEngine();
const example = { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 };
const sizes = Float64Array.from({ length: 1_000_000 }, (_, index) => index + 1);

/** Nanoseconds per call of `work`, the fastest of `calls`: the first ones compile. */
export function quickest(work, calls) {
  let least = Infinity;
  for (let call = 0; call < calls; ++call) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least * 1e6;
}

function shapeOf(model) {
  const inputs = new Set(engine.describe().plan.inputs.map(({ name }) => name));
  const row = engine.model_catalog().models.find(({ id }) => id === model);
  return Object.fromEntries(Object.entries(row).filter(([name]) => inputs.has(name)));
}

const llama = {
  ...shapeOf("llama-3.1-405b"),
  accelerator: "h100-sxm",
  nic_gb_per_sec: 50,
  cluster_gpus: 16384,
  global_batch_size: 2048,
  sequence_length: 8192,
};

export const wasm = {
  /** Layouts a second, each a whole step, none skipped: of a stack without rules, which refuse nine of ten. */
  plan_every_layout: () => {
    const whole = { ...llama, recipe: "other", prune: false };
    const { evaluated } = engine.plan(whole);
    const planAfresh = () => {
      forget(engine);
      engine.plan(whole);
    };
    return evaluated / (quickest(planAfresh, 15) * 1e-9);
  },
  tensor_parallel_cost: () =>
    quickest(() => {
      for (let call = 0; call < 1000; ++call) engine.tensor_parallel_allreduce_cost(example);
    }, 20) / 1000,
  sweep_of_a_million: () => {
    const axes = [{ field: "hidden_size", values: sizes }];
    return quickest(() => engine.sweep({ calculation: "tensor_parallel_allreduce_cost", inputs: example, axes }), 5);
  },
};
