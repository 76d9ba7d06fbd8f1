/** Memory that PyTorch's allocator held on a device: the most in each stretch of time. */
export interface MemoryTimeline {
  /** Begin of each stretch, from the first event on: us, or events where none says when it was. */
  at_us: number[];
  /** Whether `at_us` counts events. */
  counted?: boolean;
  /** Allocated to tensors at most, bytes. */
  allocated_bytes: number[];
  /** Reserved of the device at most, bytes; none in what an earlier version kept. */
  reserved_at_bytes?: number[];
  /** At most of all the time, bytes; reserved: with what the allocator keeps for later. */
  peak_bytes: number;
  reserved_bytes: number;
  /** What was allocated at the peak, where the file says that. */
  at_peak?: PeakParts;
}

/** The bytes of the peak by what they are (`category`), or by the code that allocated them (`frames`). */
export interface PeakParts {
  told_by: "category" | "frames";
  parts: { name: string; bytes: number }[];
}

/** What was held at a moment. */
export interface MemoryMoment {
  at_us: number;
  allocated_bytes: number;
  reserved_bytes: number;
}

/** One event of `profile_memory`. */
export interface MemoryEvent extends MemoryMoment {
  device: number;
}

/** The most stretches kept for a device, however long it was watched. */
const most = 256;

/** The larger of two, where either may be missing. */
const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.max(one, other);

/** The most in each of a bounded number of stretches, which double as time goes on. */
export class Stretches {
  private width = 1;
  private first = Infinity;
  private allocated: (number | undefined)[] = [];
  private reserved: (number | undefined)[] = [];
  private peak = -Infinity;
  private mostReserved = -Infinity;

  /** Whether more was allocated than at any moment before. */
  add({ at_us, allocated_bytes, reserved_bytes }: MemoryMoment): boolean {
    if (this.first === Infinity) this.first = at_us;
    // Threads write events in turn: what comes late counts where the file begins.
    const after = Math.max(0, at_us - this.first);
    while (after / this.width >= most) {
      const half = (peaks: readonly (number | undefined)[]) =>
        Array.from({ length: most / 2 }, (_, place) => larger(peaks[2 * place], peaks[2 * place + 1]));
      this.allocated = half(this.allocated);
      this.reserved = half(this.reserved);
      this.width *= 2;
    }
    const place = Math.floor(after / this.width);
    this.allocated[place] = larger(this.allocated[place], allocated_bytes);
    this.reserved[place] = larger(this.reserved[place], reserved_bytes);
    this.mostReserved = Math.max(this.mostReserved, reserved_bytes);
    const isPeak = allocated_bytes > this.peak;
    if (isPeak) this.peak = allocated_bytes;
    return isPeak;
  }

  /** All of them, with what was held of either before the first event, bytes. */
  take(before = { allocated: 0, reserved: 0 }): MemoryTimeline {
    // Where nothing was allocated or freed nothing is said.
    const places = [...this.allocated.keys()].filter((place) => this.allocated[place] !== undefined);
    return {
      at_us: places.map((place) => place * this.width),
      allocated_bytes: places.map((place) => before.allocated + this.allocated[place]!),
      reserved_at_bytes: places.map((place) => before.reserved + this.reserved[place]!),
      peak_bytes: before.allocated + this.peak,
      reserved_bytes: before.reserved + this.mostReserved,
    };
  }
}

/** A longer profile, or one with more devices than a node has, is not supported. */
export const mostDevices = 64;

/** What a profile says of memory, device by device, in bounded room. */
export class MemoryTimelines {
  private readonly devices = new Map<number, Stretches>();

  add(event: MemoryEvent): void {
    let of = this.devices.get(event.device);
    if (!of) {
      if (this.devices.size === mostDevices) return;
      this.devices.set(event.device, (of = new Stretches()));
    }
    of.add(event);
  }

  of(device: number): MemoryTimeline | undefined {
    return this.devices.get(device)?.take();
  }
}
