import type { Engine, Problem } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import { InvalidInputError } from "./invalid-input-error";
import { tapeOf, valuesOn } from "./tape";
import { binaryOf, type WasmText } from "./wasm-text";

function answered(tape: Uint8Array): unknown {
  const next = valuesOn(tape);
  if (next()) return next();
  throw new InvalidInputError(next() as Problem[]);
}

/** Passes `inputs` to the call, and its answer back. */
function call(module: Module, inputs: unknown, run: () => Uint8Array): unknown {
  const tape = tapeOf(inputs);
  module.inputs(tape.length).set(tape);
  return answered(run());
}

/** `value`, which nobody can change any more. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** The engine out of its module's binary. */
export async function load(text: WasmText): Promise<Engine> {
  const module = await createModule({ wasmBinary: binaryOf(text) });
  const descriptions = frozen(answered(module.describe())) as ReturnType<Engine["describe"]>;
  const calculations = Object.keys(descriptions).map((name) => [
    name,
    (inputs: unknown = {}) => call(module, inputs, () => module.run(name)),
  ]);
  return Object.freeze({
    ...Object.fromEntries(calculations),
    sweep: (request: unknown) => call(module, request, () => module.sweep()),
    describe: () => descriptions,
  }) as Engine;
}
