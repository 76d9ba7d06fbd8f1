/** Reads a profiler's trace (Chrome trace JSON, plain or gzipped) as a stream: kernels, when, how long, on which stream. */

/** Kernels, a column each, as trace_breakdown takes them. */
export interface Kernels {
  start_us: Float64Array;
  duration_us: Float64Array;
  stream: Float64Array;
  communication: Float64Array;
}

/** Names of the libraries that communicate. */
const communicates = /nccl|rccl|oneccl|msccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all/i;

class Columns {
  private room = 4096;
  private count = 0;
  private columns = [0, 1, 2, 3].map(() => new Float64Array(this.room));

  add(...values: number[]): void {
    if (this.count === this.room) {
      this.room *= 2;
      this.columns = this.columns.map((column) => {
        const larger = new Float64Array(this.room);
        larger.set(column);
        return larger;
      });
    }
    values.forEach((value, index) => (this.columns[index]![this.count] = value));
    this.count++;
  }

  get size(): number {
    return this.count;
  }

  take(): Kernels {
    const [start, duration, stream, communication] = this.columns.map((column) => column.slice(0, this.count));
    const first = start!.reduce((least, value) => Math.min(least, value), Infinity);
    return { start_us: start!.map((value) => value - first), duration_us: duration!, stream: stream!, communication: communication! };
  }
}

interface TraceEvent {
  ph?: string;
  cat?: string;
  name?: string;
  ts?: number | string;
  dur?: number | string;
  tid?: number | string;
  args?: { stream?: number | string };
}

/** Picks the events out of text that comes in pieces: every object directly within the list of events. */
class EventReader {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private kept = "";
  /** The depth of the list of events: 1 where the file is that list, 2 where it is a member. */
  private list = 0;
  readonly columns = new Columns();
  events = 0;

  read(piece: string): void {
    let from = this.kept === "" ? -1 : 0;
    const text = piece;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.inText) {
        if (this.escaped) this.escaped = false;
        else if (code === 92) this.escaped = true;
        else if (code === 34) this.inText = false;
        continue;
      }
      if (code === 34) this.inText = true;
      else if (code === 123 || code === 91) {
        this.depth++;
        if (code === 91 && this.depth <= 2) this.list = this.depth;
        if (code === 123 && this.list > 0 && this.depth === this.list + 1) from = at;
      } else if (code === 125 || code === 93) {
        if (code === 125 && this.list > 0 && this.depth === this.list + 1 && from >= 0) {
          this.take(this.kept + text.slice(from, at + 1));
          this.kept = "";
          from = -1;
        }
        if (code === 93 && this.depth === this.list) this.list = 0;
        this.depth--;
      }
    }
    if (from >= 0) this.kept += text.slice(from);
  }

  private take(text: string): void {
    this.events++;
    // Most events are of the host: they are not worth parsing.
    if (!text.includes("kernel") && !text.includes("Kernel")) return;
    const event = JSON.parse(text) as TraceEvent;
    if (event.ph !== "X" || event.cat?.toLowerCase() !== "kernel") return;
    const start = Number(event.ts);
    const duration = Number(event.dur);
    if (!Number.isFinite(start) || !(duration >= 0)) return;
    const stream = Number(event.args?.stream ?? event.tid);
    this.columns.add(start, duration, Number.isFinite(stream) ? stream : 0, communicates.test(event.name ?? "") ? 1 : 0);
  }
}

/** Reads `file`; `report` hears the share that was read. Rejects where it is no trace, or where `signal` says stop. */
export async function readTrace(file: Blob, report: (share: number) => void, signal: AbortSignal): Promise<Kernels> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  let read = 0;
  const counted = file.stream().pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      controller.enqueue(chunk);
    },
  }));
  const bytes = head[0] === 0x1f && head[1] === 0x8b ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  let breath = performance.now();
  for (;;) {
    if (signal.aborted) {
      await reader.cancel();
      throw new Error("Reading was cancelled.");
    }
    const { done, value } = await reader.read();
    if (done) break;
    events.read(value);
    if (performance.now() - breath > 8) {
      report(read / file.size);
      await new Promise((resolve) => setTimeout(resolve));
      breath = performance.now();
    }
  }
  if (events.columns.size === 0) {
    throw new Error(events.events === 0 ? "This is no trace: there is no list of events in it."
      : `None of ${events.events} events is a kernel: was the profile taken with the accelerator's activities?`);
  }
  return events.columns.take();
}
