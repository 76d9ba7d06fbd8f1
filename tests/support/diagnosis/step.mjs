// One training step of one GPU, kernel by kernel, as a stack launches it: times as the engine expects them of the job, noise on
// them, and faults that are put in where they act. What a fault costs is the difference to the same step without it.
import { noiseOf } from "./noise.mjs";

const model = {
  "llama-3.1-8b": { layers: 32, hidden: 4096, heads: 32, kvHeads: 8, ffn: 14336, vocabulary: 128256 },
  "llama-3.1-70b": { layers: 80, hidden: 8192, heads: 64, kvHeads: 8, ffn: 28672, vocabulary: 128256 },
};
const headSize = 128;

/** What a healthy job is: faults that cost nothing. */
export const noFaults = Object.freeze({
  matmul: 1,
  attention: 1,
  elementwise: 1,
  /** us before every kernel for which the GPU waits for the host. */
  host_us: 0,
  /** Whether what could be hidden behind compute is not. */
  exposed: false,
  /** Factor on the time of each dimension's collectives. */
  wire: {},
  /** The network's bandwidth, relative to what it should be: the engine determines how much of that shows. */
  nic: 1,
  /** How much longer the compute of one rank takes: {rank, factor}. */
  straggler: undefined,
  /** The same of all ranks of a stage: {stage, factor}. */
  imbalance: undefined,
  /** ms at the beginning of each step in which nothing runs. */
  input_ms: 0,
  /** Whether the forward pass of each layer runs again in the backward pass. */
  recompute: false,
});

/** How many times as long as elsewhere the stack's own kernels of a kind take. */
function paceOf(engine, job, scale) {
  const filled = engine.resolve_inputs({ calculation: "training_step", inputs: job });
  return filled[scale].value * filled.time_scale.value;
}

/**
 * The products of a layer's forward pass: rows, columns, inner; and the two that follow of each in the backward pass. Then those
 * of the LM head, which the last stage has once, and each of the kernels of its loss.
 */
function products(engine, job) {
  const { hidden, heads, kvHeads, ffn, vocabulary } = model[job.model];
  const tp = job.tensor_parallel ?? 1;
  const tokens = job.batch_size * job.sequence_length;
  const forward = [
    { of: "qkv", m: tokens, n: ((heads + 2 * kvHeads) * headSize) / tp, k: hidden },
    { of: "proj", m: tokens, n: hidden, k: (heads * headSize) / tp },
    { of: "fc1", m: tokens, n: (2 * ffn) / tp, k: hidden },
    { of: "fc2", m: tokens, n: hidden, k: ffn / tp },
  ];
  const pace = paceOf(engine, job, "gemm_time_scale");
  const timed = ({ of, m, n, k }) => ({
    of,
    m,
    n,
    k,
    us:
      pace *
      engine.kernel_time({ kind: "gemm", system: job.system, recipe: job.recipe, load: "sustained", m, n, k }).time_us,
  });
  const gradients = ({ of, m, n, k }) => [timed({ of, m, n: k, k: n }), timed({ of, m: n, n: k, k: m })];
  const head = { of: "head", m: tokens, n: vocabulary / tp, k: hidden };
  const loss = engine.kernel_time({
    kind: "elementwise",
    system: job.system,
    load: "sustained",
    m: tokens,
    n: vocabulary / tp,
    read_bytes_per_element: bytesOfLogit,
    write_bytes_per_element: bytesOfLogit,
  });
  return {
    forward: forward.map(timed),
    backward: forward.flatMap(gradients),
    head: {
      forward: timed(head),
      backward: gradients(head),
      loss_us: paceOf(engine, job, "elementwise_time_scale") * loss.time_us,
    },
  };
}

/** Logits are kept in fp32 and pass through that many kernels of the loss. */
const bytesOfLogit = 4;
const lossKernels = 6;

function attention(engine, job, backward) {
  const { heads, kvHeads } = model[job.model];
  const tp = job.tensor_parallel ?? 1;
  const { time_us } = engine.kernel_time({
    kind: "attention_prefill",
    system: job.system,
    recipe: job.recipe,
    load: "sustained",
    batch_size: job.batch_size,
    sequence_length: job.sequence_length,
    num_heads: heads / tp,
    num_kv_heads: Math.max(1, kvHeads / tp),
    head_size: headSize,
    backward,
  });
  return paceOf(engine, job, "attention_time_scale") * time_us;
}

/** Where a rank is, as Megatron-LM orders them: tensor first, then data, then pipeline. */
export function placeOf(job, rank) {
  const { tensor_parallel: tp = 1, data_parallel: dp = 1 } = job;
  return { tensor: rank % tp, data: Math.floor(rank / tp) % dp, stage: Math.floor(rank / tp / dp) };
}

/** Ranks of the group of a dimension that a rank is in. */
export function groupOf(job, rank, dimension) {
  const { tensor_parallel: tp = 1, data_parallel: dp = 1, pipeline_parallel: pp = 1 } = job;
  const { tensor, data, stage } = placeOf(job, rank);
  const at = (t, d, p) => t + tp * (d + dp * p);
  if (dimension === "tensor") return Array.from({ length: tp }, (_, t) => at(t, data, stage));
  if (dimension === "data") return Array.from({ length: dp }, (_, d) => at(tensor, d, stage));
  return Array.from({ length: pp }, (_, p) => at(tensor, data, p));
}

