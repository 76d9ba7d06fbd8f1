// The files that a run leaves, in the formats and with the names of fields that the tools write: PyTorch 2.6's profiler (Kineto),
// Megatron-LM's and torchtitan's logs of steps, nccl-tests 2.17's tables, and nvidia-smi's CSV.
import { noiseOf } from "./noise.mjs";
import { rankStep } from "./step.mjs";

const kernelNames = {
  elementwise: {
    norm: "void transformer_engine::normalization::rmsnorm_fwd_tuned_kernel<transformer_engine::normalization::Kernel_traits<__nv_bfloat16>>(transformer_engine::normalization::ForwardKernelParams)",
    norm_backward:
      "void transformer_engine::normalization::rmsnorm_bwd_tuned_kernel<transformer_engine::normalization::Kernel_traits<__nv_bfloat16>>(transformer_engine::normalization::BackwardKernelParams)",
    rope: "void fused_rope_forward<c10::BFloat16>(int, int, int, int, int, c10::BFloat16 const*, float const*, c10::BFloat16*)",
    rope_backward:
      "void fused_rope_backward<c10::BFloat16>(int, int, int, int, int, c10::BFloat16 const*, float const*, c10::BFloat16*)",
    swiglu: "triton_poi_fused_mul_silu_split_0",
    swiglu_backward: "triton_poi_fused_mul_silu_backward_split_1",
    loss: "triton_red_fused__log_softmax_0",
    loss_backward: "triton_red_fused__log_softmax_backward_data_1",
    adam: "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<4>, AdamFunctor<float, float, int>, float>(long, int volatile*)",
  },
  attention: {
    flash_fwd:
      "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t>, false, true, false>(flash::Flash_fwd_params)",
    flash_bwd:
      "void flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8>, false, true>(flash::Flash_bwd_params)",
  },
  matmul: "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT",
};
const nccl = {
  all_reduce: ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce"],
  all_gather: ["ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "_allgather_base"],
  reduce_scatter: [
    "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "_reduce_scatter_base",
  ],
  send_receive: ["ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "send"],
};
/** Names that Megatron-LM and torchtitan give their groups. */
const groupNames = {
  "megatron-core": {
    tensor: "TENSOR_MODEL_PARALLEL_GROUP",
    data: "DATA_PARALLEL_GROUP_WITH_CP",
    pipeline: "PIPELINE_MODEL_PARALLEL_GROUP",
  },
  torchtitan: { tensor: "mesh_tp", data: "mesh_dp_shard_cp", pipeline: "mesh_pp" },
};
const bytesOf = 2;
const startUs = 7230518441000;

/** A profile of two steps of a rank. */
export function trace(engine, { job, faults, seed }, rank) {
  const lines = [];
  let now = startUs;
  let id = 1024;
  const add = (event) => lines.push(JSON.stringify(event));
  const kernel = (name, event, args) =>
    add({
      ph: "X",
      cat: "kernel",
      name,
      pid: rank % 8,
      tid: event.stream,
      ts: Number((now + event.start).toFixed(3)),
      dur: Number(event.us.toFixed(3)),
      args: {
        "External id": id,
        queued: 0,
        device: rank % 8,
        context: 1,
        stream: event.stream,
        correlation: id,
        "registers per thread": 168,
        "shared memory": 213248,
        grid: [132, 1, 1],
        block: [384, 1, 1],
        ...args,
      },
    });
  for (let step = 10; step < 12; ++step) {
    const { events, us } = rankStep(engine, job, faults, rank, seed + step);
    add({
      ph: "X",
      cat: "user_annotation",
      name: `ProfilerStep#${step}`,
      pid: 4242,
      tid: 4242,
      ts: now,
      dur: Number(us.toFixed(3)),
      args: { "External id": id++, "Record function id": 0, "Ev Idx": step },
    });
    for (const event of events) {
      id++;
      if (event.kind === "matmul") {
        add({
          ph: "X",
          cat: "cpu_op",
          name: "aten::mm",
          pid: 4242,
          tid: 4242,
          ts: Number((now + event.start).toFixed(3)),
          dur: 21.5,
          args: {
            "External id": id,
            "Record function id": 0,
            "Concrete Inputs": ["", ""],
            "Input type": ["c10::BFloat16", "c10::BFloat16"],
            "Input Strides": [
              [event.k, 1],
              [event.n, 1],
            ],
            "Input Dims": [
              [event.m, event.k],
              [event.k, event.n],
            ],
            "Ev Idx": id,
          },
        });
        kernel(kernelNames.matmul, event, {});
      } else if (event.collective) {
        const [name, called] = nccl[event.collective];
        const elements = Math.round(event.bytes / bytesOf);
        const parted = Math.round(elements / event.group.length);
        kernel(name, event, {
          "Collective name": called,
          "In msg nelems": event.collective === "all_gather" ? parted : elements,
          "Out msg nelems": event.collective === "reduce_scatter" ? parted : elements,
          "Group size": event.group.length,
          dtype: "BFloat16",
          "In split size": "[]",
          "Out split size": "[]",
          "Process Group Name": String(event.stream),
          "Process Group Description": groupNames[job.recipe][event.kind],
          "Process Group Ranks":
            event.group.length > 30 ? `[${event.group.slice(0, 30).join(", ")}, ...]` : `[${event.group.join(", ")}]`,
        });
      } else kernel(kernelNames[event.kind][event.name], event, {});
    }
    now += us;
  }
  const world = (job.tensor_parallel ?? 1) * (job.data_parallel ?? 1) * (job.pipeline_parallel ?? 1);
  return `{
  "schemaVersion": 1, "deviceProperties": [{"id": ${rank % 8}, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85029158912, "computeMajor": 9, "computeMinor": 0, "numSms": 132}],
  "cupti_version": 24, "cuda_runtime_version": 12060, "cuda_driver_version": 12080,
  "distributedInfo": {"backend": "nccl", "rank": ${rank}, "world_size": ${world}, "pg_count": 3, "nccl_version": "2.21.5"},
  "record_shapes": 1, "with_stack": 0, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1712000000000000000,
  "traceEvents": [
  ${lines.join(",\n  ")}
  ], "traceName": "rank${rank}.pt.trace.json"
}
`;
}

const argument = (name, value) => `  ${name} ${".".repeat(Math.max(3, 48 - name.length))} ${value}`;

/** Times of the steps that a log has, ms: around `usual_ms`, with what is put into them. */
export function stepTimes({ faults, log = {}, seed }, usual_ms) {
  const noise = noiseOf(seed + 7);
  const { steps = 100 } = log;
  const { stalls, warm_up, drift_percent = 0 } = faults;
  return Array.from({ length: steps }, (_, at) => {
    let ms = usual_ms * noise() * (1 + ((drift_percent / 100) * at) / steps);
    if (at === 0) ms *= 6;
    else if (warm_up && at <= warm_up.steps) ms *= warm_up.times;
    else if (stalls && at % stalls.every === stalls.every - 1) ms += usual_ms * (stalls.times - 1);
    return ms;
  });
}

const yes = (flag) => (flag ? "True" : "False");

/** A dense model as Megatron-LM’s arguments say it. */
const argumentsOf = (shape) => ({
  add_bias_linear: yes(shape.biases),
  ffn_hidden_size: shape.ffn_hidden_size,
  group_query_attention: yes(shape.num_kv_heads < shape.num_heads),
  hidden_size: shape.hidden_size,
  kv_channels: shape.head_size || shape.hidden_size / shape.num_heads,
  multi_latent_attention: "False",
  num_attention_heads: shape.num_heads,
  num_experts: "None",
  num_layers: shape.num_layers,
  num_query_groups: shape.num_kv_heads,
  padded_vocab_size: shape.vocab_size,
  position_embedding_type: "rope",
  swiglu: yes(shape.gated_mlp),
  untie_embeddings_and_output_weights: yes(!shape.tied_embeddings),
});

/** A log of Megatron-LM, or of torchtitan, which prints tokens a second. */
export function trainingLog({ job, shape, times_ms }) {
  const { tensor_parallel: tp = 1, data_parallel: dp = 1, pipeline_parallel: pp = 1 } = job;
  const world = tp * dp * pp;
  if (job.recipe === "torchtitan") {
    const tokens = job.global_batch_size * job.sequence_length;
    const line = (ms, at) =>
      `[rank0]:2026-03-01 10:00:00,508 - root - INFO - step: ${String(at + 1).padStart(2)}  loss: 12.2721  grad_norm:  4.0316  memory: 48.72GiB(61.52%)  tps: ${Math.round(tokens / (ms / 1e3) / world).toLocaleString("en-US")}  tflops: 312.10  mfu: 31.56%`;
    return [
      `[rank0]:2026-03-01 09:59:12,100 - root - INFO - Starting job: Llama 3 8B training`,
      `[rank0]:{"training": {"local_batch_size": ${job.batch_size}, "global_batch_size": ${job.global_batch_size}, "seq_len": ${job.sequence_length}}, "parallelism": {"tensor_parallel_degree": ${tp}, "pipeline_parallel_degree": ${pp}, "data_parallel_shard_degree": -1}}`,
      `[rank0]:2026-03-01 09:59:13,100 - root - INFO - Building device mesh with parallelism: dp_shard=${dp}, world size: ${world}`,
      ...times_ms.map(line),
      "",
    ].join("\n");
  }
  const head = [
    `using world size: ${world}, data-parallel size: ${dp}, context-parallel size: 1, hierarchical context-parallel sizes: Nonetensor-model-parallel size: ${tp}, pipeline-model-parallel size: ${pp}`,
    "------------------------ arguments ------------------------",
    argument("global_batch_size", job.global_batch_size),
    argument("micro_batch_size", job.batch_size),
    argument("pipeline_model_parallel_size", pp),
    argument("recompute_granularity", "None"),
    argument("seq_length", job.sequence_length),
    argument("sequence_parallel", job.sequence_parallel ? "True" : "False"),
    argument("tensor_model_parallel_size", tp),
    ...Object.entries(argumentsOf(shape)).map(([name, value]) => argument(name, value)),
    argument("use_distributed_optimizer", job.zero_stage ? "True" : "False"),
    argument("world_size", world),
    "-------------------- end of arguments ---------------------",
  ];
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  let clock = 0;
  const lines = times_ms.map((ms, at) => {
    clock += ms / 1e3;
    const stamp = `2026-03-01 ${two(10 + clock / 3600)}:${two((clock / 60) % 60)}:${two(clock % 60)}.${String(Math.floor((clock % 1) * 1e6)).padStart(6, "0")}`;
    return ` [${stamp}] iteration ${String(at + 1).padStart(8)}/    5000 | consumed samples: ${String((at + 1) * job.global_batch_size).padStart(12)} | elapsed time per iteration (ms): ${ms.toFixed(1)} | throughput per GPU (TFLOP/s/GPU): 402.1 | learning rate: 1.500000E-06 | global batch size: ${String(job.global_batch_size).padStart(5)} | lm loss: 1.071342E+01 | loss scale: 1.0 | grad norm: 21.312 | number of skipped iterations:   0 | number of nan iterations:   0 |`;
  });
  return [...head, ...lines, ""].join("\n");
}

const factors = {
  all_reduce: (n) => (2 * (n - 1)) / n,
  all_gather: (n) => (n - 1) / n,
  reduce_scatter: (n) => (n - 1) / n,
};

/**
 * A log of nccl-tests: times as expected of the machine, and by `of` what they really are: a function of the size in bytes and
 * of what is expected, us.
 */
export function ncclLog(engine, { system, collective = "all_reduce", gpus, of = (_, us) => us, seed, machine = {} }) {
  const noise = noiseOf(seed + 11);
  const bias = noise();
  const perNode = Math.min(8, gpus);
  const ranks = Array.from(
    { length: gpus },
    (_, rank) =>
      `#  Rank ${String(rank).padStart(2)} Group  0 Pid ${11000 + rank} on node${String(1 + Math.floor(rank / perNode)).padStart(3, "0")} device ${String(rank % perNode).padStart(2)} [0000:${(0x1b + (rank % perNode)).toString(16)}:00] NVIDIA H100 80GB HBM3`,
  );
  const buses = [];
  const rows = Array.from({ length: 21 }, (_, at) => {
    const bytes = 8192 * 2 ** at;
    const { time_us } = engine.predict_collective({
      system,
      collective,
      num_gpus: gpus,
      message_size_bytes: bytes,
      ...machine,
    });
    const us = of(bytes, time_us) * bias * noise();
    const algorithm = bytes / us / 1e3;
    const bus = algorithm * factors[collective](gpus);
    const time = us < 1e4 ? us.toPrecision(4) : us.toFixed(0);
    buses.push(Number(bus.toFixed(2)));
    const cells = `${time.padStart(8)}${algorithm.toFixed(2).padStart(8)}${bus.toFixed(2).padStart(8)}${"0".padStart(7)}`;
    return `${String(bytes).padStart(12)}${String(bytes / 4).padStart(14)}${"float".padStart(10)}${(collective === "all_gather" ? "none" : "sum").padStart(8)}${"-1".padStart(8)}${cells} ${cells}`;
  });
  return [
    `# Collective test starting: ${collective}_perf`,
    `# nThread 1 nGpus 1 minBytes 8192 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0`,
    "#",
    "# Using devices",
    ...ranks,
    "#",
    "#                                                              out-of-place                       in-place          ",
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong",
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       ",
    ...rows,
    "# Out of bounds values : 0 OK",
    // In place as out of place: the average is of both.
    `# Avg bus bandwidth    : ${(buses.reduce((sum, bus) => sum + bus, 0) / buses.length).toPrecision(6)} `,
    "#",
    `# Collective test concluded: ${collective}_perf`,
    "",
  ].join("\n");
}

/** What `nvidia-smi --query-gpu=… --format=csv -l 1` prints while the job runs. */
export function gpuSamples({
  gpus = 8,
  clock_mhz = 1665,
  power_w = 655,
  limit_w = 700,
  celsius = 61,
  reasons = 0x4,
  seed,
  slow,
}) {
  const noise = noiseOf(seed + 13);
  const lines = [
    "timestamp, index, name, clocks.current.sm [MHz], clocks.max.sm [MHz], power.draw [W], enforced.power.limit [W], temperature.gpu, utilization.gpu [%], clocks_event_reasons.active",
  ];
  for (let second = 0; second < 30; ++second)
    for (let index = 0; index < gpus; ++index) {
      const one =
        slow?.index === index
          ? { ...{ clock_mhz, power_w, celsius, reasons }, ...slow }
          : { clock_mhz, power_w, celsius, reasons };
      const clock = Math.min(1980, Math.round((one.clock_mhz * (1 + (noise() - 1) / 3)) / 15) * 15);
      lines.push(
        `2026/03/01 10:05:${String(second).padStart(2, "0")}.${100 + index}, ${index}, NVIDIA H100 80GB HBM3, ${clock} MHz, 1980 MHz, ${Math.min(limit_w, one.power_w * noise()).toFixed(2)} W, ${limit_w.toFixed(2)} W, ${one.celsius}, 100 %, 0x${one.reasons.toString(16).padStart(16, "0")}`,
      );
    }
  return `${lines.join("\n")}\n`;
}
