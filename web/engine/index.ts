import type { Engine } from "#engine";
import wasmText from "virtual:commcost-wasm";
import { load } from "./load";

export { InvalidInputError } from "./invalid-input-error";

let engine: Promise<Engine> | undefined;

/** The engine, ready to calculate; loaded once, the same object for every caller. All parts are available at once. */
export function loadEngine(_first?: string, _behind?: Promise<unknown>, _again?: boolean): Promise<Engine> {
  return (engine ??= load(wasmText));
}
