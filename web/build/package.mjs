// Makes build/package of the built site: the folder that `npm pack` turns into the package commcost.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build as esbuild } from "esbuild";
import { elementTypes } from "./element-types.mjs";
import { elementSources, root, version } from "./plugins.mjs";

const out = `${root}build/package`;
const read = (path) => readFileSync(path, "utf8");

rmSync(out, { recursive: true, force: true });
// The whole site, so that frames find what they link to, except the copy of the page in one file.
cpSync(`${root}build/site`, out, { recursive: true, filter: (path) => !path.endsWith("/commcost.html") });
// The engine is the one of the elements, in parts.
const modules = readdirSync(`${out}/elements`);
const moduleOf = (name) => `elements/${modules.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file))}`;
writeFileSync(`${out}/commcost.js`, `export * from "./${moduleOf("load-engine")}";\n`);
cpSync(`${root}LICENSE`, `${out}/LICENSE`);
cpSync(`${root}web/package`, out, { recursive: true });

/** A source's declarations, as the compiler writes them. */
function declarationsOf(source) {
  const folder = `${root}build/declarations`;
  execFileSync(process.execPath, [
    `${root}node_modules/typescript/bin/tsc`,
    "-p",
    `${root}web`,
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--outDir",
    folder,
    "--rootDir",
    root,
  ]);
  return read(`${folder}/web/${source.replace(/\.ts$/, ".d.ts")}`).replaceAll('"#engine"', '"./commcost.js"');
}
writeFileSync(
  `${out}/commcost-embed.d.ts`,
  declarationsOf("embed/host.ts").replaceAll('"../exercise/events.js"', '"./commcost-element.js"'),
);
writeFileSync(`${out}/commcost-element.d.ts`, await elementTypes(declarationsOf("exercise/events.ts")));
rmSync(`${root}build/declarations`, { recursive: true });

/** The command, which uses the package's own engine. */
await esbuild({
  entryPoints: [`${root}web/cli/main.ts`],
  outfile: `${out}/bin/commcost.js`,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  banner: { js: "#!/usr/bin/env node" },
  define: { VERSION: JSON.stringify(version) },
  plugins: [
    {
      name: "shared-engine",
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/engine\/index\.js$/ }, () => ({ path: "../commcost.js", external: true })),
    },
  ],
});

/** The inputs and results of each calculation, for tools and assistants that call it. */
writeFileSync(
  `${out}/schema.json`,
  execFileSync(process.execPath, [`${out}/bin/commcost.js`, "schema"], { maxBuffer: 1e9 }),
);

/** A module that defines elements where elements exist: on a server, rendering only writes their names. */
const defining = (path) => `if (typeof HTMLElement !== "undefined") void import("${path}");\n`;
mkdirSync(`${out}/element`);
for (const name of Object.keys(elementSources))
  writeFileSync(`${out}/element/${name}.js`, defining(`../${moduleOf(`define-${name}`)}`));

const types = (framework) => ({ types: `./types/${framework}.d.ts`, default: "./types/nothing.js" });
const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
writeFileSync(
  `${out}/package.json`,
  `${JSON.stringify(
    {
      name: "commcost",
      version,
      description:
        "What tensor parallelism costs in communication: the calculator as an engine, as elements, and in a frame",
      keywords: ["tensor-parallelism", "all-reduce", "nccl", "llm", "custom-element", "wasm"],
      license: "MIT",
      type: "module",
      bin: { commcost: "./bin/commcost.js" },
      engines: { node: ">=20" },
      exports: {
        ".": entry("commcost"),
        "./element": entry("commcost-element"),
        "./element/*": { types: "./types/element.d.ts", default: "./element/*.js" },
        "./react": types("react"),
        "./vue": types("vue"),
        "./svelte": types("svelte"),
        "./embed": entry("commcost-embed"),
        "./embed.html": "./embed.html",
        "./schema.json": "./schema.json",
        "./package.json": "./package.json",
      },
      sideEffects: ["./commcost-element.js", "./element/*", "./elements/*", "./assets/*"],
    },
    null,
    2,
  )}\n`,
);
