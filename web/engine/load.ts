import type { Engine, Problem } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import { Caller } from "./caller";
import { InvalidInputError } from "./invalid-input-error";
import { LazyResults } from "./lazy";
import { Prepared } from "./prepared";
import { binaryOf, type WasmText } from "./wasm-text";

export type Descriptions = ReturnType<Engine["describe"]>;

/** `value`, frozen. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** Requests hold inputs of a calculation, by their names. */
const requestNames = new Map(["calculation", "inputs", "axes"].map((name) => [name, undefined]));

const encoder = new TextEncoder();

/** A text that is passed to a calculation in pieces; if it is not run, it must be closed. */
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

/** Puts help texts into descriptions, in their order. */
function explain(described: object, texts: Iterator<string>): void {
  for (const [key, value] of Object.entries(described)) {
    if (key === "help") Object.assign(described, { help: texts.next().value });
    else if (typeof value === "object" && value !== null) explain(value as object, texts);
  }
}

/** The module's descriptions of its calculations; `help` if that is a file of its own. */
export function describedBy(module: Module, help?: readonly string[]): Descriptions {
  const described = new Caller(module).answer(module.describe()) as Descriptions;
  if (help) explain(described, help.values());
  return frozen(described);
}

function notOneOf(able: readonly string[], name: unknown): Problem {
  const allowed = `one of ${able.join(", ")}`;
  const got = typeof name === "string" ? `“${name.slice(0, 40)}”` : `a ${typeof name}`;
  return { field: "calculation", code: "not_a_choice", message: `calculation must be ${allowed}; got ${got}`, allowed };
}

/** The engine of a module whose calculations are such. */
export function engineOf(module: Module, descriptions: Descriptions): Engine {
  const caller = new Caller(module);
  const names = Object.keys(descriptions);
  /** For each calculation, the places of its inputs. */
  const known = Object.values(descriptions).map(
    ({ inputs }) => new Map(inputs.map(({ name }, place) => [name, place])),
  );
  const calculations = Object.entries(descriptions).map(([name, description], place) => {
    const run = (size: number) => module.run(size, place);
    return [name, (inputs: unknown = {}) => caller.call(inputs, known[place]!, run, description.results)];
  });
  const lazy = new Map<string, LazyResults>();
  const prepare = (name: string, inputs: unknown = {}): Prepared => {
    const place = names.indexOf(name);
    if (place < 0) throw new InvalidInputError([notOneOf(names, name)]);
    const results = lazy.get(name) ?? new LazyResults(descriptions[name]!.results);
    lazy.set(name, results);
    const { size, thrown } = caller.pass((writer) => writer.write(inputs), known[place]);
    return new Prepared(module.prepare(size, place), caller, results, known[place]!, thrown);
  };
  const inPieces = (name: string): Pieces => {
    const description = descriptions[name];
    const handle = description?.in_pieces ? module.open_pieces(names.indexOf(name)) : 0;
    if (handle === 0) {
      const able = names.filter((one) => descriptions[one]!.in_pieces);
      throw new InvalidInputError([notOneOf(able, name)]);
    }
    const fields = known[names.indexOf(name)]!;
    const run = (inputs: unknown, of: number) =>
      caller.call(inputs, fields, (size) => module.run_pieces(size, of), description!.results);
    return new Pieces(handle, caller, run, (of) => module.close_pieces(of));
  };
  return Object.freeze({
    ...Object.fromEntries(calculations),
    prepare,
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
