// What was measured of a drawn scenario, drawn with it: a log of steps, a profile, a network log, samples, each of them slow or not.
import { randomNumbers } from "../../../support/random-numbers.mjs";

const kernelNames = {
  matmul: "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT",
  attention: "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64>>(flash::Flash_fwd_params)",
  small: "triton_poi_fused_mul_silu_split_0",
};
const groups = {
  tensor: "TENSOR_MODEL_PARALLEL_GROUP",
  data: "DATA_PARALLEL_GROUP_WITH_CP",
  pipeline: "PIPELINE_MODEL_PARALLEL_GROUP",
};

/** Predicted times over measured ones, as of runs that are near to a scenario. */
export const missedBy = [
  [1.01, 1.66, 1.02],
  [1.001, 0.999],
  [0.7, 0.98],
];

/** The same number for the same texts. */
const seedOf = (texts) => [...JSON.stringify(texts)].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, 7);

function stepTimes(random, step_ms) {
  const slow = [1, 1, 1.2, 1.6][Math.floor(random() * 4)] * step_ms;
  const every = random() < 0.4 ? 5 + Math.floor(random() * 10) : 0;
  const drift = random() < 0.3 ? 0.3 : 0;
  const cold = random() < 0.2 ? 8 : 0;
  return Array.from({ length: 2 + Math.floor(random() * 60) }, (_, at) => {
    const usual = slow * (1 + 0.06 * (random() - 0.5)) * (1 + (drift * at) / 60);
    return at === 0 ? 5 * usual : at <= cold ? 2.5 * usual : every > 0 && at % every === 0 ? 3 * usual : usual;
  });
}

function profile(random, rank, { step_time_ms, parts, traffic }) {
  const factor = () => [1, 1, 1, 1.3, 2.5][Math.floor(random() * 5)];
  const computed = 1e3 * parts.compute_ms;
  const kernels = [
    { rank, name: kernelNames.matmul, calls: 64, time_us: 0.7 * computed * factor() },
    { rank, name: kernelNames.attention, calls: 32, time_us: 0.15 * computed * factor() },
    { rank, name: kernelNames.small, calls: 320, time_us: 0.15 * computed * factor() },
  ];
  for (const { dimension, exposed_ms } of traffic) {
    if (!(dimension in groups) || !(exposed_ms > 0)) continue;
    const exposed_us = 1e3 * exposed_ms * factor();
    const more = { process_group: groups[dimension], group_size: 8, calls: 64 };
    kernels.push({
      rank,
      name: "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
      time_us: 2 * exposed_us,
      exposed_us,
      ...more,
    });
  }
  const waited = kernels.reduce((sum, { exposed_us = 0 }) => sum + exposed_us, 0);
  const busy = kernels.reduce((sum, { time_us, process_group }) => sum + (process_group ? 0 : time_us), 0) + waited;
  const idle = [0.01, 0.01, 0.2][Math.floor(random() * 3)] * 1e3 * step_time_ms;
  const whole = { rank, steps: 1, total_us: busy + idle, idle_us: idle, communication_only_us: waited };
  const short = random() < 0.5;
  return {
    kernels,
    profile: { ...whole, launch_pauses_us: short ? idle : 0, longest_pause_us: short ? 400 : idle },
  };
}

function networkLog(engine, scenario, random) {
  const collective = ["all_reduce", "all_gather"][Math.floor(random() * 2)];
  const num_gpus = [8, 16, 64][Math.floor(random() * 3)];
  const { values } = scenario.inputs("predict_collective");
  const slow = [1, 1, 2, 6, 0.3][Math.floor(random() * 5)];
  const message_sizes_bytes = Array.from({ length: 18 }, (_, at) => 2 ** (13 + at));
  const times_us = message_sizes_bytes.map((message_size_bytes) => {
    const { time_us } = engine.predict_collective({ ...values, collective, num_gpus, message_size_bytes });
    return time_us * (1 + (slow - 1) * Math.min(1, message_size_bytes / 2 ** 24)) * (1 + 0.06 * (random() - 0.5));
  });
  return { collective, num_gpus, message_sizes_bytes, times_us };
}

/** The inputs of diagnose: the scenario's job, with drawn measurements of it; nothing if there is no such job. */
export function drawnRequest(engine, scenario) {
  const { values, problems } = scenario.inputs("training_step");
  if (problems.length > 0) return undefined;
  // A link's rate that is typed is none of predict_collective's inputs, by which logs are drawn and judged.
  const { elasticities, timeline, token_budget, bandwidth_gb_per_sec, ...job } = values;
  const random = randomNumbers(seedOf(scenario.texts()));
  try {
    const step = engine.training_step(job);
    const request = { ...job };
    if (random() < 0.8) request.step_times_ms = stepTimes(random, step.step_time_ms);
    if (random() < 0.5) {
      const ranks = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => profile(random, at, step));
      request.profiles = ranks.map(({ profile }) => profile);
      request.profiled_kernels = ranks.flatMap(({ kernels }) => kernels);
    }
    if (random() < 0.5) request.network_logs = [networkLog(engine, scenario, random)];
    if (random() < 0.3)
      request.sampled_gpus = [
        {
          gpu: 0,
          sm_clock_mhz: random() < 0.5 ? 1100 : 1700,
          max_sm_clock_mhz: 1980,
          power_w: 440,
          power_limit_w: 450,
          thermal_share: random() < 0.3 ? 0.9 : 0,
          power_share: 0.9,
        },
      ];
    return request;
  } catch (error) {
    if (error.name !== "InvalidInputError") throw error;
    return undefined;
  }
}
