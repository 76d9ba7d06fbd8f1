import wasmText from "virtual:commcost-wasm";
import type { Source } from "./source";

/** A worker makes its engine of the binary as text, where all is in one file. */
export const source: Source = { begin: () => wasmText };
