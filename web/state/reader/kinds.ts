/** Whether a text begins as a profiler's trace does. */
export const isTrace = (text: string) => /^\s*[{[]/.test(text) && /"(traceEvents|schemaVersion|ph)"\s*:/.test(text);
/** Whether it is a model's config.json. */
export const isConfig = (text: string) => /^\s*\{/.test(text) && /"model_type"\s*:/.test(text);

/** Whether a text is a log of steps rather than of collectives. */
export const isTrainingLog = (text: string): boolean =>
  /elapsed.time.per.iteration|SamplesPerSec=|\biter time \(s\)|\bstep:\s*\d+.*\b[tw]ps:|train_step_timing in s/.test(
    text,
  );

/** Whether it has what nccl-tests prints: its columns' names, or a row of them. */
export const isCollectiveLog = (text: string): boolean =>
  /\b(alg|bus)bw\b|nccl/i.test(text) || /^\s*\d+\s+\d+\s+\w+\s+\S+\s+-?\d+\s+[\d.]+/m.test(text);
