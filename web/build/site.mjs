// Builds build/site: the hosted page, the page in one file, the elements, the engine, all ready for any static host.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { formulas } from "./formulas.mjs";
import { keepOffline } from "./offline.mjs";
import { licenses, noticed } from "./licenses.mjs";
import { commcostModule, root, sharedEngine } from "./plugins.mjs";
import { scoreboard } from "./scoreboard.mjs";

const site = `${root}build/site`;
const packages = new Set();
const common = {
  root: `${root}web`,
  configFile: false,
  logLevel: "warn",
  base: "./",
  plugins: [commcostModule(), noticed(packages)],
};
const digest = (file) => `sha384-${createHash("sha384").update(readFileSync(file)).digest("base64")}`;

/** A script of its own that others can load or import, all in one file. */
const script = (entry, fileName) =>
  build({
    ...common,
    publicDir: false,
    build: {
      outDir: `${root}build/scripts`,
      emptyOutDir: false,
      target: "es2022",
      minify: true,
      lib: { entry: `${root}web/embed/${entry}`, formats: ["es"], fileName: () => fileName },
      rollupOptions: { output: { codeSplitting: false } },
    },
  });

// The elements, and what hosts need for frames.
rmSync(`${root}build/scripts`, { recursive: true, force: true });
await script("elements.ts", "commcost-element.js");
await script("host.ts", "commcost-embed.js");
const integrity = digest(`${root}build/scripts/commcost-element.js`);

// The engine's file keeps its name for those who import it; the page asks for its own version of it.
const engineFile = `commcost.js?${createHash("sha256")
  .update(readFileSync(`${root}build/engine/commcost.js`))
  .digest("hex")
  .slice(0, 16)}`;
const versionedEngine = {
  name: "versioned-engine",
  renderChunk: (code) => ({ code: code.replaceAll("../commcost.js", `../${engineFile}`), map: null }),
};

// The page, its frame, and a page with exercises as an example.
const { output } = await build({
  ...common,
  plugins: [sharedEngine(), versionedEngine, noticed(packages)],
  define: { ELEMENT_INTEGRITY: JSON.stringify(integrity) },
  build: {
    outDir: site,
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { index: `${root}web/index.html`, embed: `${root}web/embed.html`, practice: `${root}web/practice.html` },
    },
  },
});
cpSync(`${root}build/engine/commcost.js`, `${site}/commcost.js`);
// Both open with the Cost view on most visits: its scripts and the engine come in beside the first, not after it.
const chunkOf = (part) => output.find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(part)));
const withImports = (chunk) => [
  chunk.fileName,
  ...chunk.imports.flatMap((name) => {
    const imported = output.find(({ fileName }) => fileName === name);
    return imported ? withImports(imported) : [];
  }),
];
const early = new Set([engineFile, ...withImports(chunkOf("/cost/cost-view.ts"))]);
for (const page of ["index.html", "embed.html"]) {
  const html = readFileSync(`${site}/${page}`, "utf8");
  const links = [...early]
    .filter((name) => !html.includes(name))
    .map((name) => `    <link rel="modulepreload" crossorigin href="./${name}">\n`);
  writeFileSync(`${site}/${page}`, html.replace("  </head>", `${links.join("")}  </head>`));
}

// The whole page in one file that opens from file://; its inline script is allowed by its hash.
const single = `${root}build/single`;
await build({
  ...common,
  publicDir: false,
  // The plugin's warnings of the policy are answered by the hashes below.
  logLevel: "error",
  plugins: [commcostModule(), viteSingleFile()],
  define: { ELEMENT_INTEGRITY: '""' },
  build: {
    outDir: single,
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    rollupOptions: { input: `${root}web/index.html` },
  },
});
const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
let html = readFileSync(`${single}/index.html`, "utf8").replace(/ *<link rel="(?:icon|manifest)"[^>]*>\n/g, "");
const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => hashOf(match[1]));
const sheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((match) => hashOf(match[1]));
const policy = `default-src 'none'; script-src ${scripts.join(" ")} 'wasm-unsafe-eval'; style-src ${sheets.join(" ")}; img-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
html = html.replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy);

for (const name of ["commcost-element.js", "commcost-embed.js"])
  cpSync(`${root}build/scripts/${name}`, `${site}/${name}`);
cpSync(`${root}build/engine/commcost.d.ts`, `${site}/commcost.d.ts`);
writeFileSync(`${site}/commcost.html`, html);
writeFileSync(`${site}/licenses.txt`, licenses(packages));
scoreboard(site);
formulas(site);

keepOffline(site, [
  "index.html",
  "embed.html",
  "practice.html",
  engineFile,
  "icon.svg",
  "manifest.webmanifest",
  ...readdirSync(`${site}/assets`).map((name) => `assets/${name}`),
]);
for (const folder of ["scripts", "single"]) rmSync(`${root}build/${folder}`, { recursive: true });
