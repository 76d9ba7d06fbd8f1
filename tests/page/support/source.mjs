// A module of the page's sources on its own, for what needs no page.
import { build } from "esbuild";

const root = new URL("../../../", import.meta.url).pathname;

/** What a module loads later stays out of it. */
const later = {
  name: "later",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/** Imports `path` of web/ with all that it stands on. */
export async function load(path) {
  const outfile = `${root}build/test/sources/${path.replace(/\W+/g, "-")}-${process.pid}.mjs`;
  await build({
    entryPoints: [`${root}web/${path}`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    loader: { ".css": "text" },
    plugins: [later],
  });
  return import(outfile);
}

/** The ids of all figures that stand alone. */
export const figureIds = async () => (await load("figures/catalog.ts")).figures.map(({ id }) => id);
