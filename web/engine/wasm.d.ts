/** The module that Emscripten makes; plain values both ways. */
declare module "virtual:commcost-module" {
  export type Answer = { value: unknown } | { problems: import("#engine").Problem[] };
  export interface Module {
    run(calculation: string, inputs: unknown): Answer;
    sweep(request: unknown): Answer;
    describe(): Record<string, import("#engine").CalculationDescription>;
  }
  const create: (options: { wasmBinary: Uint8Array }) => Promise<Module>;
  export default create;
}

/** The module's binary: deflated (raw), in base64. */
declare module "virtual:commcost-wasm" {
  const packed: string;
  export default packed;
}