/** What of a job's step is expected, by the engine. */
function expectedOf(engine, job, faults) {
  const slow = faults.nic === 1 ? job : { ...job, nic_gb_per_sec: faults.nic * nicOf(engine, job) };
  const step = engine.training_step(slow);
  const rows = engine.communication_ledger(slow).rows.filter((row) => row.sent_by_stage);
  const exposed = Object.fromEntries(step.traffic.map((one) => [one.dimension, 1e3 * one.exposed_ms]));
  const wire = {};
  for (const { dimension, time_us } of rows) {
    const as = dimension === "vocabulary" || dimension === "sequence" ? "tensor" : dimension;
    wire[as] = (wire[as] ?? 0) + time_us;
  }
  return { step, rows, exposed, wire };
}

export const nicOf = (engine, job) =>
  engine.resolve_inputs({ calculation: "training_step", inputs: job }).nic_gb_per_sec.value;

/**
 * The events of a rank in one step, us from its beginning: {kind, name, start, us, stream, …}, and how long it takes. Compute
 * goes on stream 7, messages on 20 and up; `lag_us`: how much longer than this rank the slowest one computes.
 */
function eventsOf(engine, job, faults, rank, noise, bias, lag_us) {
  const { layers } = model[job.model];
  const { pipeline_parallel: pp = 1 } = job;
  const place = placeOf(job, rank);
  const { step, rows, exposed, wire } = expectedOf(engine, job, faults);
  const healthy = engine.training_step(job);
  const micro = step.micro_batches;
  const mine = layers / pp;
  const { forward, backward, head } = products(engine, job);
  const flash = [attention(engine, job, false), attention(engine, job, true)];
  const sum = (list) => list.reduce((total, { us }) => total + us, 0);
  // The slowest stage is the last, which has the LM head as well; the others wait for it.
  const head_us = head.forward.us + sum(head.backward) + lossKernels * head.loss_us;
  const isLast = place.stage === pp - 1;
  const rest =
    1e3 * healthy.parts.compute_ms - micro * (mine * (sum(forward) + sum(backward) + flash[0] + flash[1]) + head_us);
  // Norms, positions, activation, residual and the embedding: what else the step computes.
  const between = rest / (micro * mine * elementwisePerLayer);
  if (!(between > 0)) throw new Error("the parts of a step do not add up");
  const own =
    (faults.straggler?.rank === rank ? faults.straggler.factor : 1) *
    (faults.imbalance?.stage === place.stage ? faults.imbalance.factor : 1);

  const events = [];
  let now = 1e3 * faults.input_ms;
  let computed = 0;
  const run = (kind, us, more) => {
    now += faults.host_us;
    const took = us * faults[kind] * own * bias[kind] * noise();
    events.push({ ...more, kind, start: now, us: took, stream: 7 });
    now += took;
    computed += took;
  };
  /** A message of which a part is waited for at once, while the rest travels during what follows. */
  const send = (dimension, row, us, share, more_us = 0) => {
    const took = us * (faults.wire[dimension] ?? 1) * bias.wire * noise();
    const hidden = faults.exposed ? 0 : Math.max(0, 1 - share);
    // What is longer than it should be is not hidden any better.
    const waited = took - Math.min(took, us * hidden);
    events.push({
      kind: dimension,
      start: now,
      us: took + more_us,
      stream: { tensor: 20, data: 24, pipeline: 28 }[dimension],
      collective: row.collective,
      bytes: row.message_size_bytes,
      group: groupOf(job, rank, dimension),
    });
    now += waited + more_us;
  };
  const shares = Object.fromEntries(Object.keys(wire).map((d) => [d, Math.min(1, (exposed[d] ?? 0) / wire[d])]));
  const rowsOf = (dimension, phase) =>
    rows.filter((row) => row.dimension === dimension && row.phase === phase && row.calls >= mine);
  const elementwise = (name, times) => {
    for (let at = 0; at < times; ++at) run("elementwise", between, { name });
  };
  const tensorRows = rows.filter(({ dimension, calls }) => dimension === "tensor" && calls >= micro * mine);
  const tensorCalls = tensorRows.reduce((calls, row) => calls + row.calls, 0) / (micro * mine);
  const tensorEach = tensorCalls > 0 ? wire.tensor / (micro * mine * tensorCalls) : 0;
  // Who waits for a straggler in its tensor group does so in each of its messages.
  const peer =
    faults.straggler !== undefined && groupOf(job, faults.straggler.rank, "tensor").includes(rank) && tensorCalls > 0;
  const sendTensor = () => {
    if (tensorCalls === 0) return;
    for (let call = 0; call < tensorCalls / 4; ++call)
      send("tensor", tensorRows[0], tensorEach, shares.tensor, peer ? lag_us / (micro * mine * tensorCalls) : 0);
  };
  const layerForward = () => {
    elementwise("norm", 2);
    run("matmul", forward[0].us, forward[0]);
    elementwise("rope", 2);
    run("attention", flash[0], { name: "flash_fwd" });
    run("matmul", forward[1].us, forward[1]);
    sendTensor();
    elementwise("norm", 2);
    run("matmul", forward[2].us, forward[2]);
    elementwise("swiglu", 1);
    run("matmul", forward[3].us, forward[3]);
    sendTensor();
  };
  const layerBackward = () => {
    run("matmul", backward[6].us, backward[6]);
    run("matmul", backward[7].us, backward[7]);
    elementwise("swiglu_backward", 2);
    run("matmul", backward[4].us, backward[4]);
    sendTensor();
    run("matmul", backward[5].us, backward[5]);
    elementwise("norm_backward", 3);
    run("matmul", backward[2].us, backward[2]);
    run("matmul", backward[3].us, backward[3]);
    run("attention", flash[1], { name: "flash_bwd" });
    elementwise("rope_backward", 2);
    run("matmul", backward[0].us, backward[0]);
    sendTensor();
    run("matmul", backward[1].us, backward[1]);
    elementwise("norm_backward", 2);
  };
  const headForward = () => {
    run("matmul", head.forward.us, head.forward);
    for (let at = 0; at < lossKernels / 2; ++at) run("elementwise", head.loss_us, { name: "loss" });
  };
  const headBackward = () => {
    for (let at = 0; at < lossKernels / 2; ++at) run("elementwise", head.loss_us, { name: "loss_backward" });
    for (const one of head.backward) run("matmul", one.us, one);
  };
  const gathers = { forward: rowsOf("data", "forward"), backward: rowsOf("data", "backward") };
  const sharded = gathers.forward.length > 0;
  const dataCalls = rows.filter(({ dimension }) => dimension === "data");
  const boundary = wire.pipeline ? rows.find(({ dimension }) => dimension === "pipeline") : undefined;

  for (let batch = 0; batch < micro; ++batch) {
    const last = batch === micro - 1;
    for (let layer = 0; layer < mine; ++layer) {
      if (sharded) for (const row of gathers.forward) send("data", row, row.time_us / row.calls, shares.data);
      layerForward();
    }
    if (boundary) send("pipeline", boundary, wire.pipeline / micro / 2, shares.pipeline, isLast ? 0 : head_us);
    if (isLast) {
      headForward();
      headBackward();
    }
    for (let layer = 0; layer < mine; ++layer) {
      if (sharded)
        gathers.backward.forEach((row, at) =>
          send("data", row, row.time_us / row.calls, shares.data, at === 0 ? lag_us / (micro * mine) : 0),
        );
      if (faults.recompute) layerForward();
      layerBackward();
      if (!sharded && last && wire.data)
        send("data", dataCalls[0], wire.data / mine, shares.data, layer === mine - 1 && !peer ? lag_us : 0);
    }
    if (boundary) send("pipeline", boundary, wire.pipeline / micro / 2, shares.pipeline);
  }
  // A pipeline that fills and drains waits in its receives.
  if (healthy.parts.bubble_ms > 0 && boundary)
    send("pipeline", boundary, (1e3 * healthy.parts.bubble_ms) / (faults.wire.pipeline ?? 1), 1);
  run("elementwise", 1e3 * healthy.parts.optimizer_ms, { name: "adam" });
  now += 1e3 * (healthy.parts.straggler_ms + healthy.parts.launch_ms);
  return { events, us: now, computed, waits_us: isLast ? 0 : micro * head_us };
}

