// Bundles the engine into build/engine: commcost.js (an ES module with the wasm inside) and its commcost.d.ts.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { commcostModule, root } from "./plugins.mjs";

const out = process.env.OUT ?? `${root}build/engine`;
await build({
  root: `${root}web`,
  configFile: false,
  logLevel: "warn",
  plugins: [commcostModule()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: "es2022",
    minify: "esbuild",
    lib: { entry: `${root}web/engine/index.ts`, formats: ["es"], fileName: () => "commcost.js" },
  },
});
mkdirSync(out, { recursive: true });
const declarations = execFileSync(process.execPath, [`${root}wasm/declarations.mjs`, `${out}/commcost.js`]);
writeFileSync(`${out}/commcost.d.ts`, declarations);
