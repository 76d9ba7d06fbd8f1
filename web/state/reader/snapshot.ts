import { Allocations, otherCode, type Owner, ownerOfCategory, ownerOfFrame, strongerOf } from "./allocations.js";
import { type MemoryTimeline, mostDevices } from "./memory.js";
import { PickleNode, PickleReader, type PickleSink, type PickleValue } from "./pickle.js";

/** What is kept of a dict: the members that matter of an event, a block, a segment, a frame, or the snapshot. */
class Members {
  action = "";
  addr = NaN;
  size = NaN;
  requested_size = NaN;
  time_us = NaN;
  category = "";
  state = "";
  name = "";
  filename = "";
  device = 0;
  total_size = NaN;
  frames: Stack | undefined;
  blocks: Blocks | undefined;
  segments: Segments | undefined;
  device_traces: Traces | undefined;
  /** Of a frame, once it was looked at: stacks share frames. */
  owner: { of: Owner | undefined } | undefined;
}

/** By what code a list of frames allocates. */
class Stack {
  owner: Owner = otherCode;
}

/** What the blocks of a segment hold for tensors, bytes. */
class Blocks {
  allocated = 0;
}

/** What the segments of each device hold, bytes. */
class Segments {
  readonly devices = new Map<number, { allocated: number; reserved: number }>();
}

/** The events of each device. */
class Traces {
  readonly devices: (Allocations | undefined)[] = [];
}

type Held = Members | Stack | Blocks | Segments | Traces | Allocations;
type Node = PickleNode<Held>;

const numbers = new Set(["addr", "size", "requested_size", "time_us", "device", "total_size"] as const);
const texts = new Set(["action", "category", "state", "name", "filename"] as const);
type Numbers = typeof numbers extends Set<infer Name> ? Name : never;
type Texts = typeof texts extends Set<infer Name> ? Name : never;

/** What a list keeps, made of the first element that says what it is a list of. */
function heldBy<Kind extends Held>(list: Node, Kind: new () => Kind): Kind | undefined {
  list.held ??= new Kind();
  return list.held instanceof Kind ? list.held : undefined;
}

const bytesOf = (value: number): number => (value >= 0 && Number.isFinite(value) ? value : 0);

/** Folds a snapshot into timelines as it comes: an event is forgotten as soon as it is counted. */
class Fold implements PickleSink<Held> {
  readonly reader: PickleReader<Held> = new PickleReader(this);
  private readonly stacks = new Map<Owner, Node>();

  set(dict: Node, key: string, value: PickleValue<Held>): void {
    dict.held ??= new Members();
    const members = dict.held as Members;
    if (numbers.has(key as Numbers)) {
      if (typeof value === "number") members[key as Numbers] = value;
    } else if (texts.has(key as Texts)) {
      if (typeof value === "string") members[key as Texts] = value;
    } else if (value instanceof PickleNode) {
      const { held } = value;
      if (key === "frames" && (held === undefined || held instanceof Stack)) members.frames = this.stack(value, held);
      if (key === "blocks" && held instanceof Blocks) members.blocks = held;
      if (key === "segments" && held instanceof Segments) members.segments = held;
      if (key === "device_traces" && held instanceof Traces) members.device_traces = held;
    }
  }

  /** Stacks by whom they are of: there is one for each event, of which no more is kept than that. */
  private stack(node: Node, held = new Stack()): Stack {
    let known = this.stacks.get(held.owner);
    if (!known) {
      known = new PickleNode<Held>(true);
      known.held = held;
      this.stacks.set(held.owner, known);
    }
    this.reader.replace(node, known);
    return known.held as Stack;
  }

  append(list: Node, value: PickleValue<Held>): void {
    if (!(value instanceof PickleNode)) return;
    if (value.isList) {
      const events = value.held instanceof Allocations ? value.held : undefined;
      const traces = events || value.held === undefined ? heldBy(list, Traces) : undefined;
      if (traces && traces.devices.length < mostDevices) traces.devices.push(events);
      return;
    }
    const members = value.held;
    if (!(members instanceof Members)) return;
    if (members.action !== "") this.event(list, members);
    else if (members.state !== "") this.block(list, members);
    else if (members.total_size >= 0) this.segment(list, members);
    else {
      this.frame(list, members);
      return;
    }
    this.reader.forget(value);
  }

  private event(list: Node, { action, addr, size, time_us, category, frames }: Members): void {
    const of = ownerOfCategory(category) ?? frames?.owner ?? otherCode;
    heldBy(list, Allocations)?.take(action, addr, bytesOf(size), time_us, of);
  }

  private block(list: Node, { state, size, requested_size }: Members): void {
    const blocks = heldBy(list, Blocks);
    // Events count what was asked for, which is less than the block.
    if (blocks && state === "active_allocated")
      blocks.allocated += bytesOf(requested_size >= 0 ? requested_size : size);
  }

  private segment(list: Node, { device, total_size, blocks }: Members): void {
    const segments = heldBy(list, Segments)?.devices;
    const known = segments?.get(device) ?? { allocated: 0, reserved: 0 };
    if (!segments || (segments.size === mostDevices && !segments.has(device))) return;
    segments.set(device, {
      allocated: known.allocated + (blocks?.allocated ?? 0),
      reserved: known.reserved + bytesOf(total_size),
    });
  }

  private frame(list: Node, members: Members): void {
    const stack = heldBy(list, Stack);
    members.owner ??= { of: ownerOfFrame(members.name, members.filename) };
    const { of } = members.owner;
    if (stack && of !== undefined) stack.owner = strongerOf(stack.owner, of);
  }
}

/** The memory of the devices of a snapshot. */
export interface Snapshot {
  devices: { device: number; memory: MemoryTimeline }[];
}

/** Whether a file begins as a pickle of Python's protocols 2 to 5 does. */
export const isPickle = (head: Uint8Array): boolean => head[0] === 0x80 && head[1]! >= 2 && head[1]! <= 5;

/** Reads what torch.cuda.memory._dump_snapshot wrote, from its pieces; throws a sentence where it is something else. */
export async function readSnapshot(pieces: AsyncIterable<Uint8Array>): Promise<Snapshot> {
  const fold = new Fold();
  for await (const piece of pieces) fold.reader.read(piece);
  const { root, ended } = fold.reader;
  if (!ended) throw new Error("This pickle ends in the middle: was it still being written? Copy it again.");
  const members = root instanceof PickleNode && root.held instanceof Members ? root.held : undefined;
  if (!members?.device_traces && !members?.segments)
    throw new Error("This pickle is no memory snapshot: it has neither segments nor device_traces.");
  const end = members.segments?.devices;
  const devices = (members.device_traces?.devices ?? []).flatMap((events, device) => {
    const memory = events?.timeline(end?.get(device) ?? { allocated: 0, reserved: 0 });
    return memory ? [{ device, memory }] : [];
  });
  if (devices.length === 0)
    throw new Error(
      "This memory snapshot has no history. Call torch.cuda.memory._record_memory_history() before the steps, then _dump_snapshot again.",
    );
  return { devices };
}
