// What the page's builds share: where the WebAssembly module comes from, how it is packed, how workers are.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { custom, sectionsOf, moduleOf as binaryOf } from "../../wasm/parts/format.mjs";
import { textOf } from "./wasm-text.mjs";

export const root = new URL("../../", import.meta.url).pathname;
export const [, version] = /project\(commcost VERSION ([\d.]+)/.exec(readFileSync(`${root}CMakeLists.txt`, "utf8"));
/** Where a preset's module lies, without its endings. */
const moduleOf = (preset) => `${root}build/${preset}/wasm/commcost`;

/**
 * A worker's script as text: the page makes a Blob of it, so that it needs no address of its own to load from. Its engine
 * comes from the engine's own file, from its binary as text, or from its parts.
 */
function workerText(from, glueFile = `${moduleOf("wasm")}.mjs`) {
  // A module's script may wait at its top, as MicroPython's does.
  const suffixes = { "?worker-text": "iife", "?module-text": "esm" };
  const suffixOf = (id) => Object.keys(suffixes).find((suffix) => id.endsWith(suffix));
  const glue = {
    name: "glue",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^virtual:commcost-module$/ }, () => ({ path: glueFile, sideEffects: false }));
      onResolve({ filter: /^virtual:commcost-engine-from$/ }, () => ({ path: `${root}web/engine/from-${from}.ts` }));
    },
  };
  return {
    name: "worker-text",
    resolveId(id, importer) {
      const suffix = suffixOf(id);
      return suffix && resolve(importer, "..", id.slice(0, -suffix.length).replace(/\.js$/, ".ts")) + suffix;
    },
    async load(id) {
      const suffix = suffixOf(id);
      if (!suffix) return undefined;
      const { outputFiles, metafile } = await build({
        metafile: true,
        absWorkingDir: root,
        entryPoints: [id.slice(0, -suffix.length)],
        bundle: true,
        write: false,
        format: suffixes[suffix],
        target: "es2022",
        minify: true,
        loader: { ".py": "text" },
        // What only Node needs of MicroPython's script.
        external: ["path", "url", "fs", "crypto", "module"],
        plugins: [glue],
        logLevel: "warning",
      });
      for (const file of Object.keys(metafile.inputs)) this.addWatchFile(`${root}${file}`);
      return `export default ${JSON.stringify(outputFiles[0].text)};`;
    },
  };
}

/** A script of the page's sources that needs no other, as text; `constants` are set by the build. */
export async function bundled(entry, constants) {
  const { outputFiles } = await build({
    entryPoints: [`${root}web/${entry}`],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
  });
  return outputFiles[0].text;
}

const wasmText = "\0commcost-wasm";
const partsTable = "\0commcost-parts";

/** A file of the engine in parts. */
const partFile = (name) => `${root}build/wasm/wasm/${name}`;

/** The parts after the first, by what each depends on, and the part of each calculation. */
export const partsOf = () => JSON.parse(readFileSync(partFile("parts.json"), "utf8"));

/** The names of all parts, in their order. */
export const partNames = () => ["first", ...Object.keys(partsOf().takesFrom)];

/** The help texts of descriptions, in their order; web/engine/load.ts puts them back. */
export function helpOf(descriptions) {
  const texts = [];
  JSON.parse(JSON.stringify(descriptions), (key, value) => {
    if (key === "help") texts.push(value);
    return value;
  });
  return texts;
}

// Only the rest can describe all of it.
const unexplained = (key, value) => (key === "help" ? "" : value);

/** A part's file, with what its calculations give: read by web/engine/join.ts. */
export function partBinary(part, descriptions) {
  const { partOf } = partsOf();
  const own = Object.keys(descriptions).filter((name) => partOf[name] === part);
  const binary = readFileSync(partFile(`${part}.wasm`));
  // The first calculations are described in the engine's script; the rest describes itself.
  if (part === "first" || part === "rest" || own.length === 0) return binary;
  const results = Object.fromEntries(own.map((name) => [name, descriptions[name].results]));
  const told = { id: custom, name: "results", content: Buffer.from(JSON.stringify(results, unexplained)) };
  return binaryOf([...sectionsOf(binary), told]);
}

/**
 * What is known about the engine with its first part, as a script: every input, and the first calculations' results.
 */
