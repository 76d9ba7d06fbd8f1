import { EventReader } from "./events.js";
import type { Kernels } from "./kernels.js";

/** What a trace holds, and what is missing of it. */
export interface ReadTrace extends Kernels {
  /** Whether the file ends in the middle. */
  isCut: boolean;
  /** Kernels that could not be read. */
  broken: number;
}

/** How often somebody who waits hears of it, ms. */
const reportEvery = 50;

/**
 * Reads a profiler's trace (Chrome trace JSON, plain or gzipped) as a stream; `report` hears the share that was read and
 * may take a moment. Rejects where it is no trace.
 */
export async function readTrace(file: Blob, report: (share: number) => void | Promise<void>): Promise<ReadTrace> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  const bytes = head[0] === 0x1f && head[1] === 0x8b ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  let reported = performance.now();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    events.read(piece.value);
    if (performance.now() - reported < reportEvery) continue;
    await report(read / file.size);
    reported = performance.now();
  }
  if (events.kernels.size === 0) {
    throw new Error(
      events.events === 0
        ? "This is no trace: there is no list of events in it."
        : `None of ${events.events} events is a kernel: was the profile taken with the accelerator's activities?`,
    );
  }
  return { ...events.kernels.take(), isCut: events.isCut, broken: events.broken };
}
