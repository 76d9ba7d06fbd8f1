import wasmText from "virtual:commcost-wasm";
import type { Source } from "./source";

/** A worker makes its engine from the binary as text, if everything is in one file. */
export const source: Source = { begin: () => wasmText };
