// Google Benchmark's figures of the core, one benchmark at a time so that they can be interleaved with others.
import { execFileSync } from "node:child_process";

const present = new URL("../../build/native/bench/core_bench", import.meta.url).pathname;
const nanoseconds = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

function measured(name, seconds, program) {
  const args = [`--benchmark_filter=^${name}$`, `--benchmark_min_time=${seconds}`, "--benchmark_format=json"];
  const output = execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(output).benchmarks[0];
}

/** Nanoseconds per iteration of that benchmark, measured once for `seconds`. */
export function native(name, seconds = 0.2, program = present) {
  const { cpu_time, time_unit } = measured(name, seconds, program);
  return cpu_time * nanoseconds[time_unit];
}

/** The same, the fastest of five: other load on the machine is not the core's. */
export function quickestNative(name, seconds = 0.2) {
  return Math.min(...Array.from({ length: 5 }, () => native(name, seconds)));
}

/** Items that the benchmark does in a second, the most of five. */
export function nativeRate(name, seconds = 0.2) {
  return Math.max(...Array.from({ length: 5 }, () => measured(name, seconds, present).items_per_second));
}

/** Names of a program's benchmarks. */
export function benchmarksOf(program = present) {
  return execFileSync(program, ["--benchmark_list_tests"], { encoding: "utf8" }).trim().split("\n");
}