function knownAtOnce(descriptions) {
  const { takesFrom, partOf } = partsOf();
  // Many calculations share most inputs: each is written once.
  const rows = new Map();
  const placeOf = (input) => {
    const row = JSON.stringify(input, unexplained);
    if (!rows.has(row)) rows.set(row, rows.size);
    return rows.get(row);
  };
  const known = Object.entries(descriptions).map(([name, { inputs, results, ...described }]) => [
    name,
    { ...described, inputs: inputs.map(placeOf), results: partOf[name] === "first" ? results : [] },
  ]);
  const told = `{"known":${JSON.stringify(Object.fromEntries(known), unexplained)},"rows":[${[...rows.keys()].join()}]}`;
  return `export const partOf = ${JSON.stringify(partOf)};
export const takesFrom = ${JSON.stringify(takesFrom)};
const { known, rows } = JSON.parse(${JSON.stringify(told)});
for (const one of Object.values(known)) one.inputs = one.inputs.map((row) => rows[row]);
export const descriptions = known;`;
}

/** Serves the engine in parts: its glue, what must be known about it at once, and where the parts are. */
export function commcostParts({ parts, help }, descriptions) {
  const places = {
    "virtual:commcost-module": partFile("parts.mjs"),
    "virtual:commcost-parts": partsTable,
    "virtual:commcost-asked": `${root}web/engine/fetched.ts`,
  };
  return {
    name: "commcost-parts",
    config: () => ({
      define: {
        PARTS: JSON.stringify(Object.fromEntries(Object.entries(parts).map(([name, file]) => [name, `./${file}`]))),
        HELP_TEXTS: JSON.stringify(`./${help}`),
      },
    }),
    resolveId: (id) => places[id],
    load: (id) => (id === partsTable ? knownAtOnce(descriptions) : undefined),
  };
}

const spelt = "virtual:commcost-part/";

/** Whether a module is a part of the engine, spelt. */
export const isPart = (id) => id.startsWith(`\0${spelt}`);

/** Serves the engine in parts, each spelt in a script of its own. */
export function speltParts(descriptions) {
  const scripts = "virtual:commcost-spelt";
  const help = "virtual:commcost-help";
  const glue = partFile("parts.mjs");
  const places = {
    "virtual:commcost-module": glue,
    "virtual:commcost-parts": partsTable,
    "virtual:commcost-asked": `${root}web/engine/spelt.ts`,
    "virtual:commcost-source": `${root}web/engine/spelt.ts`,
  };
  return [
    workerText("parts", glue),
    {
      name: "spelt-parts",
      enforce: "pre",
      config: () => ({ define: { ENGINE_FILE: '""' } }),
      resolveId(id, importer) {
        if (importer && id.endsWith("/engine/index.js")) return `${root}web/engine/parts.ts`;
        return id.startsWith(spelt) || id === help || id === scripts ? `\0${id}` : places[id];
      },
      load(id) {
        if (id === partsTable) return knownAtOnce(descriptions);
        if (id === `\0${help}`) return `export const help = ${JSON.stringify(helpOf(descriptions))};`;
        if (id === `\0${scripts}`) {
          const each = partNames().map((part) => `${part}: () => import("${spelt}${part}")`);
          return `export const scripts = { ${each.join(", ")} };`;
        }
        if (!isPart(id)) return undefined;
        const binary = partBinary(id.slice(spelt.length + 1), descriptions);
        return `export const spelt = ${JSON.stringify(textOf(binary))};`;
      },
    },
  ];
}

/** Serves the module's glue, and its binary as text: one file, no fetch, no data: address. */
export function commcostModule(preset = "wasm") {
  const module = moduleOf(preset);
  return [
    workerText("text", `${module}.mjs`),
    {
      name: "commcost-module",
      config: () => ({ define: { ENGINE_FILE: '""' } }),
      resolveId(id) {
        if (id === "virtual:commcost-module") return `${module}.mjs`;
        if (id === "virtual:commcost-source") return `${root}web/engine/source-text.ts`;
        return id === "virtual:commcost-wasm" ? wasmText : undefined;
      },
      load(id) {
        if (id !== wasmText) return undefined;
        return `export default ${JSON.stringify(textOf(readFileSync(`${module}.wasm`)))};`;
      },
    },
  ];
}

