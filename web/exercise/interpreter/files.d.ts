/** A script of Python's as text. */
declare module "*.py" {
  const text: string;
  export default text;
}

/** A worker's whole script as text, for one that is a module. */
declare module "*?module-text" {
  const text: string;
  export default text;
}

declare module "@micropython/micropython-webassembly-pyscript" {
  interface Options {
    /** Where its binary lies. */
    url: string;
    linebuffer: boolean;
    stdout: (bytes: Uint8Array) => void;
    stderr: (bytes: Uint8Array) => void;
  }
  interface MicroPython {
    runPython(code: string): unknown;
    globals: { get(name: string): (...texts: string[]) => string };
  }
  export function loadMicroPython(options: Options): Promise<MicroPython>;
}
