import { readNumber } from "../number.js";
import { KernelColumns } from "./kernels.js";
import { MemoryTimelines } from "./memory.js";
import { messageOf, Operations, type MessageArguments } from "./operations.js";

/** Names of the libraries that communicate, and what their kernels are called without them. */
const communicates = /nccl|rccl|oneccl|msccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all/i;

/** No profiler writes an event longer than this, characters: a longer one means that the text is no list of events. */
const longestEvent = 16 * 2 ** 20;

interface TraceEvent {
  ph?: string;
  cat?: string;
  name?: string;
  ts?: number | string;
  dur?: number | string;
  pid?: number | string;
  tid?: number | string;
  args?: {
    stream?: number | string;
    device?: number | string;
    "External id"?: number;
    correlation?: number;
    "Device Type"?: number;
    "Device Id"?: number;
    "Total Allocated"?: number;
    "Total Reserved"?: number;
  } & MessageArguments;
}

const quote = 34;
const backslash = 92;
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/** A number, which some profilers write as a text; NaN where it is neither. */
const numberOf = (value: unknown): number =>
  typeof value === "number" ? value : typeof value === "string" ? (readNumber(value) ?? NaN) : NaN;

/** An event; nothing where its text is none. */
function parsed(text: string): TraceEvent | undefined {
  try {
    return JSON.parse(text) as TraceEvent;
  } catch {
    return undefined;
  }
}

/**
 * Picks the kernels out of a trace's text, which arrives in pieces: of the objects in its list of events, at most one
 * is held.
 */
export class EventReader {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private kept = "";
  /** The depth of a list of objects: 1 where the file is that list, 2 where it is a member. */
  private list = 0;
  readonly kernels = new KernelColumns();
  readonly operations = new Operations();
  readonly memory = new MemoryTimelines();
  /** The rank that the profiler says it ran on; -1 until it does. */
  rank = -1;
  /** Objects in lists, whatever they are. */
  events = 0;
  /** Kernels among them that cannot be read, and were left out. */
  broken = 0;

  /**
   * Whether the text ends while its outermost list or object is still open, as in a file of a profiler that was killed.
   */
  get isCut(): boolean {
    return this.depth > 0 || this.inText;
  }

  read(text: string): void {
    if (this.rank < 0) this.rank = Number(/"distributedInfo"\s*:\s*\{[^{}]*?"rank"\s*:\s*(\d+)/.exec(text)?.[1] ?? -1);
    let from = this.kept === "" ? -1 : 0;
    for (let at = 0; at < text.length; at++) {
      if (this.inText) {
        // Most characters are within texts: to their end at once.
        at = this.endOfText(text, at);
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === quote) this.inText = true;
      else if (code === openObject || code === openList) {
        this.depth++;
        if (code === openList && this.depth <= 2) this.list = this.depth;
        if (code === openObject && this.list > 0 && this.depth === this.list + 1) from = at;
      } else if (code === closeObject || code === closeList) {
        if (code === closeObject && this.list > 0 && this.depth === this.list + 1 && from >= 0) {
          this.take(this.kept + text.slice(from, at + 1));
          this.kept = "";
          from = -1;
        }
        if (code === closeList && this.depth === this.list) this.list = 0;
        this.depth--;
      }
    }
    if (from >= 0) this.kept += text.slice(from);
    if (this.kept.length > longestEvent) throw new Error("This is no trace: one of its events does not end.");
  }

  /** The place of the quote that ends the text at `at`, or the end of the piece. */
  private endOfText(text: string, at: number): number {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.escaped) this.escaped = false;
      else if (code === backslash) this.escaped = true;
      else if (code === quote) {
        this.inText = false;
        return at;
      }
    }
    return at;
  }

  private take(text: string): void {
    this.events++;
    const step = text.includes("ProfilerStep#") && /"ProfilerStep#(\d+)"/.exec(text);
    if (step) this.kernels.addStep(step[1]!, numberOf(parsed(text)?.ts));
    if (text.includes('"[memory]"')) {
      this.takeMemory(parsed(text));
      return;
    }
    // Most events are the host's: only an operator's name and number are read from them.
    if (!text.includes('"kernel"') && !text.includes('"Kernel"')) {
      this.operations.take(text);
      return;
    }
    const event = parsed(text);
    if (event && (event.ph !== "X" || String(event.cat).toLowerCase() !== "kernel")) return;
    const start = numberOf(event?.ts);
    const duration = numberOf(event?.dur);
    if (!event || !Number.isFinite(start) || !(duration >= 0 && Number.isFinite(duration))) {
      this.broken++;
      return;
    }
    const number = (value: unknown) => (Number.isFinite(numberOf(value)) ? numberOf(value) : 0);
    const name = String(event.name ?? "");
    this.kernels.add({
      start_us: start,
      duration_us: duration,
      stream: number(event.args?.stream ?? event.tid),
      device: number(event.args?.device ?? event.pid),
      name,
      // The launch knows the operation if the kernel does not.
      operation: number(event.args?.["External id"]) || -number(event.args?.correlation),
      message: communicates.test(name) ? messageOf(event.args) : undefined,
    });
  }

  /** An allocation or what it gives back, as `profile_memory` writes it; the host's own are left out. */
  private takeMemory(event: TraceEvent | undefined): void {
    const host = 0;
    if (event?.name !== "[memory]" || numberOf(event.args?.["Device Type"]) === host) return;
    const at_us = numberOf(event.ts);
    const device = numberOf(event.args?.["Device Id"]);
    const allocated_bytes = numberOf(event.args?.["Total Allocated"]);
    const reserved_bytes = numberOf(event.args?.["Total Reserved"] ?? 0);
    if ([at_us, device, allocated_bytes, reserved_bytes].every(Number.isFinite))
      this.memory.add({ at_us, device, allocated_bytes, reserved_bytes });
  }
}
