import { type MemoryTimeline, type PeakParts, Stretches } from "./memory.js";

/** The categories of an allocation. The first is what was held before the recording began. */
export const owners = [
  "before the recording",
  // PyTorch's profiler says what a tensor is.
  "weights",
  "gradients",
  "optimizer",
  "activations",
  "inputs and temporary tensors",
  // Stack frames show which code allocated it.
  "model set-up",
  "forward pass",
  "backward pass",
  "optimizer step",
  "other code",
] as const;
const firstOfFrames = owners.indexOf("model set-up");
export type Owner = number;
const owner = (name: (typeof owners)[number]): Owner => owners.indexOf(name);
const before: Owner = owner("before the recording");
export const otherCode: Owner = owner("other code");

/** The category that torch.profiler gives a tensor (torch/profiler/_memory_profiler.py), in lower case. */
const categories: Readonly<Record<string, Owner>> = {
  parameter: owner("weights"),
  gradient: owner("gradients"),
  optimizer_state: owner("optimizer"),
  activation: owner("activations"),
  input: owner("inputs and temporary tensors"),
  temporary: owner("inputs and temporary tensors"),
  autograd_detail: owner("inputs and temporary tensors"),
};
export const ownerOfCategory = (category: string): Owner | undefined => categories[category.toLowerCase()];

/** What kind of code a frame of a stack is; nothing if that is unclear. */
export function ownerOfFrame(name: string, filename: string): Owner | undefined {
  const file = filename.replaceAll("\\", "/");
  if (/\/(torch\/optim|core\/optimizer|apex\/optimizers|deepspeed\/ops\/adam)\//.test(file))
    return owner("optimizer step");
  if (/autograd::Engine::|^_engine_run_backward$/.test(name) || (name === "backward" && /\/torch\//.test(file)))
    return owner("backward pass");
  if (name === "forward") return owner("forward pass");
  if (
    /^(reset_parameters|to_empty|_apply|from_pretrained)$/.test(name) ||
    (name === "__init__" && /\/torch\/nn\/modules\//.test(file))
  )
    return owner("model set-up");
  return undefined;
}

/** A stack is an optimizer's, else of the backward pass (which may run a forward pass again), else of the forward pass. */
const rank = (of: Owner): number =>
  ["other code", "model set-up", "forward pass", "backward pass", "optimizer step"].indexOf(owners[of]!);
export const strongerOf = (one: Owner, other: Owner): Owner => (rank(other) > rank(one) ? other : one);

/** The most allocations of a device that are tracked at once. */
const mostAlive = 2 ** 22;

/** The allocations of one device as they come and go. */
export class Allocations {
  private readonly stretches = new Stretches();
  private readonly alive = new Map<number, { bytes: number; owner: Owner }>();
  private readonly held = new Float64Array(owners.length);
  private readonly peak = new Float64Array(owners.length);
  private allocated = 0;
  private reserved = 0;
  private leastReserved = 0;
  private events = 0;
  private first = 0;
  private counted = false;

  /** Records an event: that many bytes at an address, at a time that may be NaN. */
  take(action: string, address: number, bytes: number, at_us: number, of: Owner): void {
    const count = this.events;
    if (count === 0) this.counted = !Number.isFinite(at_us);
    if (action === "alloc") this.allocate(address, bytes, of);
    else if (action === "free_requested" || action === "free") this.free(address, bytes);
    else if (action === "segment_alloc" || action === "segment_map") this.reserve(bytes);
    else if (action === "segment_free" || action === "segment_unmap") this.reserve(-bytes);
    else return;
    // What was held before the first event may be the most.
    if (count === 0) this.stretches.add({ at_us: 0, allocated_bytes: 0, reserved_bytes: 0 });
    if (count === 0 && !this.counted) this.first = at_us;
    this.events++;
    const at = this.counted || !Number.isFinite(at_us) ? count : at_us - this.first;
    const moment = { at_us: at, allocated_bytes: this.allocated, reserved_bytes: this.reserved };
    if (this.stretches.add(moment)) this.peak.set(this.held);
  }

  private allocate(address: number, bytes: number, of: Owner): void {
    this.free(address, 0);
    // An allocation no longer tracked will count as held before when it is freed.
    const known = this.alive.size < mostAlive;
    if (known) this.alive.set(address, { bytes, owner: of });
    this.allocated += bytes;
    this.held[known ? of : before]! += bytes;
  }

  /** Memory that no event allocated was held before. */
  private free(address: number, bytes: number): void {
    const known = this.alive.get(address) ?? { bytes, owner: before };
    this.alive.delete(address);
    this.allocated -= known.bytes;
    this.held[known.owner]! -= known.bytes;
  }

  private reserve(bytes: number): void {
    this.reserved += bytes;
    this.leastReserved = Math.min(this.leastReserved, this.reserved);
  }

  /** The timeline, of what was held at its end: bytes allocated and reserved, where the file says so. Nothing where there were no events. */
  timeline(end: { allocated: number; reserved: number }): MemoryTimeline | undefined {
    if (this.events === 0) return undefined;
    // What was freed and never allocated was there, too.
    const allocated = Math.max(end.allocated - this.allocated, -this.held[before]!);
    const reserved = Math.max(end.reserved - this.reserved, -this.leastReserved);
    const parts = [...this.peak].map((bytes, place) => ({
      name: owners[place]!,
      bytes: bytes + (place === before ? allocated : 0),
    }));
    const told = parts.filter(({ bytes }) => bytes > 0);
    const isTold = told.some(({ name }) => name !== "before the recording" && name !== "other code");
    const byFrames = told.some(({ name }) => owners.indexOf(name) >= firstOfFrames);
    const at_peak: PeakParts = { told_by: byFrames ? "frames" : "category", parts: told };
    return {
      ...this.stretches.take({ allocated, reserved }),
      ...(this.counted ? { counted: true } : {}),
      ...(isTold ? { at_peak } : {}),
    };
  }
}
