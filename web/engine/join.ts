import type { FieldDescription } from "#engine";
import createModule, { type Module } from "virtual:commcost-module";
import type { Descriptions } from "./load";
import type { Given } from "./source";

/** The form in which a part of the engine arrives: a host's answer, its bytes, or compiled. */
export type Came = Response | Given;

/** As a stream if the host sends the right type; some do not. */
async function instantiated(
  answer: Came | Promise<Came>,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const came = await answer;
  if (came instanceof WebAssembly.Module)
    return { module: came, instance: await WebAssembly.instantiate(came, imports) };
  if (came instanceof Uint8Array)
    return WebAssembly.instantiate(came, imports).catch((error: unknown) => {
      // Bytes that are already here can't have been damaged in transit.
      throw new WebAssembly.RuntimeError(String(error));
    });
  if (came.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.instantiateStreaming(came, imports);
  return WebAssembly.instantiate(await came.arrayBuffer(), imports);
}

/** The module with its first part alone, that part, and what it offers the others. */
export async function begun(
  first: Came | Promise<Came>,
): Promise<{ module: Module; compiled: WebAssembly.Module; exports: WebAssembly.Exports }> {
  let begin: WebAssembly.WebAssemblyInstantiatedSource;
  const module = await new Promise<Module>((resolve, reject) => {
    const instantiateWasm = (imports: WebAssembly.Imports, take: (instance: WebAssembly.Instance) => void) => {
      instantiated(first, imports).then((made) => {
        begin = made;
        take(made.instance);
      }, reject);
      return {};
    };
    createModule({ instantiateWasm }).then(resolve, reject);
  });
  return { module, compiled: begin!.module, exports: begin!.instance.exports };
}

/**
 * Joins another part to those that offer this; returns it, what all of them offer then, and these descriptions with its
 * own.
 */
export async function joined(
  part: Came | Promise<Came>,
  exports: WebAssembly.Exports,
  descriptions: Descriptions,
): Promise<{ compiled: WebAssembly.Module; exports: WebAssembly.Exports; descriptions: Descriptions }> {
  const { instance, module } = await instantiated(part, { primary: exports as WebAssembly.ModuleImports });
  const [told] = WebAssembly.Module.customSections(module, "results");
  const results = told ? (JSON.parse(new TextDecoder().decode(told)) as Record<string, FieldDescription[]>) : {};
  const own = Object.entries(results).map(([name, given]) => [name, { ...descriptions[name], results: given }]);
  return {
    compiled: module,
    exports: { ...exports, ...instance.exports },
    descriptions: { ...descriptions, ...(Object.fromEntries(own) as Descriptions) },
  };
}
