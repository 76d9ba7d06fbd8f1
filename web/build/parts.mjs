// Makes build/parts: the engine of the hosted page in a script and the binaries of its parts, each named by its content.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { commcostParts, helpOf, partBinary, partNames, root } from "./plugins.mjs";

const folder = `${root}build/parts`;

/** Names one of the folder's files by its content. */
function renamed(file) {
  const [name, ending] = file.split(".");
  const hash = createHash("sha256")
    .update(readFileSync(`${folder}/${file}`))
    .digest("base64url");
  const byContent = `${name}-${hash.slice(0, 8)}.${ending}`;
  renameSync(`${folder}/${file}`, `${folder}/${byContent}`);
  return byContent;
}

/** Makes the parts of an engine that describes itself so; returns their names: {script, parts, help}. */
export async function engineParts(descriptions) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const binary = (part) => {
    writeFileSync(`${folder}/${part}.wasm`, partBinary(part, descriptions));
    return renamed(`${part}.wasm`);
  };
  writeFileSync(`${folder}/help.json`, JSON.stringify(helpOf(descriptions)));
  const parts = Object.fromEntries(partNames().map((part) => [part, binary(part)]));
  const files = { parts, help: renamed("help.json") };
  await build({
    configFile: false,
    root: `${root}web`,
    base: "./",
    logLevel: "warn",
    publicDir: false,
    plugins: [commcostParts(files, descriptions)],
    build: {
      target: "es2022",
      minify: true,
      outDir: folder,
      emptyOutDir: false,
      lib: { entry: `${root}web/engine/parts.ts`, formats: ["es"], fileName: () => "engine.js" },
      rollupOptions: { output: { codeSplitting: false, minify: true } },
    },
  });
  return { script: renamed("engine.js"), ...files };
}
