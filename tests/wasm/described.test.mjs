// What the texts that this calculator answers describe, each with the call and the link that show it, and the text's own figure next to
// ours where it has one (`published`; `holds` is what else must be so). `node --test tests/wasm/described.test.mjs` prints the list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { engine } from "./support.mjs";

const exercise = "Onlearn, Tensor Parallelism All-Reduce Communication Cost";
const playbook = "Ultra-Scale Playbook, appendix";
const demystifying = "arXiv:2408.10197";
const panel = "ExaComm’24 panel, M. Emani";

const layer = { hidden_size: 4096, sequence_length: 2048, batch_size: 1, num_layers: 32 };
const ring = (collective, ranks, of) => ({
  call: [
    "collective_cost",
    { collective, algorithm: "ring", ranks, message_size_bytes: 1e6, bandwidth_gb_per_sec: 1, latency_us: 0 },
  ],
  link: `view=ring&collective=${collective}&algorithm=ring&ranks=${ranks}`,
  of,
});
/** One of a playbook's ratios: it counts elements over bytes a second, so that they hold at one byte each. */
const ratio = (scheme, inputs, published) => ({
  call: ["overlap_ratio", { scheme, batch_size: 1, bytes_per_element: 1, peak_tflops: 989, ...inputs }],
  link: `view=overlap&scheme=${scheme}`,
  of: ({ printed_ratio }) => printed_ratio,
  published,
});
const copied = (system, host_memory, published) => ({
  source: `${panel}, table 4`,
  what: `copy rate of ${host_memory} memory, ${system}, GB/s`,
  call: ["host_copy_time", { system, host_memory, copied_bytes: 1e9 }],
  link: `view=step&system=${system}`,
  of: ({ copy_us }) => 1e9 / copy_us / 1e3,
  published,
});
/** The band is wide where few rates are known; the median is within a tenth. */
const sent = (system, published) => ({
  source: `${panel}, table 4`,
  what: `rate from one GPU to another, ${system}, GB/s`,
  call: ["predict_collective", { system, collective: "send_receive", num_gpus: 2, message_size_bytes: 2 ** 30 }],
  link: `view=network&system=${system}&collective=send_receive&tensor_parallel=2`,
  of: ({ algorithm_bandwidth_gb_per_sec }) => algorithm_bandwidth_gb_per_sec,
  published,
  within: 0.1,
});
const size =
  (thing) =>
  ({ sizes }) =>
    sizes.find((one) => one.thing === thing).elements;
const sizes = {
  call: ["model_sizes", { ...layer, num_heads: 32, ffn_hidden_size: 16384, gated_mlp: true, tensor_parallel: 1 }],
  link: "view=step&hidden_size=4096",
};
const projected = {
  source: panel,
  call: ["project_scaling", { compute_share: 0.771025, communication_share: 0.228975, efficiency: 1 / 7.35 }],
  link: "view=projection",
};
const step = {
  model: "gpt3-175b",
  system: "dgx-a100",
  cluster_gpus: 256,
  sequence_length: 2048,
  global_batch_size: 64,
};
const h = 4096;
/** The panel's sizes that GPT-3's family has, under one ZeRO stage on so many GPUs of one of its systems. */
const sizesOfPanel = ["megatron-1.7b", "megatron-3.6b", "megatron-7.5b", "megatron-18.4b"];
const sharded = (model, system, data_parallel, more = {}) => ({
  model,
  system,
  recipe: "deepspeed",
  data_parallel,
  zero_stage: 3,
  sequence_length: 1024,
  batch_size: 8,
  global_batch_size: 8 * data_parallel,
  ...more,
});
const exposedShare = (step) => step.parts.exposed_data_ms / step.step_time_ms;
const sentForData = (ledger) => ledger.by_dimension.find(({ dimension }) => dimension === "data").sent_bytes_per_gpu;
const table4 = (what, system, of, published) => ({
  source: `${panel}, table 4`,
  what: `${what}, ${system}`,
  call: ["hardware_catalog", {}],
  link: `view=network&system=${system}`,
  of: ({ systems, accelerators }) => {
    const row = systems.find(({ id }) => id === system);
    return of(
      row,
      accelerators.find(({ id }) => id === row.accelerator),
    );
  },
  published,
});

