/** The module that Emscripten makes; an answer lies in its memory until the next call. */
declare module "virtual:commcost-module" {
  export interface Module {
    /** Its memory; another one once it has grown. */
    HEAPU8: Uint8Array;
    /** Inputs of up to this many bytes share one place. */
    readonly usual_bytes: number;
    /** Where the next call's inputs, of so many bytes, are to be written. */
    input(size: number): number;
    /** Runs the calculation of that place in describe(), of inputs of that size; where its answer lies, as the others do. */
    run(size: number, place: number): number;
    /** Prepares the calculation of that place for inputs of that size: a handle. */
    prepare(size: number, place: number): number;
    /** Sets an input of it, its name and then its value. */
    set(size: number, handle: number): void;
    /** The same of a number, to the input of that place. */
    set_number(number: number, place: number, handle: number): void;
    run_prepared(handle: number): number;
    close_prepared(handle: number): void;
    sweep(size: number): number;
    /** Opens the text of the calculation of that place: a handle, or 0 where its inputs come at once. */
    open_pieces(place: number): number;
    /** Reads a piece of at most `usual_bytes`, written as inputs are. */
    add_piece(size: number, handle: number): void;
    /** Runs the calculation on all pieces, with inputs of that size, and closes them. */
    run_pieces(size: number, handle: number): number;
    close_pieces(handle: number): void;
    resolve_inputs(size: number): number;
    describe(): number;
  }
  type Instantiate = (imports: WebAssembly.Imports, take: (instance: WebAssembly.Instance) => void) => object;
  const create: (options: { wasmBinary: Uint8Array } | { instantiateWasm: Instantiate }) => Promise<Module>;
  export default create;
}

/** The module's binary. */
declare module "virtual:commcost-wasm" {
  const text: import("./wasm-text").WasmText;
  export default text;
}

/** The part that each calculation comes with, and what the page must know of all before the rest is there. */
declare module "virtual:commcost-parts" {
  export const partOf: Readonly<Record<string, string>>;
  /** The parts after the first, by what each depends on besides the first. */
  export const takesFrom: Readonly<Record<string, readonly string[]>>;
  export const descriptions: import("./load").Descriptions;
}

/** How the page obtains a part of the engine. */
declare module "virtual:commcost-asked" {
  export const asked: (part: string, again?: boolean) => Promise<import("./join").Came>;
  /** The help texts of descriptions, in order. */
  export const askedHelp: (again?: boolean) => Promise<readonly string[]>;
}

/** The help texts, in a script. */
declare module "virtual:commcost-help" {
  export const help: readonly string[];
}

/** The parts of the engine, each spelt in letters in a script: a sandboxed frame may fetch nothing else of hosts that send no CORS. */
declare module "virtual:commcost-spelt" {
  export const scripts: Readonly<Record<string, () => Promise<{ spelt: import("./wasm-text").WasmText }>>>;
}

/** The module that defines each tag, by its name. */
declare module "virtual:commcost-elements" {
  export const modules: Readonly<Record<string, () => Promise<unknown>>>;
}

/** What the page gives a worker, and how the worker makes its engine from it. */
declare module "virtual:commcost-source" {
  export const source: import("./source").Source;
}
declare module "virtual:commcost-engine-from" {
  export const engineFrom: (source: unknown) => Promise<import("#engine").Engine>;
}

/** A worker's whole script as text, bundled from that file. */
declare module "*?worker-text" {
  const text: string;
  export default text;
}
