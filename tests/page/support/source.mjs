// A module of the page's sources on its own, for what needs no page.
import { build } from "esbuild";

const root = new URL("../../../", import.meta.url).pathname;

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
  });
  return import(outfile);
}
