/** What the host said of kernels before it launched them: operators and shapes of products, by the number that kernels repeat. */

/** A product of matrices: rows, columns, and what is summed over. */
export interface ProductShape {
  m: number;
  n: number;
  k: number;
}

/** Operations of PyTorch that are one product, as it calls them; others hold these. */
const ofProducts = /"aten::(mm|addmm|_scaled_mm|bmm)"/;

interface Operation {
  name?: string;
  args?: { "External id"?: number; "Input Dims"?: unknown };
}

/** The shape of a product whose inputs have these dimensions; nothing where they are none. */
function shapeOf(name: string, dims: unknown): ProductShape | undefined {
  if (!Array.isArray(dims)) return undefined;
  const [one, other] = (name === "aten::addmm" ? dims.slice(1) : dims) as unknown[];
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return undefined;
  const batch = one.length === 3 ? Number(one[0]) : 1;
  const [m, k, n] = [Number(one.at(-2)), Number(one.at(-1)), Number(other.at(-1))];
  return [batch, m, n, k].every((size) => Number.isInteger(size) && size > 0) ? { m: batch * m, n, k } : undefined;
}

/** Profilers count operations and launches up from one: a number beyond this is none of theirs. */
const mostIds = 2 ** 25;

/** A number for each id, 0 where none was set, in an array that grows with the ids. */
class ById<Column extends Uint16Array | Uint32Array | Float32Array> {
  private column: Column;

  constructor(private readonly make: (length: number) => Column) {
    this.column = make(4096);
  }

  set(id: number, value: number): void {
    if (!(id > 0 && id < mostIds)) return;
    if (id >= this.column.length) {
      const larger = this.make(Math.min(mostIds, 2 ** Math.ceil(Math.log2(id + 1))));
      larger.set(this.column);
      this.column = larger;
    }
    this.column[id] = value;
  }

  get(id: number): number {
    return this.column[id] ?? 0;
  }
}

/** The most names of operators that are distinguished. */
const mostNames = 4096;
const longestName = 80;

/** The first number behind a key of an event; NaN where there is none. */
function numberBehind(text: string, key: string): number {
  const at = text.indexOf(key);
  return at < 0
    ? NaN
    : Number(/^\s*:\s*"?(\d+(?:\.\d+)?)/.exec(text.slice(at + key.length, at + key.length + 32))?.[1] ?? NaN);
}

/** What the host ran: operators by the numbers that kernels repeat, and shapes of products, each kept once. */
export class Operations {
  readonly shapes: ProductShape[] = [];
  /** Names of operators; the first is of none. */
  readonly names: string[] = [""];
  private readonly namePlaces = new Map<string, number>();
  private readonly nameOf = new ById((length) => new Uint16Array(length));
  private readonly durationOf = new ById((length) => new Float32Array(length));
  private readonly launchedBy = new ById((length) => new Uint32Array(length));
  private readonly places = new Map<string, number>();
  private readonly byId = new Map<number, number>();

  /** Keeps what an event of the host's says: an operator, or a launch. */
  take(text: string): void {
    if (text.includes('"cpu_op"') || text.includes('"Operator"')) {
      this.takeOperator(text);
      if (text.includes('"aten::') && ofProducts.test(text)) this.takeProduct(text);
    } else if (text.includes('_runtime"') || text.includes('_driver"')) {
      const id = numberBehind(text, '"External id"');
      if (id > 0) this.launchedBy.set(numberBehind(text, '"correlation"'), id);
    }
  }

  private takeOperator(text: string): void {
    const id = numberBehind(text, '"External id"');
    const name = /"name"\s*:\s*"([^"\\]{1,400})"/.exec(text)?.[1]?.slice(0, longestName);
    if (!(id > 0) || name === undefined) return;
    let place = this.namePlaces.get(name);
    if (place === undefined) {
      if (this.names.length === mostNames) return;
      this.namePlaces.set(name, (place = this.names.length));
      this.names.push(name);
    }
    this.nameOf.set(id, place);
    this.durationOf.set(id, numberBehind(text, '"dur"') || 0);
  }

  /** The number of the operation of a launch that has this correlation; 0 where none says so. */
  ofLaunch(correlation: number): number {
    return this.launchedBy.get(correlation);
  }

  /** The place in `names` of the operator with that number; 0 if it has none. */
  operatorOf(id: number): number {
    return this.nameOf.get(id);
  }

  /** How long the host was in the operator of that number, us; once, since an operator may launch several kernels. */
  takeHostTime(id: number): number {
    const time = this.durationOf.get(id);
    if (time > 0) this.durationOf.set(id, 0);
    return time;
  }

  private takeProduct(text: string): void {
    let operation: Operation;
    try {
      operation = JSON.parse(text) as Operation;
    } catch {
      return;
    }
    const id = operation.args?.["External id"];
    const shape = shapeOf(operation.name ?? "", operation.args?.["Input Dims"]);
    if (!shape || typeof id !== "number") return;
    const key = `${shape.m} ${shape.n} ${shape.k}`;
    let place = this.places.get(key);
    if (place === undefined) {
      this.places.set(key, (place = this.shapes.length));
      this.shapes.push(shape);
    }
    this.byId.set(id, place);
  }

  /** The place of the shape of the operation with that number; -1 if it has none. */
  placeOf(id: number): number {
    return this.byId.get(id) ?? -1;
  }
}

/** What a message's kernel says of itself. */
export interface MessageArguments {
  "Collective name"?: string;
  "In msg nelems"?: number;
  "Out msg nelems"?: number;
  "Group size"?: number;
  dtype?: string;
  "Process Group Description"?: string;
  "Process Group Name"?: string;
}

const bytesOf: Readonly<Record<string, number>> = {
  float: 4,
  bfloat16: 2,
  half: 2,
  double: 8,
  byte: 1,
  char: 1,
  int: 4,
  long: 8,
  float8_e4m3fn: 1,
  float8_e5m2: 1,
};

/** The group and the message of a kernel that communicates: the size as nccl-tests counts it. */
export function messageOf(args: MessageArguments | undefined) {
  const elements = Math.max(Number(args?.["In msg nelems"] ?? 0), Number(args?.["Out msg nelems"] ?? 0));
  const size = elements * (bytesOf[String(args?.dtype ?? "").toLowerCase()] ?? 0);
  return {
    process_group: String(args?.["Process Group Description"] || args?.["Process Group Name"] || "").slice(0, 200),
    group_size: Number(args?.["Group size"] ?? 0) || 0,
    message_size_bytes: Number.isFinite(size) ? size : 0,
  };
}
