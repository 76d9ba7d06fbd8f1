/**
 * Statistics names in the output of tools that measure a server under load: vLLM's and SGLang's, GenAI-Perf's,
 * GuideLLM's.
 */
const ofBenchmarks =
  /"((mean|median|p99)_(ttft|tpot)_ms|burstiness|random_input_len|guidellm_version)"\s*:|"type_"\s*:\s*"generative_benchmark"|"(time_to_first_token|inter_token_latency|request_throughput)"\s*:\s*\{/;
/** Whether a text begins as a benchmark of a server does. */
export const isBenchmark = (text: string) => /^\ufeff?\s*[{[]/.test(text) && ofBenchmarks.test(text);
/** Whether a text begins as a profiler's trace does. */
export const isTrace = (text: string) => /^\s*[{[]/.test(text) && /"(traceEvents|schemaVersion|ph)"\s*:/.test(text);
/** Whether it is a model's config.json. */
export const isConfig = (text: string) => /^\s*\{/.test(text) && /"model_type"\s*:/.test(text);

/** Whether it is a table of nvidia-smi: its columns' names, or the head of dmon. */
export const isGpuSamples = (text: string) =>
  /^.*\b(clocks(\.current)?\.sm|utilization\.gpu)\b.*,/m.test(text.slice(0, 4096)) ||
  /^#\s*gpu\s+pwr\b/m.test(text.slice(0, 4096));

/** Commands and options of launches, and keys of DeepSpeed's configuration. */
const ofLaunches =
  /pretrain_gpt\.py|run_recipe\.py|torchtitan\.train|run_train\.sh|\bdeepspeed\b|\bvllm serve\b|sglang\.launch_server|trtllm-serve|--(tensor[-_]model[-_]parallel|parallelism\.|num-layers|tensor-parallel-size|tp[-_]size)|"(zero_optimization|train_micro_batch_size_per_gpu)"\s*:|(^|\n)\[parallelism\]/;
/** Whether a text is a stack's launch: no log that begins with one. */
export const isLaunch = (text: string): boolean =>
  ofLaunches.test(text) && !isTrainingLog(text) && !/\b(alg|bus)bw\b/.test(text);

/** Words of a log of steps. */
const ofSteps =
  /elapsed.time.per.iteration|SamplesPerSec=|\biter time \(s\)|\bstep:\s*\d+.{0,200}\b[tw]ps:|train_step_timing in s/;
/** Whether a text is a log of steps rather than of collectives. */
export const isTrainingLog = (text: string): boolean => ofSteps.test(text);

/** What nccl-tests prints: its columns' names, or a row of them. */
const ofCollectives = /\b(alg|bus)bw\b|nccl|^\s*\d+\s+\d+\s+\w+\s+\S+\s+-?\d+\s+[\d.]+/im;
/** Nothing that identifies a log is further from the start of its line than this, characters. */
const longestLine = 4096;

/** The kind of a log, determined from its pieces as they arrive. */
export class LogKind {
  isTraining = false;
  isCollective = false;
  private line = "";

  add(piece: string): void {
    const text = this.line + piece;
    this.isTraining ||= isTrainingLog(text);
    this.isCollective ||= ofCollectives.test(text);
    // A piece ends anywhere.
    this.line = text.slice(Math.max(text.lastIndexOf("\n") + 1, text.length - longestLine));
  }
}
