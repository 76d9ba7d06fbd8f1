import type { ProductShape } from "./operations.js";

/** Kernels, a column each, as trace_breakdown takes them, and of which device and name each is. */
export interface Kernels {
  start_us: Float64Array<ArrayBuffer>;
  duration_us: Float64Array<ArrayBuffer>;
  stream: Float64Array<ArrayBuffer>;
  /** 0 where it computes, else a place in `messages`, from 1. */
  communication: Float64Array<ArrayBuffer>;
  device: Float64Array<ArrayBuffer>;
  /** Places in `names`. */
  name: Float64Array<ArrayBuffer>;
  /** Numbers of the operations that launched them; of one that says none, that of its launch, negative; 0 where it says neither. */
  operation: Float64Array<ArrayBuffer>;
  names: string[];
  messages: Message[];
  /** Steps of the training that the profiler marked; 0 where it marked none. */
  steps: number;
  /** Before the first kernel, from the beginning of the first step that is marked, us. */
  lead_us: number;
}

/** Messages of one kernel in one group. */
export interface Message {
  name: string;
  process_group: string;
  group_size: number;
  /** The largest. */
  message_size_bytes: number;
}

/** What one kernel was. */
export interface Kernel {
  start_us: number;
  duration_us: number;
  stream: number;
  device: number;
  name: string;
  operation: number;
  message: Omit<Message, "name"> | undefined;
}

/** Kernels of one name and shape, or of one group, on a device: how often, how long, and how much of that nothing computed. */
export interface KernelRow extends Partial<ProductShape>, Partial<Omit<Message, "name">> {
  name: string;
  calls: number;
  time_us: number;
  exposed_us?: number;
}

const columns = ["start_us", "duration_us", "stream", "communication", "device", "name", "operation"] as const;

/** Columns that grow: 56 bytes a kernel, twice that while they do. */
export class KernelColumns {
  private room = 4096;
  private count = 0;
  private columns = columns.map(() => new Float64Array(this.room));
  private readonly places = new Map<string, number>();
  private readonly messagePlaces = new Map<string, number>();
  private readonly messages: Message[] = [];
  private readonly steps = new Set<string>();
  private firstStep = Infinity;

  get size(): number {
    return this.count;
  }

  add({ start_us, duration_us, stream, device, name, operation, message }: Kernel): void {
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
    const group = message ? this.placeOf({ name, ...message }) : 0;
    [start_us, duration_us, stream, group, device, place, operation].forEach(
      (value, index) => (this.columns[index]![this.count] = value),
    );
    this.count++;
  }

  /** The number of a message's group and kernel, from 1. */
  private placeOf(message: Message): number {
    const key = `${message.process_group}\n${message.group_size}\n${message.name}`;
    const known = this.messagePlaces.get(key);
    if (known !== undefined) {
      const held = this.messages[known - 1]!;
      held.message_size_bytes = Math.max(held.message_size_bytes, message.message_size_bytes);
      return known;
    }
    this.messages.push(message);
    this.messagePlaces.set(key, this.messages.length);
    return this.messages.length;
  }

  /** A step that the profiler marked, by its number, and when it begins. */
  addStep(number: string, start_us: number): void {
    this.steps.add(number);
    if (Number.isFinite(start_us)) this.firstStep = Math.min(this.firstStep, start_us);
  }

  /** All of them, the first start at 0. */
  take(): Kernels {
    const [start, duration, stream, communication, device, name, operation] = this.columns.map((column) =>
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
      operation: operation!,
      names: [...this.places.keys()],
      messages: this.messages,
      steps: this.steps.size,
      lead_us: this.firstStep < first ? first - this.firstStep : 0,
    };
  }
}
