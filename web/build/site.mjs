// Builds build/site: the hosted page, the page in one file, the elements, the engine, all ready for any static host.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { formulas } from "./formulas.mjs";
import { keepOffline } from "./offline.mjs";
import { commcostModule, root, sharedEngine } from "./plugins.mjs";
import { scoreboard } from "./scoreboard.mjs";

const site = `${root}build/site`;
const common = { root: `${root}web`, configFile: false, logLevel: "warn", base: "./", plugins: [commcostModule()] };

// The engine's file keeps its name for those who import it; the page asks for its own version of it.
const engineFile = `commcost.js?${createHash("sha256").update(readFileSync(`${root}build/engine/commcost.js`)).digest("hex").slice(0, 16)}`;
const versionedEngine = {
  name: "versioned-engine",
  renderChunk: (code) => ({ code: code.replaceAll("../commcost.js", `../${engineFile}`), map: null }),
};

// The page and its frame.
const { output } = await build({
  ...common,
  plugins: [sharedEngine(), versionedEngine],
  build: {
    outDir: site, emptyOutDir: true, target: "es2022", minify: true, modulePreload: { polyfill: false }, assetsInlineLimit: 0,
    rollupOptions: { input: { index: `${root}web/index.html`, embed: `${root}web/embed.html` } },
  },
});
cpSync(`${root}build/engine/commcost.js`, `${site}/commcost.js`);
// Both open with the Cost view on most visits: its scripts and the engine come in beside the first, not after it.
const chunkOf = (part) => output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(part));
const withImports = (chunk) => [chunk.fileName, ...chunk.imports.flatMap((name) => {
  const imported = output.find(({ fileName }) => fileName === name);
  return imported ? withImports(imported) : [];
})];
const early = new Set([engineFile, ...withImports(chunkOf("/cost/cost-view.ts"))]);
for (const page of ["index.html", "embed.html"]) {
  const html = readFileSync(`${site}/${page}`, "utf8");
  const links = [...early].filter((name) => !html.includes(name)).map((name) => `    <link rel="modulepreload" crossorigin href="./${name}">\n`);
  writeFileSync(`${site}/${page}`, html.replace("  </head>", `${links.join("")}  </head>`));
}

// The elements, self-contained in one script.
await build({
  ...common,
  publicDir: false,
  build: {
    outDir: `${root}build/element`, emptyOutDir: true, target: "es2022", minify: true,
    lib: { entry: `${root}web/app/calculator-element.ts`, formats: ["es"], fileName: () => "commcost-element.js" },
    rollupOptions: { output: { codeSplitting: false } },
  },
});

// The whole page in one file that opens from file://; its inline script is allowed by its hash.
const single = `${root}build/single`;
await build({
  ...common,
  publicDir: false,
  // The plugin's warnings of the policy are answered by the hashes below.
  logLevel: "error",
  plugins: [commcostModule(), viteSingleFile()],
  build: { outDir: single, emptyOutDir: true, target: "es2022", minify: true, rollupOptions: { input: `${root}web/index.html` } },
});
const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
let html = readFileSync(`${single}/index.html`, "utf8").replace(/ *<link rel="(?:icon|manifest)"[^>]*>\n/g, "");
const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => hashOf(match[1]));
const sheets = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((match) => hashOf(match[1]));
const policy = `default-src 'none'; script-src ${scripts.join(" ")} 'wasm-unsafe-eval'; style-src ${sheets.join(" ")}; img-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
html = html.replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy);

cpSync(`${root}build/element/commcost-element.js`, `${site}/commcost-element.js`);
cpSync(`${root}build/engine/commcost.d.ts`, `${site}/commcost.d.ts`);
cpSync(`${root}web/embed-host.js`, `${site}/commcost-embed.js`);
writeFileSync(`${site}/commcost.html`, html);
scoreboard(site);
formulas(site);

keepOffline(site, ["index.html", "embed.html", engineFile, "icon.svg", "manifest.webmanifest",
  ...readdirSync(`${site}/assets`).map((name) => `assets/${name}`)]);
for (const folder of ["element", "single"]) rmSync(`${root}build/${folder}`, { recursive: true });
