// Google Benchmark's figures of the core, one benchmark at a time so that they can be interleaved with others.
import { execFileSync } from "node:child_process";

const program = new URL("../../build/release/bench/core_bench", import.meta.url).pathname;
const nanoseconds = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Nanoseconds an iteration of that benchmark, measured once for `seconds`. */
export function native(name, seconds = 0.2) {
  const args = [`--benchmark_filter=^${name}$`, `--benchmark_min_time=${seconds}`, "--benchmark_format=json"];
  const output = execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [measured] = JSON.parse(output).benchmarks;
  return measured.cpu_time * nanoseconds[measured.time_unit];
}
