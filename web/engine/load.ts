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

/** What the module tells of its calculations. */
export function describedBy(module: Module): Descriptions {
  return frozen(new Caller(module).answer(module.describe())) as Descriptions;
}

/** The engine of a module whose calculations are such. */
export function engineOf(module: Module, descriptions: Descriptions): Engine {
  const caller = new Caller(module);
  const calculations = Object.entries(descriptions).map(([name, description], place) => {
    const known = new Set(description.inputs.map((field) => field.name));
    const run = (size: number) => module.run(size, place);
    return [name, (inputs: unknown = {}) => caller.call(inputs, known, run, description.results)];
  });
  return Object.freeze({
    ...Object.fromEntries(calculations),
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
