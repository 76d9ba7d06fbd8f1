import type { Engine, Problem } from "#engine";
import createModule, { type Answer } from "virtual:commcost-module";
import packed from "virtual:commcost-wasm";
import { plain } from "./plain";

/** Thrown by every calculation whose inputs have problems: all of them, each naming field, value and what is allowed. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

function unwrap(answer: Answer): unknown {
  if ("problems" in answer) throw new InvalidInputError(answer.problems);
  return answer.value;
}

async function inflate(base64: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `value`, which nobody can change any more. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

async function load(): Promise<Engine> {
  const module = await createModule({ wasmBinary: await inflate(packed) });
  const descriptions = frozen(module.describe());
  const calculations = Object.keys(descriptions).map((name) => [
    name,
    (inputs: unknown = {}) => unwrap(module.run(name, plain(inputs))),
  ]);
  return Object.freeze({
    ...Object.fromEntries(calculations),
    sweep: (request: unknown) => unwrap(module.sweep(plain(request))),
    describe: () => descriptions,
  }) as Engine;
}

let engine: Promise<Engine> | undefined;

/** The engine, ready to calculate; loaded once, the same object for every caller. */
export function loadEngine(): Promise<Engine> {
  return (engine ??= load());
}
