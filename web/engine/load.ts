import type { Engine, FieldDescription, Problem } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import { InvalidInputError } from "./invalid-input-error";
import { binaryOf, type WasmText } from "./wasm-text";
import { Reader, Writer } from "./wire";

export type Descriptions = ReturnType<Engine["describe"]>;

/** Calls the module: passes a caller's values to it, and its answer back. */
class Caller {
  private readonly reader: Reader;

  constructor(private readonly module: Module) {
    this.reader = new Reader(module.HEAPU8);
  }

  call(inputs: unknown, known: ReadonlySet<string>, run: () => void, columns?: readonly FieldDescription[]): unknown {
    const writer = new Writer(known);
    try {
      const bytes = writer.write(inputs);
      const at = this.module.input(bytes.length);
      this.module.HEAPU8.set(bytes, at);
    } finally {
      writer.release();
    }
    run();
    return this.answer(columns, writer.thrown);
  }

  answer(columns?: readonly FieldDescription[], cause?: unknown): unknown {
    const reader = this.reader.from(this.module.HEAPU8, this.module.output());
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
  module.describe();
  return frozen(new Caller(module).answer()) as Descriptions;
}

/** The engine of a module whose calculations are such. */
export function engineOf(module: Module, descriptions: Descriptions): Engine {
  const caller = new Caller(module);
  const calculations = Object.entries(descriptions).map(([name, description], place) => {
    const known = new Set(description.inputs.map((field) => field.name));
    const run = () => module.run(place);
    return [name, (inputs: unknown = {}) => caller.call(inputs, known, run, description.results)];
  });
  return Object.freeze({
    ...Object.fromEntries(calculations),
    sweep: (request: unknown) => caller.call(request, requestNames, () => module.sweep()),
    resolve_inputs: (request: unknown) => caller.call(request, requestNames, () => module.resolve_inputs()),
    describe: () => descriptions,
  }) as Engine;
}

/** The engine out of its module's binary. */
export async function load(text: WasmText): Promise<Engine> {
  const module = await createModule({ wasmBinary: binaryOf(text) });
  return engineOf(module, describedBy(module));
}
