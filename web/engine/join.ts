import createModule, { type Module } from "virtual:commcost-module";

/** What a part of the engine comes as: a host's answer, or its bytes. */
export type Came = Response | Uint8Array<ArrayBuffer>;

/** As a stream where the host calls the file what it is; some do not. */
async function instantiated(
  answer: Came | Promise<Came>,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const came = await answer;
  if (came instanceof Uint8Array) return WebAssembly.instantiate(came, imports);
  if (came.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.instantiateStreaming(came, imports);
  return WebAssembly.instantiate(await came.arrayBuffer(), imports);
}

/** The module with its first part alone, and what that part offers the others. */
export async function begun(first: Came | Promise<Came>): Promise<{ module: Module; exports: WebAssembly.Exports }> {
  let exports: WebAssembly.Exports = {};
  const module = await new Promise<Module>((resolve, reject) => {
    const instantiateWasm = (imports: WebAssembly.Imports, take: (instance: WebAssembly.Instance) => void) => {
      instantiated(first, imports).then(({ instance }) => {
        exports = instance.exports;
        take(instance);
      }, reject);
      return {};
    };
    createModule({ instantiateWasm }).then(resolve, reject);
  });
  return { module, exports };
}

/** Puts another part to those that offer this; answers what all of them offer then. */
export async function joined(part: Came | Promise<Came>, exports: WebAssembly.Exports): Promise<WebAssembly.Exports> {
  const { instance } = await instantiated(part, { primary: exports as WebAssembly.ModuleImports });
  return { ...exports, ...instance.exports };
}
