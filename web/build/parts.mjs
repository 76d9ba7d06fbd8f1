// Makes build/parts: the engine of the hosted page in a script and the binaries of its parts, each named by its content.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { commcostParts, helpOf, partNames, root } from "./plugins.mjs";

const folder = `${root}build/parts`;

/** What a file is called that is named by its content. */
function named(file, name, ending) {
  const hash = createHash("sha256").update(readFileSync(file)).digest("base64url").slice(0, 8);
  return `${name}-${hash}.${ending}`;
}

/** Calls one of the folder's files so. */
function renamed(file, ...parts) {
  const name = named(`${folder}/${file}`, ...parts);
  renameSync(`${folder}/${file}`, `${folder}/${name}`);
  return name;
}

/** Makes them, of an engine that describes itself so; returns their names: {script, parts, help}. */
export async function engineParts(descriptions) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const binary = (part) => {
    const file = `${root}build/wasm/wasm/${part}.wasm`;
    const name = named(file, part, "wasm");
    copyFileSync(file, `${folder}/${name}`);
    return name;
  };
  writeFileSync(`${folder}/help.json`, JSON.stringify(helpOf(descriptions)));
  const parts = Object.fromEntries(partNames().map((part) => [part, binary(part)]));
  const files = { parts, help: renamed("help.json", "help", "json") };
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
  return { script: renamed("engine.js", "engine", "js"), ...files };
}
