// Reads a file by the page's own reader, alone in a process: says the process's peak memory and what was read.
import { openAsBlob, readFileSync } from "node:fs";
import { loadEngine } from "../../../build/engine/commcost.js";
import { load } from "./source.mjs";

const { readFile } = await load("state/reader/read-file.ts");
const engine = await loadEngine();

/** Of this process alone: what the operating system's own count of a child begins with is the size of its parent. */
const peakMb = () => Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;

const { kind, devices } = await readFile(await openAsBlob(process.argv[2]), engine, () => {});
console.log(
  JSON.stringify({
    peak_mb: peakMb(),
    kind,
    ...(kind === "trace"
      ? {
          kernels: devices.reduce((sum, { kernels }) => sum + kernels.reduce((calls, one) => calls + one.calls, 0), 0),
          busy_us: devices[0].breakdown.total_us - devices[0].breakdown.idle_us,
        }
      : { allocated_bytes: devices[0].memory.peak_bytes }),
  }),
);
