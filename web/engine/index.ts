import type { Engine, Problem } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import wasmText from "virtual:commcost-wasm";
import { tapeOf, valuesOn } from "./tape";
import { binaryOf } from "./wasm-text";

/** Thrown by every calculation whose inputs have problems: all of them, each naming field, value and what is allowed. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

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

async function load(): Promise<Engine> {
  const module = await createModule({ wasmBinary: binaryOf(wasmText) });
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

let engine: Promise<Engine> | undefined;

/** The engine, ready to calculate; loaded once, the same object for every caller. */
export function loadEngine(): Promise<Engine> {
  return (engine ??= load());
}
