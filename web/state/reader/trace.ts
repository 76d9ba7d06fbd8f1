import { EventReader } from "./events.js";
import type { Kernels } from "./kernels.js";
import type { MemoryTimelines } from "./memory.js";
import type { Operations } from "./operations.js";

/** What a trace holds, and what is missing of it. */
export interface ReadTrace extends Kernels {
  /** Whether the file ends in the middle. */
  isCut: boolean;
  /** Kernels that could not be read. */
  broken: number;
  /** The rank that the file is of; -1 where it says none. */
  rank: number;
  operations: Operations;
  memory: MemoryTimelines;
}

/** Reads a profiler's trace (Chrome trace JSON) from the pieces of its text. Rejects where it is no trace. */
export async function readTrace(pieces: AsyncIterable<string>): Promise<ReadTrace> {
  const events = new EventReader();
  for await (const piece of pieces) events.read(piece);
  if (events.kernels.size === 0) {
    throw new Error(
      events.events === 0
        ? "This is no trace: there is no list of events in it."
        : `None of ${events.events} events is a kernel: was the profile taken with the accelerator's activities?`,
    );
  }
  return {
    ...events.kernels.take(),
    isCut: events.isCut,
    broken: events.broken,
    rank: events.rank,
    operations: events.operations,
    memory: events.memory,
  };
}
