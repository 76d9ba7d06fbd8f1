/** What the host said of kernels before it launched them: shapes of products, by the number that kernels repeat. */

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

/** Shapes of products, each kept once, however many operations have it. */
export class Operations {
  readonly shapes: ProductShape[] = [];
  private readonly places = new Map<string, number>();
  private readonly byId = new Map<number, number>();

  /** Keeps what an event of the host's says of a product, if it is of one; whether it is. */
  take(text: string): boolean {
    if (!text.includes('"aten::') || !ofProducts.test(text)) return false;
    let operation: Operation;
    try {
      operation = JSON.parse(text) as Operation;
    } catch {
      return true;
    }
    const id = operation.args?.["External id"];
    const shape = shapeOf(operation.name ?? "", operation.args?.["Input Dims"]);
    if (!shape || typeof id !== "number") return true;
    const key = `${shape.m} ${shape.n} ${shape.k}`;
    let place = this.places.get(key);
    if (place === undefined) {
      this.places.set(key, (place = this.shapes.length));
      this.shapes.push(shape);
    }
    this.byId.set(id, place);
    return true;
  }

  /** The place of the shape of the operation of that number; -1 where it told none. */
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
