import type { Engine, FieldDescription, Problem } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import { InvalidInputError } from "./invalid-input-error";
import { binaryOf, type WasmText } from "./wasm-text";
import { Reader, writerOf } from "./wire";

export type Descriptions = ReturnType<Engine["describe"]>;

/** Calls the module: passes a caller's values to it, and its answer back. */
class Caller {
  private readonly reader: Reader;
  private readonly usualPlace: number;

  constructor(private readonly module: Module) {
    this.reader = new Reader(module.HEAPU8);
    this.usualPlace = module.input(module.usual_bytes);
  }

  /** `run` takes the inputs' size and says where the answer lies. */
  call(
    inputs: unknown,
    known: ReadonlySet<string>,
    run: (size: number) => number,
    columns?: readonly FieldDescription[],
  ): unknown {
    const writer = writerOf(known);
    let size: number;
    let thrown: unknown;
    try {
      const bytes = writer.write(inputs);
      size = bytes.length;
      const place = size > this.module.usual_bytes ? this.module.input(size) : this.usualPlace;
      this.module.HEAPU8.set(bytes, place);
      thrown = writer.thrown;
    } finally {
      writer.release();
    }
    return this.answer(run(size), columns, thrown);
  }

  /** Has the module read a piece of a text. */
  add(piece: Uint8Array, handle: number): void {
    const most = this.module.usual_bytes;
    for (let at = 0; at < piece.length; at += most) {
      const part = piece.subarray(at, at + most);
      this.module.HEAPU8.set(part, this.usualPlace);
      this.module.add_piece(part.length, handle);
    }
  }

  answer(place: number, columns?: readonly FieldDescription[], cause?: unknown): unknown {
    const reader = this.reader.from(this.module.HEAPU8, place);
    if (reader.read()) return reader.read(columns);
    throw new InvalidInputError(reader.read() as Problem[], cause);
  }
}

/** `value`, which nobody can change any more. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const requestNames = new Set(["calculation", "inputs", "axes"]);

const encoder = new TextEncoder();

/** A text that comes in pieces to a calculation; what is not run must be closed. */
class Pieces {
  constructor(
    private handle: number,
    private readonly caller: Caller,
    private readonly runIt: (inputs: unknown, handle: number) => unknown,
    private readonly closeIt: (handle: number) => void,
  ) {}

  private open(): number {
    if (this.handle === 0) throw new Error("these pieces were run or closed before");
    return this.handle;
  }

  add(piece: string | Uint8Array): void {
    this.caller.add(typeof piece === "string" ? encoder.encode(piece) : piece, this.open());
  }

  run(inputs: unknown = {}): unknown {
    const handle = this.open();
    this.handle = 0;
    return this.runIt(inputs, handle);
  }

  close(): void {
    if (this.handle !== 0) this.closeIt(this.handle);
    this.handle = 0;
  }
}

/** Puts help texts where descriptions have theirs, in the order of these. */
function explain(described: object, texts: Iterator<string>): void {
  for (const [key, value] of Object.entries(described)) {
    if (key === "help") Object.assign(described, { help: texts.next().value });
    else if (typeof value === "object" && value !== null) explain(value as object, texts);
  }
}

/** What the module tells of its calculations; `help` where that is a file of its own. */
export function describedBy(module: Module, help?: readonly string[]): Descriptions {
  const described = new Caller(module).answer(module.describe()) as Descriptions;
  if (help) explain(described, help.values());
  return frozen(described);
}

function notInPieces(name: unknown, descriptions: Descriptions): Problem {
  const able = Object.keys(descriptions).filter((one) => descriptions[one]!.in_pieces);
  const allowed = `one of ${able.join(", ")}`;
  const got = typeof name === "string" ? `“${name.slice(0, 40)}”` : `a ${typeof name}`;
  return { field: "calculation", code: "not_a_choice", message: `calculation must be ${allowed}; got ${got}`, allowed };
}

/** The engine of a module whose calculations are such. */
export function engineOf(module: Module, descriptions: Descriptions): Engine {
  const caller = new Caller(module);
  const calculations = Object.entries(descriptions).map(([name, description], place) => {
    const known = new Set(description.inputs.map((field) => field.name));
    const run = (size: number) => module.run(size, place);
    return [name, (inputs: unknown = {}) => caller.call(inputs, known, run, description.results)];
  });
  const names = Object.keys(descriptions);
  const inPieces = (name: string): Pieces => {
    const description = descriptions[name];
    const handle = description?.in_pieces ? module.open_pieces(names.indexOf(name)) : 0;
    if (handle === 0) throw new InvalidInputError([notInPieces(name, descriptions)]);
    const known = new Set(description!.inputs.map((field) => field.name));
    const run = (inputs: unknown, of: number) =>
      caller.call(inputs, known, (size) => module.run_pieces(size, of), description!.results);
    return new Pieces(handle, caller, run, (of) => module.close_pieces(of));
  };
  return Object.freeze({
    ...Object.fromEntries(calculations),
    in_pieces: inPieces,
    sweep: (request: unknown) => caller.call(request, requestNames, (size) => module.sweep(size)),
    resolve_inputs: (request: unknown) => caller.call(request, requestNames, (size) => module.resolve_inputs(size)),
    describe: () => descriptions,
  }) as Engine;
}

/** The engine out of its module's binary. */
export async function load(text: WasmText): Promise<Engine> {
  const module = await createModule({ wasmBinary: binaryOf(text) });
  return engineOf(module, describedBy(module));
}
