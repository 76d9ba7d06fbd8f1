/** Kernels, a column each, as trace_breakdown takes them, and of which device and name each is. */
export interface Kernels {
  start_us: Float64Array<ArrayBuffer>;
  duration_us: Float64Array<ArrayBuffer>;
  stream: Float64Array<ArrayBuffer>;
  communication: Float64Array<ArrayBuffer>;
  device: Float64Array<ArrayBuffer>;
  /** Places in `names`. */
  name: Float64Array<ArrayBuffer>;
  names: string[];
  /** Steps of the training that the profiler marked; 0 where it marked none. */
  steps: number;
}

/** What one kernel was. */
export interface Kernel {
  start_us: number;
  duration_us: number;
  stream: number;
  communication: boolean;
  device: number;
  name: string;
}

const columns = ["start_us", "duration_us", "stream", "communication", "device", "name"] as const;

/** Columns that grow: 48 bytes a kernel, twice that while they do. */
export class KernelColumns {
  private room = 4096;
  private count = 0;
  private columns = columns.map(() => new Float64Array(this.room));
  private readonly places = new Map<string, number>();
  private readonly steps = new Set<string>();

  get size(): number {
    return this.count;
  }

  add({ start_us, duration_us, stream, communication, device, name }: Kernel): void {
    if (this.count === this.room) {
      this.room *= 2;
      this.columns = this.columns.map((column) => {
        const larger = new Float64Array(this.room);
        larger.set(column);
        return larger;
      });
    }
    let place = this.places.get(name);
    if (place === undefined) this.places.set(name, (place = this.places.size));
    [start_us, duration_us, stream, communication ? 1 : 0, device, place].forEach(
      (value, index) => (this.columns[index]![this.count] = value),
    );
    this.count++;
  }

  /** A step that the profiler marked, by its number. */
  addStep(number: string): void {
    this.steps.add(number);
  }

  /** All of them, the first start at 0. */
  take(): Kernels {
    const [start, duration, stream, communication, device, name] = this.columns.map((column) =>
      column.slice(0, this.count),
    );
    const first = start!.reduce((least, value) => Math.min(least, value), Infinity);
    return {
      start_us: start!.map((value) => value - first),
      duration_us: duration!,
      stream: stream!,
      communication: communication!,
      device: device!,
      name: name!,
      names: [...this.places.keys()],
      steps: this.steps.size,
    };
  }
}
