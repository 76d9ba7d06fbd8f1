// How time grows with size: plans by GPUs, dense and with experts, schedules and timelines by ranks and stages, traces by bytes. CPU time where the engine
// is asked here, and how it grows from each size to the next: 1 is in proportion.
import { engineAt, forget, once } from "./measure/boundary.mjs";
import { traceInPage } from "./measure/trace.mjs";

const root = new URL("../", import.meta.url).pathname;

const clusters = [256, 2048, 16384, 131072];
const plan = (model) => ({
  what: `plan of ${model}, GPUs`,
  sizes: clusters,
  call: (engine, cluster_gpus) =>
    engine.plan({ model, system: "dgx-h100", cluster_gpus, sequence_length: 4096, global_batch_size: cluster_gpus }),
});
const ranksOf = [8, 64, 256, 1024];
const schedule = (collective, algorithm) => ({
  what: `${algorithm} ${collective} shown and proven, ranks`,
  sizes: ranksOf,
  call: (engine, ranks) => engine.collective_schedule({ collective, algorithm, ranks }),
});
const links = { message_size_bytes: 2 ** 28, latency_us: 5, bandwidth_gb_per_sec: 100 };
const timeline = (collective, algorithm) => ({
  what: `timeline of ${algorithm} ${collective}, ranks`,
  sizes: ranksOf,
  call: (engine, ranks) => engine.collective_timeline({ collective, algorithm, ranks, ...links }),
});
/** A layer a stage; as few micro-batches as keep the most stages below the limit of bars. */
const pipeline = {
  what: "timeline of a pipeline, 32 micro-batches, stages",
  sizes: ranksOf,
  call: (engine, stages) =>
    engine.training_step({
      model: "llama-3.1-8b",
      system: "dgx-h100",
      num_layers: stages,
      pipeline_parallel: stages,
      sequence_length: 4096,
      batch_size: 1,
      global_batch_size: 32,
      timeline: true,
    }),
};
const grown = [
  plan("llama-3.1-405b"),
  plan("deepseek-v3"),
  schedule("all_reduce", "ring"),
  schedule("all_reduce", "double_binary_tree"),
  schedule("all_reduce", "recursive_doubling"),
  timeline("all_reduce", "ring"),
  timeline("all_reduce", "double_binary_tree"),
  timeline("all_reduce", "recursive_doubling"),
  pipeline,
];

const traces = { what: "trace read in the page, bytes", sizes: [64e6, 256e6, 1e9] };

/** The least CPU time of three calls, ms. */
function ofCalls(engine, call) {
  // What comes first compiles.
  call(engine);
  return Math.min(...[1, 2, 3].map(() => once(engine, [1, call, 1, forget]))) / 1e6;
}

/** Rows {what, size, ms, exponent} of each, passed to `print` as soon as they are measured. */
export async function growth(wanted, print) {
  const engine = await engineAt(root);
  const timed = [
    ...grown.map(({ call, ...row }) => ({ ...row, ms: (size) => ofCalls(engine, () => call(engine, size)) })),
    { ...traces, ms: async (size) => size / 1e3 / (await traceInPage(size)).mb_per_sec },
  ];
  for (const { what, sizes, ms } of timed.filter(({ what }) => wanted.every((part) => what.includes(part)))) {
    let before;
    for (const size of sizes) {
      const now = { size, ms: await ms(size) };
      const exponent = before && Math.log(now.ms / before.ms) / Math.log(size / before.size);
      print({ what, ...now, exponent });
      before = now;
    }
  }
}