const described = [
  {
    source: exercise,
    what: "message, bytes: batch × sequence × hidden × bytes",
    call: ["tensor_parallel_allreduce_cost", { ...layer, num_gpus: 8 }],
    link: "view=cost",
    of: (is) => is.message_size_bytes,
    published: 2048 * h * 2,
  },
  {
    source: exercise,
    what: "volume of an all-reduce over 8 GPUs, in messages",
    call: ["tensor_parallel_allreduce_cost", { ...layer, num_gpus: 8 }],
    link: "view=cost",
    of: (is) => is.comm_volume_per_allreduce_bytes / is.message_size_bytes,
    published: (2 * 7) / 8,
  },
  {
    source: exercise,
    what: "total time at 300 GB/s, ms",
    call: ["tensor_parallel_allreduce_cost", { ...layer, num_gpus: 8 }],
    link: "view=cost",
    of: (is) => is.total_comm_time_ms,
    published: (64 * 29360128) / 3e8,
    within: 1e-5,
  },
  {
    source: exercise,
    what: "one GPU sends nothing",
    call: ["tensor_parallel_allreduce_cost", { ...layer, num_gpus: 1 }],
    link: "view=cost&tensor_parallel=1",
    of: (is) => is.total_comm_volume_bytes,
    published: 0,
  },
  {
    source: exercise,
    what: "NVLink bandwidth utilization, %",
    call: [
      "predict_collective",
      { system: "dgx-a100", collective: "all_reduce", num_gpus: 8, message_size_bytes: 2 ** 28 },
    ],
    link: "view=network&system=dgx-a100",
    of: (is) => is.link_utilization_percent,
  },
  {
    source: exercise,
    what: "partitions of a matrix in 1, 2, 2.5 and 3 dimensions",
    call: ["partition_schemes", { model: "llama-2-7b", num_gpus: 16, sequence_length: 2048, batch_size: 1 }],
    link: "view=overlap",
    of: (is) => is.schemes.length,
    holds: 4,
  },
  {
    source: exercise,
    what: "network topology: with 7:1 oversubscription between pods, % of a card’s rate left",
    call: [
      "predict_collective",
      {
        system: "dgx-h100",
        collective: "all_reduce",
        num_gpus: 64,
        message_size_bytes: 2 ** 30,
        pod_gpus: 32,
        oversubscription: 7,
      },
    ],
    link: "view=network&system=dgx-h100&tensor_parallel=64&pod_gpus=32&oversubscription=7",
    of: (is) => is.spine_share_percent,
  },
  {
    source: exercise,
    what: "network topology: leaf, spine and core with a ratio at each border, % of a card’s rate left",
    call: [
      "predict_collective",
      { system: "alibaba-hpn", collective: "all_to_all", num_gpus: 30720, message_size_bytes: 2 ** 30 },
    ],
    link: "view=network&system=alibaba-hpn&collective=all_to_all&tensor_parallel=30720",
    of: (is) => is.spine_share_percent,
  },
  {
    source: exercise,
    what: "memory hierarchy: levels that a layer’s longest product is followed through",
    call: [
      "layer_roofline",
      { model: "llama-3.1-8b", system: "dgx-a100", sequence_length: 4096, batch_size: 1, tensor_parallel: 1 },
    ],
    link: "view=step&model=llama-3.1-8b&system=dgx-a100&tensor_parallel=1",
    of: (is) => is.levels.length,
    holds: 6,
  },
  {
    source: exercise,
    what: "share of a product’s time that channels of a collective cost it, %",
    call: ["overlap_gain", { system: "dgx-h100", num_gpus: 8, collective: "all_gather", message_size_bytes: 2 ** 28 }],
    link: "view=overlap&system=dgx-h100",
    of: (is) => is.slowdown_percent,
  },
  {
    source: `${playbook} A0`,
    what: "ring of 5: rounds of an all-reduce, 2(N − 1)",
    ...ring("all_reduce", 5, (is) => is.rounds),
    published: 8,
  },
  {
    source: `${playbook} A0`,
    what: "ring of 5: sent by each GPU, of K",
    ...ring("all_reduce", 5, (is) => is.sent_bytes_per_rank / 1e6),
    published: 1.6,
  },
  {
    source: `${playbook} A0`,
    what: "ring of 1,000: approximately 2K",
    ...ring("all_reduce", 1000, (is) => is.sent_bytes_per_rank / 1e6),
    published: 2,
    within: 0.0011,
  },
  {
    source: `${playbook} A0`,
    what: "reduce-scatter of a ring of 1,000: approximately K",
    ...ring("reduce_scatter", 1000, (is) => is.sent_bytes_per_rank / 1e6),
    published: 1,
    within: 0.0011,
  },
  {
    source: `${playbook} A0`,
    what: "all-gather of a ring of 1,000: approximately K",
    ...ring("all_gather", 1000, (is) => is.sent_bytes_per_rank / 1e6),
    published: 1,
    within: 0.0011,
  },
  ...["broadcast", "reduce", "all_reduce", "gather", "all_gather", "scatter", "reduce_scatter"].map((collective) => ({
    source: `${playbook} A0`,
    what: `${collective} over 3 GPUs, executed on numbers`,
    call: [
      "collective_schedule",
      { collective, algorithm: ["gather", "scatter"].includes(collective) ? "binomial_tree" : "ring", ranks: 3 },
    ],
    link: `view=ring&collective=${collective}&ranks=3`,
    of: (is) => Number(is.correct),
    holds: 1,
  })),
  {
    source: `${playbook} A0`,
    what: "barrier: rounds over 3 GPUs",
    call: [
      "collective_cost",
      {
        collective: "barrier",
        algorithm: "dissemination",
        ranks: 3,
        message_size_bytes: 0,
        bandwidth_gb_per_sec: 1,
        latency_us: 1,
      },
    ],
    link: "view=ring&collective=barrier&ranks=3",
    of: (is) => is.rounds,
  },
  {
    source: `${playbook} A1`,
    what: "a profile taken apart, µs of compute that communication overlaps",
    call: [
      "trace_breakdown",
      { start_us: [0, 40, 95], duration_us: [60, 50, 5], stream: [7, 20, 20], communication: [0, 1, 1] },
    ],
    link: "view=diagnose",
    of: (is) => is.overlapped_us,
  },
  {
    source: `${playbook} A1`,
    what: "one kernel by itself, µs: a pass over 10,000 × 10,000 numbers on A100",
    call: ["kernel_time", { kind: "elementwise", m: 10000, n: 10000, accelerator: "a100-sxm-80gb" }],
    link: "view=step",
    of: (is) => is.time_us,
  },
  {
    source: `${playbook} A2`,
    what: "hidden state: seq · mbs · h",
    ...sizes,
    of: size("hidden_state"),
    published: 2048 * h,
  },
  {
    source: `${playbook} A2`,
    what: "optimizer states of a weight matrix: 6h²",
    ...sizes,
    of: size("weight_optimizer"),
    published: 6 * h * h,
  },
  {
    source: `${playbook} A2`,
    what: "a layer with a gated MLP: 16h², norms apart",
    ...sizes,
    of: size("layer"),
    published: 16 * h * h,
    within: 1e-4,
  },
  { source: `${playbook} A2`, what: "attention: 3h² + h²", ...sizes, of: size("attention"), published: 4 * h * h },
  {
    source: `${playbook} A3`,
    what: "data parallelism, communication over compute",
    ...ratio(
      "data_parallel",
      {
        hidden_size: h,
        num_heads: 32,
        num_layers: 32,
        sequence_length: 8192,
        tensor_parallel: 1,
        data_parallel: 16,
        bandwidth_gb_per_sec: 50,
      },
      ((15 / 16) * 989e12) / (2 * 8192 * 50e9),
    ),
    of: (is) => is.ratio,
  },
  {
    source: `${playbook} A3`,
    what: "ZeRO-3, communication over compute",
    ...ratio(
      "zero_3",
      {
        hidden_size: h,
        num_heads: 32,
        num_layers: 32,
        sequence_length: 4096,
        tensor_parallel: 1,
        data_parallel: 8,
        bandwidth_gb_per_sec: 50,
      },
      ((7 / 8) * 989e12) / (2 * 4096 * 50e9),
    ),
  },
  {
    source: `${playbook} A3`,
    what: "tensor parallelism, communication over compute",
    ...ratio(
      "tensor_parallel",
      {
        hidden_size: 8192,
        num_heads: 64,
        num_layers: 1,
        sequence_length: 4096,
        tensor_parallel: 8,
        bandwidth_gb_per_sec: 450,
      },
      (7 * 989e12) / (2 * 8192 * 450e9),
    ),
  },
  {
    source: `${playbook} A3`,
    what: "pipeline parallelism, communication over compute",
    ...ratio(
      "pipeline_parallel",
      {
        hidden_size: 8192,
        num_heads: 64,
        num_layers: 80,
        sequence_length: 4096,
        tensor_parallel: 1,
        pipeline_parallel: 8,
        bandwidth_gb_per_sec: 50,
      },
      989e12 / (32 * 8192 * 10 * 50e9),
    ),
  },
  {
    source: demystifying,
    what: "volume of a step by dimension, GB that a GPU sends for TP",
    call: [
      "communication_ledger",
      { ...step, tensor_parallel: 8, pipeline_parallel: 8, data_parallel: 4, batch_size: 1 },
    ],
    link: "view=step&model=gpt3-175b&system=dgx-a100&tensor_parallel=8&pipeline_parallel=8&cluster_gpus=256",
    of: (is) => is.by_dimension.find(({ dimension }) => dimension === "tensor").sent_bytes_per_gpu / 1e9,
  },
  {
    source: demystifying,
    what: "how often each message is sent: TP’s calls of a step, 4 a layer × 12 layers × 16 micro-batches",
    call: [
      "communication_ledger",
      { ...step, tensor_parallel: 8, pipeline_parallel: 8, data_parallel: 4, batch_size: 1 },
    ],
    link: "view=step&model=gpt3-175b&system=dgx-a100&tensor_parallel=8&pipeline_parallel=8&cluster_gpus=256",
    of: (is) => is.by_dimension.find(({ dimension }) => dimension === "tensor").calls,
    holds: 4 * 12 * 16,
  },
  {
    source: demystifying,
    what: "choice of interconnect: H100 over A100 nodes, time of one all-reduce",
    call: [
      "predict_collective",
      { system: "dgx-h100", collective: "all_reduce", num_gpus: 16, message_size_bytes: 2 ** 28 },
    ],
    link: "view=network&system=dgx-h100&tensor_parallel=16",
    of: (is) =>
      is.time_us /
      engine.predict_collective({
        system: "dgx-a100",
        collective: "all_reduce",
        num_gpus: 16,
        message_size_bytes: 2 ** 28,
      }).time_us,
  },
  copied("polaris-2023", "pinned", 24.6),
  copied("polaris-2023", "pageable", 19.2),
  copied("tg40", "pinned", 26.1),
  copied("tg40", "pageable", 12.2),
  copied("tg80", "pinned", 26.2),
  copied("tg80", "pageable", 12.4),
  sent("polaris-2023", 80.5),
  sent("tg40", 277.6),
  sent("tg80", 278.8),
  ...[
    ["polaris-2023", 560, 4, 25],
    ["tg40", 22, 8, 200],
    ["tg80", 2, 8, 200],
  ].flatMap(([system, nodes, gpus, rate]) => [
    table4("nodes", system, (row) => row.nodes, nodes),
    table4("GPUs of a node", system, (row) => row.gpus_per_node, gpus),
    table4("rate of a node’s cards, GB/s", system, (row) => row.nic_gb_per_sec * row.gpus_per_node, rate),
  ]),
  ...[
    ["polaris-2023", 1555],
    ["tg40", 1555],
    ["tg80", 2039],
  ].map(([system, rate]) => table4("memory, GB/s", system, (_, gpu) => gpu.hbm_gb_per_sec, rate)),
  ...[1, 2, 3].map((zero_stage) => ({
    source: `${panel}, fig. 2`,
    what: `ZeRO-${zero_stage}: sizes from 1.7B to 18.4B of which each sends more than the one before`,
    call: ["communication_ledger", sharded(sizesOfPanel[0], "polaris-2023", 64, { zero_stage })],
    link: `view=step&model=${sizesOfPanel[0]}&system=polaris-2023&cluster_gpus=64&data_parallel=64&zero_stage=${zero_stage}`,
    of: (smallest) => {
      const sent = sizesOfPanel
        .slice(1)
        .map((model) => sentForData(engine.communication_ledger(sharded(model, "polaris-2023", 64, { zero_stage }))));
      return sent.filter((bytes, at) => bytes > (sent[at - 1] ?? sentForData(smallest))).length;
    },
    holds: 3,
  })),
  {
    source: `${panel}, fig. 2`,
    what: "communication’s share of a step on Polaris at 18.4B, %",
    call: ["training_step", sharded("megatron-18.4b", "polaris-2023", 64)],
    link: "view=projection&system=polaris-2023",
    of: (is) => 100 * exposedShare(is),
  },
  {
    source: `${panel}, fig. 2`,
    what: "that share rises with the size on the slower network: sizes of which it does",
    call: ["training_step", sharded(sizesOfPanel[0], "polaris-2023", 64)],
    link: "view=projection&system=polaris-2023",
    of: (smallest) => {
      const shares = sizesOfPanel
        .slice(1)
        .map((model) => exposedShare(engine.training_step(sharded(model, "polaris-2023", 64))));
      return shares.filter((share, at) => share > (shares[at - 1] ?? exposedShare(smallest))).length;
    },
    holds: 3,
  },
  {
    source: `${panel}, fig. 14`,
    what: "speed-up of 1.7B under ZeRO-3 from 4 GPUs of Polaris to 512, 128 being linear",
    call: ["training_step", sharded("megatron-1.7b", "polaris-2023", 512)],
    link: "view=projection&system=polaris-2023",
    of: (is) =>
      (128 * engine.training_step(sharded("megatron-1.7b", "polaris-2023", 4)).step_time_ms) / is.step_time_ms,
  },
  {
    source: `${panel}, takeaways`,
    what: "gradients of one byte on the wire, of the volume of ZeRO-2 in full",
    call: [
      "communication_ledger",
      sharded("megatron-7.5b", "polaris-2023", 64, { zero_stage: 2, gradient_wire_bytes_per_element: 1 }),
    ],
    link: "view=step&model=megatron-7.5b&system=polaris-2023&zero_stage=2&gradient_wire_bytes_per_element=1",
    of: (is) =>
      sentForData(is) /
      sentForData(engine.communication_ledger(sharded("megatron-7.5b", "polaris-2023", 64, { zero_stage: 2 }))),
    // Weights of two bytes are gathered as before.
    holds: (1 + 2) / (2 + 2),
  },
  {
    ...projected,
    what: "times as long that communication takes on the slower system",
    of: (is) => is.communication_time_ratio,
    published: 7.35,
    within: 1e-9,
  },
  {
    ...projected,
    what: "throughput lost with it, %",
    of: (is) => is.throughput_loss_percent,
    published: 59.25,
    within: 1e-4,
  },
  {
    source: panel,
    what: "DP against TP, T/(3h) at 16,384 tokens of GPT-3",
    call: ["data_or_tensor", { model: "gpt3-175b", num_gpus: 8, sequence_length: 2048, batch_size: 1 }],
    link: "view=projection&model=gpt3-175b",
    of: (is) => is.printed_ratio,
    published: 16384 / (3 * 12288),
  },
  ...["pipeline_across_nodes", "largest_micro_batch", "data_before_tensor"].map((rule) => ({
    source: `${panel}, takeaways`,
    what: `rule ${rule}, judged for the scenario`,
    call: ["plan", step],
    link: "view=plan&model=gpt3-175b&system=dgx-a100&cluster_gpus=256",
    of: (is) => is.rules.filter((one) => one.rule === rule && /ExaComm/.test(one.source)).length,
    holds: 1,
  })),
  {
    source: `${panel}, takeaways`,
    what: "TP within a node, judged for the scenario",
    call: ["plan", step],
    link: "view=plan&model=gpt3-175b&system=dgx-a100&cluster_gpus=256",
    of: (is) => is.rules.filter(({ rule }) => rule === "tensor_within_node").length,
    holds: 1,
  },
];

