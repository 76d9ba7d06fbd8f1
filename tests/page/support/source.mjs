// Modules of the page's sources on their own, for what needs no page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { scoreboard } from "../../../web/build/scoreboard.mjs";
import "./switches.mjs";

const root = new URL("../../../", import.meta.url).pathname;

/** What a module loads later is not included. */
const later = {
  name: "later",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/** A source with one place changed: {file, from, to}, where `from` is in the file once. */
const changed = ({ file, from, to }) => ({
  name: "changed",
  setup: ({ onLoad }) =>
    onLoad({ filter: new RegExp(`/web/${file.replaceAll(".", "\\.")}$`) }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      assert.equal(text.split(from).length, 2, `${file} has ${from} once`);
      return { contents: text.replace(from, () => to), loader: "ts" };
    }),
});

/** What the page's build makes of the scoreboard's tables. */
const tables = {
  name: "tables",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "tables" }));
    onLoad({ filter: /./, namespace: "tables" }, async ({ path }) => ({
      contents: await scoreboard().load.call({ addWatchFile() {} }, `\0${path}`),
    }));
  },
};

/** What the page's build puts in for workers, and for an engine that a page loads: a module on its own is given its engine. */
const workers = {
  name: "workers",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^virtual:commcost-|\?worker-text$/ }, ({ path }) => ({ path, namespace: "workers" }));
    onLoad({ filter: /./, namespace: "workers" }, () => ({ contents: "export let source; export default undefined;" }));
  },
};

let made = 0;

async function bundled(input, plugins = []) {
  made += 1;
  const outfile = `${root}build/test/sources/${process.pid}-${made}.mjs`;
  await build({
    ...input,
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    loader: { ".css": "text" },
    plugins: [later, workers, tables, ...plugins],
  });
  return import(outfile);
}

/** Imports `path` of web/ with all its dependencies. */
export const load = (path) => bundled({ entryPoints: [`${root}web/${path}`] });

/** Imports several modules of web/ as one bundle, by name; `change` is put in the place of what a source says. */
export const loadAll = (paths, change) =>
  bundled(
    {
      stdin: {
        contents: Object.entries(paths)
          .map(([name, path]) => `export * as ${name} from "${path.includes(":") ? "" : "./"}${path}";`)
          .join("\n"),
        resolveDir: `${root}web`,
        loader: "ts",
      },
    },
    change ? [changed(change)] : [],
  );

/** The ids of all stand-alone figures. */
export const figureIds = async () => (await load("figures/catalog.ts")).figures.map(({ id }) => id);
