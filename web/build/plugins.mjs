// What the page's builds share: where the WebAssembly module comes from, and how it is packed.
import { readFileSync } from "node:fs";
import { textOf } from "./wasm-text.mjs";

export const root = new URL("../../", import.meta.url).pathname;
const wasm = `${root}build/wasm/wasm/commcost`;

/** Serves the module's glue, and its binary as text: one file, no fetch, no data: address. */
export function commcostModule() {
  const text = "\0commcost-wasm";
  return {
    name: "commcost-module",
    config: () => ({ define: { ENGINE_FILE: '""' } }),
    resolveId(id) {
      if (id === "virtual:commcost-module") return `${wasm}.mjs`;
      return id === "virtual:commcost-wasm" ? text : undefined;
    },
    load(id) {
      if (id !== text) return undefined;
      return `export default ${JSON.stringify(textOf(readFileSync(`${wasm}.wasm`)))};`;
    },
  };
}

/** Leaves the engine out of the page's chunks, all of which lie one folder below it: one file for page and importers. */
export function sharedEngine() {
  return {
    name: "shared-engine",
    enforce: "pre",
    // A worker imports the same file.
    config: () => ({ define: { ENGINE_FILE: '"../commcost.js"' } }),
    resolveId: (id, importer) =>
      importer && id.endsWith("/engine/index.js") ? { id: "../commcost.js", external: true } : undefined,
  };
}