/** Element-wise kernels of a layer in both passes. */
const elementwisePerLayer = 7 + 9;

const quiet = () => 1;
const unbiased = { matmul: 1, attention: 1, elementwise: 1, wire: 1 };

/** How much a whole kind of kernel may differ from its prediction, on this machine. */
export function biasOf(seed) {
  const noise = noiseOf(seed);
  return { matmul: noise(), attention: noise(), elementwise: noise(), wire: noise() };
}

/** By how much longer the slowest rank computes than one that no fault is put into, beyond what that one always waits, us. */
function lagOf(engine, job, faults, rank) {
  const { straggler, imbalance } = faults;
  const slow =
    straggler?.rank ?? (imbalance ? imbalance.stage * (job.tensor_parallel ?? 1) * (job.data_parallel ?? 1) : rank);
  const of = (one) => eventsOf(engine, job, faults, one, quiet, unbiased, 0);
  const own = of(rank);
  return Math.max(0, of(slow).computed - own.computed - own.waits_us);
}

/** A rank's step with faults: its events, and how long it is, us. */
export function rankStep(engine, job, faults, rank, seed) {
  const all = { ...noFaults, ...faults };
  return eventsOf(engine, job, all, rank, noiseOf(seed + 1000 * rank), biasOf(seed), lagOf(engine, job, all, rank));
}

/** How long the job's step is with these faults and neither noise nor bias, us: that of the rank that is watched. */
export function plainStepUs(engine, job, faults, rank) {
  const all = { ...noFaults, ...faults };
  return eventsOf(engine, job, all, rank, quiet, unbiased, lagOf(engine, job, all, rank)).us;
}