/** Leaves the engine out of chunks and points them to it. */
export function sharedEngine(file) {
  return [
    workerText("file"),
    {
      name: "shared-engine",
      enforce: "pre",
      // A worker imports the same file.
      config: () => ({ define: { ENGINE_FILE: JSON.stringify(file) } }),
      resolveId(id, importer) {
        if (id === "virtual:commcost-source") return `${root}web/engine/source-file.ts`;
        return importer && id.endsWith("/engine/index.js") ? { id: file, external: true } : undefined;
      },
    },
  ];
}

/**
 * Lets pages request the engine and the scripts of the module that most visits open along with their first script, not
 * after it.
 */
export function earlyScripts({ script, first }, module, pages) {
  const withImports = (bundle, chunk) => [
    chunk.fileName,
    ...chunk.imports.flatMap((name) => (bundle[name] ? withImports(bundle, bundle[name]) : [])),
  ];
  return {
    name: "early-scripts",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle, path }) {
        if (!pages.includes(path)) return html;
        const opened = Object.values(bundle).find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(module)));
        const early = [script, ...withImports(bundle, opened)].filter((name) => !html.includes(name));
        const links = [...new Set(early)].map(
          (name) => `    <link rel="modulepreload" crossorigin href="./${name}">\n`,
        );
        // Before all scripts: it is the largest.
        const engine = `    <link rel="preload" as="fetch" type="application/wasm" crossorigin href="./${first}">\n`;
        return html
          .replace(/ *<script/, (script) => engine + script)
          .replace("  </head>", `${links.join("")}  </head>`);
      },
    },
  };
}

/** Gives d3-scale only what scales of numbers need. */
export const numberScales = () => ({
  name: "number-scales",
  enforce: "pre",
  apply: "build",
  resolveId: (id, importer) =>
    importer?.includes("/d3-scale/") && /^d3-(interpolate|format)$/.test(id)
      ? `${root}web/charts/numbers-alone.ts`
      : undefined,
});

/** Lets a server import the script of elements: where elements don't exist, it defines none. */
export function onlyWithElements() {
  return {
    name: "only-with-elements",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.imports.length + chunk.exports.length > 0)
          throw new Error(`${chunk.fileName} imports or exports, which no condition can stand around`);
        chunk.code = `if (typeof HTMLElement !== "undefined") {\n${chunk.code}}\n`;
      }
    },
  };
}

/** What defines each element of the package, by its name: a view, the calculator, or a figure. */
export const elementSources = Object.fromEntries([
  ["calculator", "embed/calculator.ts"],
  ["figure", "figures/figure.ts"],
  ["practice", "views/exercise/practice-view.ts"],
  ...readdirSync(`${root}web/views`).map((view) => [view, `views/${view}/${view}-view.ts`]),
]);

/** The tags that a source defines: older names, too. */
const tagsOf = (source) =>
  [...readFileSync(`${root}web/${source}`, "utf8").matchAll(/^define\("([\w-]+)"/gm)].map(([, tag]) => tag);

/** The script that loads each element once its tag is in a page. */
export const elementLoader = "commcost-element";

/**
 * Makes a module for each element, with the code that gives it its own scenario and then defines it; and the loader of
 * these and the engine.
 */
export function elementModules() {
  // As a path, which the bundler leaves as it is.
  const prefix = "/virtual:element/";
  const source = (id) => elementSources[id.slice(prefix.length)];
  const own = Object.fromEntries(Object.keys(elementSources).map((name) => [`define-${name}`, prefix + name]));
  const loader = `${root}web/embed/loader.ts`;
  return {
    name: "element-modules",
    config: () => ({
      build: {
        lib: {
          entry: { ...own, "load-engine": `${root}web/engine/whole.ts`, [elementLoader]: loader },
          formats: ["es"],
        },
      },
    }),
    resolveId(id) {
      if (id === "virtual:commcost-elements") return `\0${id}`;
      return id.startsWith(prefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (id === "\0virtual:commcost-elements") {
        const each = Object.entries(elementSources).flatMap(([name, source]) =>
          tagsOf(source).map((tag) => `"${tag}": () => import("${prefix}${name}")`),
        );
        return `export const modules = { ${each.join(", ")} };`;
      }
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      return ["embed/own-scenario.ts", source(id.slice(1))].map((file) => `import "${root}web/${file}";\n`).join("");
    },
  };
}
