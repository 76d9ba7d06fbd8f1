/** Memory that PyTorch's allocator held on a device while it was profiled: the most in each stretch of time. */
export interface MemoryTimeline {
  /** Begin of each stretch, from the first event on, us. */
  at_us: number[];
  /** Allocated to tensors at most, bytes. */
  allocated_bytes: number[];
  /** At most of all the time, bytes; reserved: with what the allocator keeps for later. */
  peak_bytes: number;
  reserved_bytes: number;
}

/** One event of `profile_memory`. */
export interface MemoryEvent {
  at_us: number;
  device: number;
  allocated_bytes: number;
  reserved_bytes: number;
}

/** So many stretches are kept of a device, however long the profile. */
const most = 256;

/** The most in each of a bounded number of stretches, which double as time goes on. */
class Stretches {
  private width = 1;
  private first = Infinity;
  private peaks: number[] = [];
  private peak = 0;
  private reserved = 0;

  add({ at_us, allocated_bytes, reserved_bytes }: MemoryEvent): void {
    this.peak = Math.max(this.peak, allocated_bytes);
    this.reserved = Math.max(this.reserved, reserved_bytes);
    if (this.first === Infinity) this.first = at_us;
    // Threads write events in turn: what comes late counts where the profile begins.
    const after = Math.max(0, at_us - this.first);
    while (after / this.width >= most) {
      this.peaks = Array.from({ length: most / 2 }, (_, place) =>
        Math.max(this.peaks[2 * place] ?? 0, this.peaks[2 * place + 1] ?? 0),
      );
      this.width *= 2;
    }
    const place = Math.floor(after / this.width);
    this.peaks[place] = Math.max(this.peaks[place] ?? 0, allocated_bytes);
  }

  take(): MemoryTimeline {
    // Where nothing was allocated or freed nothing is said.
    const places = Array.from({ length: this.peaks.length }, (_, place) => place).filter(
      (place) => (this.peaks[place] ?? 0) > 0,
    );
    return {
      at_us: places.map((place) => place * this.width),
      allocated_bytes: places.map((place) => this.peaks[place]!),
      peak_bytes: this.peak,
      reserved_bytes: this.reserved,
    };
  }
}

/** A longer profile, or one of more devices than a node has, is no profile of ours. */
const mostDevices = 64;

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
