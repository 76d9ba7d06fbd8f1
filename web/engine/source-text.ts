import wasmText from "virtual:commcost-wasm";
import type { WasmText } from "./wasm-text";

/** What a worker makes its engine of, where all is in one file. */
export const source = (): WasmText => wasmText;
