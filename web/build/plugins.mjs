// What the page's builds share: where the WebAssembly module comes from, how it is packed, how workers are.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { textOf } from "./wasm-text.mjs";

export const root = new URL("../../", import.meta.url).pathname;
const wasm = `${root}build/wasm/wasm/commcost`;

/** A worker's script as text: the page makes a Blob of it, so that it needs no address of its own to load from. */
function workerText(engineFile) {
  const suffix = "?worker-text";
  const glue = {
    name: "glue",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^virtual:commcost-module$/ }, () => ({ path: `${wasm}.mjs`, sideEffects: false })),
  };
  return {
    name: "worker-text",
    resolveId: (id, importer) =>
      id.endsWith(suffix)
        ? resolve(importer, "..", id.slice(0, -suffix.length).replace(/\.js$/, ".ts")) + suffix
        : undefined,
    async load(id) {
      if (!id.endsWith(suffix)) return undefined;
      const { outputFiles } = await build({
        entryPoints: [id.slice(0, -suffix.length)],
        bundle: true,
        write: false,
        format: "iife",
        target: "es2022",
        minify: true,
        define: { ENGINE_FILE: JSON.stringify(engineFile) },
        plugins: [glue],
        logLevel: "warning",
      });
      return `export default ${JSON.stringify(outputFiles[0].text)};`;
    },
  };
}

const wasmText = "\0commcost-wasm";

/** Serves the module's glue, and its binary as text: one file, no fetch, no data: address. */
export function commcostModule() {
  return [
    workerText(""),
    {
      name: "commcost-module",
      config: () => ({ define: { ENGINE_FILE: '""' } }),
      resolveId(id) {
        if (id === "virtual:commcost-module") return `${wasm}.mjs`;
        return id === "virtual:commcost-wasm" ? wasmText : undefined;
      },
      load(id) {
        if (id !== wasmText) return undefined;
        return `export default ${JSON.stringify(textOf(readFileSync(`${wasm}.wasm`)))};`;
      },
    },
  ];
}

/** Leaves the engine out of the page's chunks, all of which lie one folder below it: one file for page and importers. */
export function sharedEngine() {
  const file = "../commcost.js";
  return [
    workerText(file),
    {
      name: "shared-engine",
      enforce: "pre",
      // A worker imports the same file.
      config: () => ({ define: { ENGINE_FILE: JSON.stringify(file) } }),
      resolveId(id, importer) {
        if (id === "virtual:commcost-wasm") return wasmText;
        return importer && id.endsWith("/engine/index.js") ? { id: file, external: true } : undefined;
      },
      load: (id) => (id === wasmText ? "export default undefined;" : undefined),
    },
  ];
}