/** What is shown by files that a reader gives and by pages: each with the test that does it, or the words of its page. */
const shown = [
  {
    source: `${playbook} A1`,
    what: "a profiler’s table of operators",
    link: "view=diagnose",
    in: "tests/page/trace.test.mjs",
    says: "the operators of a profile stand next to its kernels",
  },
  {
    source: `${playbook} A1`,
    what: "a profile’s kernels on their streams, next to the prediction",
    link: "view=diagnose",
    in: "tests/page/trace.test.mjs",
    says: "each device of a profile stands apart, with the kernels that took most of a step",
  },
  {
    source: `${playbook} A1`,
    what: "profile_memory=True",
    link: "view=diagnose",
    in: "tests/page/trace.test.mjs",
    says: "memory of a profile stands next to what the step is predicted to need",
  },
  {
    source: `${playbook} A1`,
    what: "a memory snapshot",
    link: "view=diagnose",
    in: "tests/page/snapshot.test.mjs",
    says: "Diagnose shows a snapshot in front of what the job is predicted to hold, part by part",
  },
  ...["torch.cuda.Event(enable_timing=True)", "warm-up", "ncu --set full", "_record_memory_history()"].map((says) => ({
    source: `${playbook} A1`,
    what: `how to profile: ${says}`,
    in: "web/formulas/practice.html",
    says,
  })),
  {
    source: exercise,
    what: "the function itself, run on cases",
    link: "view=exercise",
    in: "tests/page/function.test.mjs",
    says: "of each function with a usual bug the first wrong case is shown",
  },
  {
    source: panel,
    what: "a profile’s shares of compute and communication, projected",
    link: "view=diagnose",
    in: "web/views/diagnose/trace/trace-section.ts",
    says: "Project with these shares",
  },
  {
    source: panel,
    what: "mean squared error of the projection over measured pairs",
    link: "view=projection",
    in: "tests/page/projection.test.mjs",
    says: "the claim is what the measured pairs say",
  },
  {
    source: `${panel}, fig. 14`,
    what: "GPUs by model sizes as one grid",
    link: "view=projection",
    in: "tests/page/projection.test.mjs",
    says: "sizes and GPUs in one grid, as the engine prices them",
  },
];

