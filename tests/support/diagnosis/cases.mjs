// Runs of which it is known why they are slow. The first eight and their faults were written before the diagnosis, and are not
// changed after. A fault is put into one step kernel by kernel (step.mjs), the files are written as the tools write them (write.mjs).
import { nicOf, plainStepUs, rankStep } from "./step.mjs";
import { gpuSamples, ncclLog, stepTimes, trace, trainingLog } from "./write.mjs";

/** Llama 3.1 8B in one node: tensor and data parallel. */
const node = {
  model: "llama-3.1-8b",
  system: "dgx-h100",
  recipe: "megatron-core",
  tensor_parallel: 2,
  data_parallel: 4,
  sequence_parallel: true,
  zero_stage: 1,
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 16,
};
/** Llama 3.1 70B in eight nodes: tensor, pipeline and data parallel. */
const pipe = {
  model: "llama-3.1-70b",
  system: "dgx-h100",
  recipe: "megatron-core",
  tensor_parallel: 4,
  pipeline_parallel: 4,
  data_parallel: 4,
  sequence_parallel: true,
  zero_stage: 1,
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 32,
};
/** Llama 3.1 8B in four nodes, its weights in shards (FSDP). */
const shards = {
  model: "llama-3.1-8b",
  system: "dgx-h100",
  recipe: "torchtitan",
  data_parallel: 32,
  zero_stage: 3,
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 32,
};
const jobs = { node, pipe, shards };

/** Written before the diagnosis. `causes`: those put in, the larger first; `ranks`: whose profiles there are, the first is watched. */
export const before = [
  { name: "slow matrix products", job: "node", faults: { matmul: 1.3 }, ranks: [0], causes: ["slow_matmuls"] },
  {
    name: "a power cap",
    job: "node",
    faults: { matmul: 1.38, attention: 1.35 },
    ranks: [0],
    smi: { clock_mhz: 1185, power_w: 448, limit_w: 450, reasons: 0x4 },
    causes: ["throttled_clocks"],
  },
  {
    name: "a network at an eighth",
    job: "shards",
    faults: { nic: 0.125 },
    ranks: [0],
    nccl: { gpus: 32, collective: "all_gather" },
    causes: ["slow_network"],
  },
  {
    name: "one slow GPU",
    job: "node",
    faults: { straggler: { rank: 5, factor: 1.2 } },
    ranks: [0, 3, 5, 6],
    causes: ["straggler"],
  },
  { name: "nothing hidden", job: "shards", faults: { exposed: true }, ranks: [0], causes: ["not_overlapped"] },
  { name: "a slow host", job: "node", faults: { host_us: 90 }, ranks: [0], causes: ["host"] },
  { name: "stalls", job: "pipe", faults: { stalls: { every: 20, times: 5 } }, ranks: [], causes: ["stalls"] },
  {
    name: "slow attention, and stalls",
    job: "node",
    faults: { attention: 2.4, stalls: { every: 25, times: 2.5 } },
    ranks: [0],
    causes: ["slow_attention", "stalls"],
  },
];

/** Written with the diagnosis; with the first eight they are fifteen, five of them of two causes. */
export const later = [
  {
    name: "a stage that does more",
    job: "pipe",
    faults: { imbalance: { stage: 3, factor: 1.3 } },
    ranks: [0, 20, 52, 56],
    causes: ["stage_imbalance"],
  },
  {
    name: "one slow GPU, and a slow host",
    job: "node",
    faults: { straggler: { rank: 3, factor: 1.22 }, host_us: 50 },
    ranks: [0, 1, 3],
    causes: ["straggler", "host"],
  },
  {
    name: "recomputation that nobody asked for",
    job: "node",
    faults: { recompute: true },
    ranks: [0],
    causes: ["more_work"],
  },
  {
    name: "slow matrix products, and steps that get slower",
    job: "node",
    faults: { matmul: 1.4, drift_percent: 24 },
    ranks: [0],
    causes: ["slow_matmuls", "drift"],
  },
  {
    name: "a long warm-up",
    job: "node",
    faults: { warm_up: { steps: 20, times: 2.2 } },
    ranks: [],
    causes: ["warm_up"],
  },
  {
    name: "a network at an eighth, and stalls",
    job: "shards",
    faults: { nic: 0.125, stalls: { every: 15, times: 2.5 } },
    ranks: [0],
    nccl: { gpus: 32, collective: "all_gather" },
    causes: ["slow_network", "stalls"],
  },
  {
    name: "kernels that are not fused, and nothing hidden",
    job: "shards",
    faults: { elementwise: 2.6, exposed: true },
    ranks: [0],
    causes: ["slow_elementwise", "not_overlapped"],
  },
];

