/** The module that Emscripten makes; its tapes lie in its memory until the next call. */
declare module "virtual:commcost-module" {
  export interface Module {
    /** Where the next call's inputs are to be written. */
    inputs(size: number): Uint8Array;
    run(calculation: string): Uint8Array;
    sweep(): Uint8Array;
    describe(): Uint8Array;
  }
  const create: (options: { wasmBinary: Uint8Array }) => Promise<Module>;
  export default create;
}

/** The module's binary. */
declare module "virtual:commcost-wasm" {
  const text: import("./wasm-text").WasmText;
  export default text;
}

/** A worker's whole script as text, bundled from that file. */
declare module "*?worker-text" {
  const text: string;
  export default text;
}