const answers = new Map();
const answerOf = ([name, inputs]) => {
  const key = JSON.stringify([name, inputs]);
  if (!answers.has(key)) answers.set(key, engine[name](inputs));
  return answers.get(key);
};
const short = (value) => String(Number(value.toPrecision(5)));

test("what the texts describe is answered, with their figures where they have some", (t) => {
  for (const { source, what, call, link, of, published, holds = published, within = 1e-12 } of described) {
    const ours = of(answerOf(call));
    assert.ok(Number.isFinite(ours), what);
    if (holds !== undefined)
      assert.ok(Math.abs(ours - holds) <= within * Math.abs(holds), `${what}: ${ours} instead of ${holds}`);
    t.diagnostic(
      `${source}: ${what} = ${short(ours)}${published === undefined ? "" : ` (theirs: ${short(published)})`} [${call[0]}, #${link}]`,
    );
  }
});

test("its links open views of the page and set inputs that exist", () => {
  const views = readFileSync(new URL("../../web/app/views.ts", import.meta.url), "utf8");
  const fields = new Set(Object.values(engine.describe()).flatMap(({ inputs }) => inputs.map(({ name }) => name)));
  for (const { link = "" } of [...described, ...shown])
    for (const [name, value] of new URLSearchParams(link)) {
      if (name === "view") assert.match(views, new RegExp(`\\bid: "${value}"`), link);
      else assert.ok(fields.has(name), `${link}: ${name}`);
    }
});

