// A profiler's trace as large as wanted, in PyTorch's form, gzipped.
import { createWriteStream, mkdirSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";

const folder = new URL("../../../build/test/", import.meta.url).pathname;
const base = 7230518441000;

/** Of every five events one is a kernel of 8 us, on its stream at 10 us after the one before; of every second kernel the name is nccl's. */
function event(index) {
  const kernel = index / 5;
  if (index % 10 === 9) {
    // The product that launches the next kernel.
    return `{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 4242, "tid": 4242, "ts": ${base + 2 * index}.125, "dur": 1.5, "args": {"External id": ${index + 1}, "Record function id": 0, "Concrete Inputs": ["", ""], "Input type": ["c10::BFloat16", "c10::BFloat16"], "Input Dims": [[2048, 4096], [4096, 4096]], "Ev Idx": ${index}}}`;
  }
  if (index % 5 !== 0) {
    return `{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 4242, "tid": 4242, "ts": ${base + 2 * index}.125, "dur": 1.5, "args": {"External id": ${index}, "Record function id": 0, "Concrete Inputs": ["", "", ""], "Input type": ["c10::BFloat16", "c10::BFloat16", ""], "Input Dims": [[2048, 4096], [4096, 4096], []], "Ev Idx": ${index}}}`;
  }
  const [name, stream] =
    kernel % 2
      ? ["ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*, unsigned long, ncclWork*)", 20]
      : ["ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_tn", 7];
  return `{"ph": "X", "cat": "kernel", "name": "${name}", "pid": 0, "tid": ${stream}, "ts": ${base + 10 * kernel}.125, "dur": 8, "args": {"External id": ${index}, "queued": 0, "device": 0, "context": 1, "stream": ${stream}, "correlation": ${index}, "grid": [24, 1, 1], "block": [544, 1, 1]}}`;
}

/** Writes a trace of at least `bytes`; its path, its bytes before gzip, and its kernels. */
export async function writeTrace(bytes, name = "trace") {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}.json.gz`;
  let written = 0;
  let events = 0;
  function* pieces() {
    yield '{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "numSms": 108}], "traceEvents": [\n';
    while (written < bytes) {
      const lines = [];
      for (let line = 0; line < 2000; ++line) lines.push(event(events++));
      const piece = (events > 2000 ? ",\n" : "") + lines.join(",\n");
      written += piece.length;
      yield piece;
    }
    yield '\n], "traceName": "rank0.pt.trace.json"}\n';
  }
  await pipeline(Readable.from(pieces()), createGzip({ level: constants.Z_BEST_SPEED }), createWriteStream(path));
  return { path, bytes: written, kernels: events / 5 };
}
