// What a call costs through the boundary, by the engine as it ships.
// Usage: node bench/measure/boundary.mjs [another commcost.js]    compared with another build, alternating
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "./statistics.mjs";

const exercise = { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 };
// Twenty inputs: a Llama 3.1 70B on 64 H100.
const step = {
  hidden_size: 8192,
  num_layers: 80,
  num_heads: 64,
  num_kv_heads: 8,
  head_size: 128,
  ffn_hidden_size: 28672,
  vocab_size: 128256,
  gated_mlp: true,
  accelerator: "h100-sxm",
  gpus_per_node: 8,
  nic_gb_per_sec: 50,
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 1024,
  tensor_parallel: 8,
  pipeline_parallel: 2,
  data_parallel: 4,
  sequence_parallel: true,
  zero_stage: 1,
  token_budget: 1e12,
};
const ledger = {
  model: "llama-3.1-70b",
  system: "dgx-h100",
  sequence_length: 8192,
  batch_size: 1,
  data_parallel: 8,
  tensor_parallel: 8,
};
const sizes = Float64Array.from({ length: 1_000_000 }, (_, index) => index + 1);
const sweep = {
  calculation: "tensor_parallel_allreduce_cost",
  inputs: exercise,
  axes: [{ field: "hidden_size", values: sizes }],
};

// Clusters by the name that they had before, which later engines take too. A Llama 3.1 405B in numbers: the first releases plan no others.
const dense = {
  hidden_size: 16384,
  num_layers: 126,
  num_heads: 128,
  num_kv_heads: 8,
  ffn_hidden_size: 53248,
  vocab_size: 128256,
  gated_mlp: true,
  accelerator: "h100-sxm",
  gpus_per_node: 8,
  nic_gb_per_sec: 50,
  num_gpus: 16384,
  global_batch_size: 2048,
  sequence_length: 8192,
};
const experts = {
  model: "deepseek-v3",
  system: "dgx-h100",
  num_gpus: 2048,
  global_batch_size: 15360,
  sequence_length: 4096,
};

const upTo = (count, step) => Float64Array.from({ length: count }, (_, index) => step * (index + 1));
const stepCurve = {
  calculation: "training_step",
  inputs: step,
  axes: [{ field: "nic_gb_per_sec", values: upTo(256, 1) }],
};
const stepMap = {
  calculation: "training_step",
  inputs: step,
  axes: [
    { field: "nic_gb_per_sec", values: upTo(40, 5) },
    { field: "sequence_length", values: upTo(40, 1024) },
  ],
};

/** Steps that are asked again and again with one input changed, of each engine that can prepare them. */
const prepared = new WeakMap();
let asked = 0;

/** What a slider asks: engines without prepared calls are called anew. */
function slidStep(engine) {
  // So many values that no engine has kept the answer.
  const nic_gb_per_sec = 1 + (asked++ % 1000) / 10;
  if (!engine.prepare) return engine.training_step({ ...step, nic_gb_per_sec }).step_time_ms;
  if (!prepared.has(engine)) prepared.set(engine, engine.prepare("training_step", step));
  return prepared.get(engine).set("nic_gb_per_sec", nic_gb_per_sec).run().step_time_ms;
}

/** Has an engine forget what it knows of the last search. */
export const forget = (engine) =>
  engine.plan({ ...dense, num_layers: 1, num_gpus: 1, global_batch_size: 1, sequence_length: 1 });

/** What is measured: [how often in a row, the call, how many it counts for, what goes before it, in how many rounds]. */
export const works = {
  exercise: [2000, (engine) => engine.tensor_parallel_allreduce_cost(exercise), 1],
  training_step: [300, (engine) => engine.training_step(step), 1],
  ledger: [100, (engine) => engine.communication_ledger(ledger).rows.length, 1],
  training_step_prepared: [300, slidStep, 1],
  plan: [1, (engine) => engine.plan(dense), 1, forget],
  plan_with_experts: [1, (engine) => engine.plan(experts), 1, forget, 7],
  plan_scaling: [1, (engine) => engine.plan_scaling(dense), 1, forget, 7],
  plan_scaling_with_experts: [1, (engine) => engine.plan_scaling(experts), 1, forget, 3],
  point_of_a_sweep: [1, (engine) => engine.sweep(sweep), sizes.length],
  point_of_a_step_curve: [1, (engine) => engine.sweep(stepCurve), 256],
  point_of_a_step_map: [1, (engine) => engine.sweep(stepMap), 1600],
};

/** Nanoseconds of processor time: what else runs on the machine does not count. */
export function once(engine, [times, call, count, before]) {
  before?.(engine);
  const began = process.cpuUsage();
  for (let time = 0; time < times; ++time) call(engine);
  const { user, system } = process.cpuUsage(began);
  return ((user + system) * 1000) / (times * count);
}

/** Medians of `work` by each engine, in turn. */
function medians(engines, work, rounds = 15) {
  const measured = engines.map(() => []);
  for (let round = 0; round < rounds; ++round) {
    engines.forEach((engine, index) => {
      measured[index].push(once(engine, works[work]));
    });
  }
  return measured.map(median);
}

const own = new URL("../../build/engine/commcost.js", import.meta.url).href;
const engineOf = async (address) => (await import(address)).loadEngine();
/** The engine that was built in that tree. */
export const engineAt = (tree) => engineOf(pathToFileURL(`${tree}/build/engine/commcost.js`).href);

/** Nanoseconds a call, or a point, of what `works` names. */
export async function boundary(work) {
  return medians([await engineOf(own)], work)[0];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const other = process.argv[2];
  const engines = await Promise.all([other && pathToFileURL(resolve(other)).href, own].filter(Boolean).map(engineOf));
  for (const work of Object.keys(works)) {
    const times = medians(engines, work);
    console.log(`${work.padEnd(20)}${times.map((time) => `${time.toFixed(1).padStart(12)} ns`).join("")}`);
  }
}