/** Beyond the fifteen. */
export const more = [
  { name: "a slow loader of data", job: "node", faults: { input_ms: 400 }, ranks: [0], causes: ["input"] },
  {
    name: "slow links in the node",
    job: "node",
    faults: { wire: { tensor: 5 } },
    ranks: [0],
    nccl: { gpus: 8, collective: "all_reduce", links: 5 },
    causes: ["slow_links"],
  },
];

/** As they should be. */
export const healthy = [
  { name: "a healthy node", job: "node", faults: {}, ranks: [0, 3], smi: {}, causes: [] },
  {
    name: "healthy shards",
    job: "shards",
    faults: {},
    ranks: [0],
    nccl: { gpus: 32, collective: "all_gather" },
    causes: [],
  },
  { name: "a healthy pipeline", job: "pipe", faults: {}, ranks: [], causes: [] },
];

/** Whether it needs a whole run's log, not one step. */
const ofLog = ["stalls", "warm_up", "drift_percent"];

const without = (faults, names) => Object.fromEntries(Object.entries(faults).filter(([name]) => !names.includes(name)));

const shapeOf = (engine, { model }) => engine.model_catalog().models.find(({ id }) => id === model).fills;

/** The files of a case, {name, text} each, their job, and the true causes, ms a step. */
export function filesOf(engine, one) {
  const job = jobs[one.job];
  const watched = one.ranks[0] ?? 0;
  const seed = one.seed ?? [...one.name].reduce((sum, c) => (31 * sum + c.charCodeAt(0)) | 0, 7);
  const ofStep = without(one.faults, ofLog);
  const measured = { ...one, job, seed, faults: one.faults };
  const usual_ms =
    (rankStep(engine, job, ofStep, watched, seed + 10).us + rankStep(engine, job, ofStep, watched, seed + 11).us) / 2e3;
  const times_ms = stepTimes(measured, usual_ms);
  const files = [];
  if (one.log !== false)
    files.push({ name: "train.log", text: trainingLog({ job, shape: shapeOf(engine, job), times_ms }) });
  for (const rank of one.ranks)
    files.push({ name: `rank${rank}.pt.trace.json`, text: trace(engine, { job, faults: ofStep, seed }, rank) });
  if (one.nccl) {
    const machine = ofStep.nic ? { nic_gb_per_sec: ofStep.nic * nicOf(engine, job) } : {};
    const { links = 1, ...asked } = one.nccl;
    // Links that are slow start as soon as others.
    const of = (bytes, us) => us * (1 + (links - 1) * Math.min(1, bytes / 2 ** 26));
    files.push({ name: "nccl.log", text: ncclLog(engine, { system: job.system, machine, of, seed, ...asked }) });
  }
  if (one.smi) files.push({ name: "smi.csv", text: gpuSamples({ seed, ...one.smi }) });

  // What each fault costs: the step with all of them, less the step without that one.
  const counted = times_ms.slice(1);
  const mean = counted.reduce((sum, ms) => sum + ms, 0) / counted.length;
  const plain_ms = (faults) => plainStepUs(engine, job, faults, watched) / 1e3;
  const expected_ms = engine.training_step(job).step_time_ms;
  const lost_ms = plain_ms(ofStep) - plain_ms({});
  // The same log without what was put into it.
  const plain = stepTimes({ ...measured, faults: ofStep }, usual_ms).slice(1);
  const inLog_ms = mean - plain.reduce((sum, ms) => sum + ms, 0) / plain.length;
  const measured_ms = one.log === false ? usual_ms : mean;
  return {
    job,
    files,
    measured_ms,
    expected_ms,
    unexplained_ms: measured_ms - expected_ms - lost_ms - inLog_ms,
  };
}
