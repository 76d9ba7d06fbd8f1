// The one configuration of Vite: `vite web` serves the page from its sources, and each mode of `vite build web` makes one of
// the things that build/site is put together of (web/build/site.mjs says in which order).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { viteSingleFile } from "vite-plugin-singlefile";
import { classicScripts } from "./build/classic.mjs";
import { builtSite, coreRebuilt } from "./build/dev.mjs";
import { noticed } from "./build/licenses.mjs";
import {
  commcostModule,
  earlyScripts,
  elementLoader,
  elementModules,
  isPart,
  numberScales,
  onlyWithElements,
  root,
  sharedEngine,
  speltParts,
  version,
} from "./build/plugins.mjs";
import { scoreboard } from "./build/scoreboard.mjs";
import { linkedTokens } from "./build/tokens.mjs";

/** The licence notes in a copy of one script. */
const noticeOf = (holds, it = "It") =>
  `/*! commcost ${version}, MIT.${holds && ` ${it} holds ${holds}: licenses.txt next to it has their texts.`} */`;
const inEngine = "parts of Emscripten, musl, libc++ and compiler-rt";
const inElement = `Lit (BSD-3-Clause, Google LLC), d3 (ISC, Mike Bostock) and ${inEngine}`;

/** A script of its own that others can load or import, all in one file. */
const script = (entry, fileName, { outDir = "scripts", plugins = [], holds = "" } = {}) => ({
  publicDir: false,
  plugins: [commcostModule(), scoreboard(), noticed(), ...plugins],
  build: {
    outDir: `${root}build/${outDir}`,
    emptyOutDir: false,
    lib: { entry: `${root}web/${entry}`, formats: ["es"], fileName: () => fileName },
    rollupOptions: { output: { codeSplitting: false, minify: true, postBanner: noticeOf(holds) } },
  },
});

/**
 * The elements, a module each, with the engine's parts as scripts; and the loader of each element once its tag is in a
 * page.
 */
const elements = (descriptions) => ({
  publicDir: false,
  plugins: [speltParts(descriptions), elementModules(), scoreboard(), noticed()],
  build: {
    outDir: `${root}build/elements`,
    emptyOutDir: true,
    rollupOptions: {
      output: {
        minify: true,
        entryFileNames: ({ name }) => (name === elementLoader ? `${name}.js` : "elements/[name]-[hash].js"),
        chunkFileNames: ({ moduleIds }) => `elements/${moduleIds.some(isPart) ? "part-" : ""}[name]-[hash].js`,
        postBanner: ({ name }) => (name === elementLoader ? noticeOf(inElement, "elements/") : ""),
      },
    },
  },
});

/**
 * Code that Practice shares with the other views, and the views themselves: one file each is fewer bytes, and fewer
 * requests, than ten. What such a module imports comes with it; nothing that Practice loads may be left to the second.
 */
const shared = [
  {
    name: "base",
    priority: 1,
    test: /web\/(app\/(app\.css|link-notes|renew|subject|views)|elements\/(export|field|missing-part|scenario-view|status|theme)|engine\/part|state\/(old-links|page-scenario|precision))(?:\.ts|\?inline)$|preload-helper/,
  },
  {
    name: "answers",
    test: /web\/(app\/app|elements\/(answer-frame|answer-styles|calibration-note|formula-link|meaning|prediction)|state\/(calibration|expectation|own-log))\.(?:ts|css\?inline)$/,
  },
];

/** The hosted page, and a page with exercises as an example; the engine is separate files, those of `parts`. */
function site(parts) {
  const element = createHash("sha384").update(readFileSync(`${root}build/scripts/commcost-element-whole.js`));
  const input = Object.fromEntries(
    ["index", "practice", "scoreboard"].map((name) => [name, `${root}web/${name}.html`]),
  );
  return {
    define: { ELEMENT_INTEGRITY: JSON.stringify(`sha384-${element.digest("base64")}`), PYTHON: "true" },
    plugins: [
      sharedEngine(`./${parts.script}`),
      earlyScripts({ script: `assets/${parts.script}`, first: `assets/${parts.parts.first}` }, "/cost/cost-view.ts", [
        "/index.html",
      ]),
      scoreboard(),
      noticed(),
    ],
    build: {
      outDir: `${root}build/site`,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: {
        input,
        output: {
          codeSplitting: { groups: shared },
          // Names are most of what can't be compressed in lists of files.
          entryFileNames: "assets/[name]-[hash:7].js",
          chunkFileNames: "assets/[name]-[hash:7].js",
          assetFileNames: "assets/[name]-[hash:7][extname]",
        },
      },
    },
  };
}

/** The scripts of embed.html, one for each thing that a frame may need; `descriptions` are the engine's. */
const frame = (descriptions) => ({
  publicDir: false,
  // Scripts that are no modules have no import.meta: code that uses it works without.
  logLevel: "error",
  plugins: [speltParts(descriptions), scoreboard(), noticed(), classicScripts(`${root}build/frame`)],
  build: {
    outDir: `${root}build/frame/scripts`,
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: {
      input: { frame: `${root}web/embed/frame.ts` },
      output: { format: "cjs", entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

/** The page in one file; its policy's warnings are answered by the hashes that web/build/single.mjs puts in. */
const single = () => ({
  publicDir: false,
  logLevel: "error",
  plugins: [commcostModule(), scoreboard(), viteSingleFile()],
  build: { outDir: `${root}build/single`, emptyOutDir: false, rollupOptions: { input: `${root}web/index.html` } },
});

const modes = {
  engine: () => script("engine/index.ts", "commcost.js", { outDir: "engine", holds: inEngine }),
  element: () =>
    script("embed/elements.ts", "commcost-element-whole.js", { plugins: [onlyWithElements()], holds: inElement }),
  elements,
  embed: () => script("embed/host.ts", "commcost-embed.js"),
  site,
  single,
  frame,
};

/** The page from its sources, and the core's, at the address that `npm start` has as well. */
const served = {
  define: { PYTHON: "true" },
  plugins: [commcostModule("wasm-dev"), scoreboard(), coreRebuilt("wasm-dev"), builtSite()],
  server: { port: 8080, fs: { allow: [root] } },
  optimizeDeps: { entries: ["index.html", "embed.html", "practice.html", "scoreboard.html"] },
  // Serves the built files as a host would: no file replaces a missing one.
  appType: "mpa",
  preview: { port: 8080 },
  build: { outDir: `${root}build/site` },
};

/** The configuration of a mode, for web/build/site.mjs as for Vite itself. */
export default function configuration({ command, mode, parts }) {
  const { build, define, ...own } = command === "build" ? modes[mode](parts) : served;
  return {
    root: `${root}web`,
    base: "./",
    logLevel: command === "build" ? "warn" : "info",
    define: { ELEMENT_INTEGRITY: '""', VERSION: JSON.stringify(version), PYTHON: "false", ...define },
    // Style sheets stay as the oldest supported browsers (CONTRIBUTING, "Not goals") understand them.
    build: { target: "es2022", cssTarget: ["chrome123", "firefox120", "safari17.5"], minify: true, ...build },
    ...own,
    plugins: [numberScales(), linkedTokens(), ...own.plugins],
  };
}