test("what files and pages show has its test or its words", (t) => {
  for (const { source, what, link, in: path, says } of shown) {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    assert.ok(text.includes(says), `${path} holds “${says}”`);
    t.diagnostic(`${source}: ${what} [${path}${link ? `, #${link}` : ""}]`);
  }
});

test("the projection holds the panel’s mean squared error of 2 % on measured pairs", () => {
  const [header, ...lines] = readFileSync(new URL("../../web/scoreboard/projection.csv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const names = header.split(",");
  const rows = lines.map((line) => {
    const cells = line.match(/"[^"]*"|[^,]+/g);
    return Object.fromEntries(names.map((name, at) => [name, cells[at]]));
  });
  const number = (row, name) => Number(row[name]);
  const errors = rows.map((row) => {
    const inputs = Object.fromEntries(
      [
        "compute_share",
        "communication_share",
        "from_gpus",
        "to_gpus",
        "from_bus_bandwidth_gb_per_sec",
        "to_bus_bandwidth_gb_per_sec",
      ].map((name) => [name, number(row, name)]),
    );
    return (engine.project_scaling(inputs).speedup - number(row, "measured")) ** 2;
  });
  assert.ok(rows.length >= 122, `${rows.length} pairs`);
  const percent = (100 * errors.reduce((sum, one) => sum + one, 0)) / errors.length;
  assert.ok(percent < 2, `${percent} %`);
});
