/** Kernels, a column each, as trace_breakdown takes them. */
export interface Kernels {
  start_us: Float64Array<ArrayBuffer>;
  duration_us: Float64Array<ArrayBuffer>;
  stream: Float64Array<ArrayBuffer>;
  communication: Float64Array<ArrayBuffer>;
}

/** Columns that grow: 32 bytes a kernel, twice that while they do. */
export class KernelColumns {
  private room = 4096;
  private count = 0;
  private columns = [0, 1, 2, 3].map(() => new Float64Array(this.room));

  get size(): number {
    return this.count;
  }

  add(...values: [start_us: number, duration_us: number, stream: number, communication: number]): void {
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

  /** All of them, the first start at 0. */
  take(): Kernels {
    const [start, duration, stream, communication] = this.columns.map((column) => column.slice(0, this.count));
    const first = start!.reduce((least, value) => Math.min(least, value), Infinity);
    return {
      start_us: start!.map((value) => value - first),
      duration_us: duration!,
      stream: stream!,
      communication: communication!,
    };
  }
}
