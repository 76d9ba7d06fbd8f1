// What the first script requests in addition to the page's own: the scripts of the view that an address names, and the
// parts of the engine that these can't do without (web/app/boot.ts).
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { partsOf, root } from "./plugins.mjs";

/** The page's views, not loaded, and the parts that its engine loads for a calculation. */
async function pageSources() {
  const names = {
    name: "names",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/views\// }, ({ path, kind }) =>
        kind === "dynamic-import" ? { path, external: true } : undefined,
      );
      onResolve({ filter: /^virtual:commcost-parts$/ }, ({ path }) => ({ path, namespace: "parts" }));
      onLoad({ filter: /./, namespace: "parts" }, () => ({
        contents: Object.entries(partsOf())
          .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`)
          .join("\n"),
      }));
    },
  };
  const { outputFiles } = await build({
    stdin: {
      contents: `export { firstView, usualView, views } from "./app/views"; export { chain, partNamed } from "./engine/chain";`,
      resolveDir: `${root}web`,
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [names],
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/**
 * The files of `site` until the first answer that its page does not ask for by itself: of a view by its name, of any other by none, of a
 * page without a link by its file.
 * `output` is what Vite wrote, `engine` the engine as build/parts has it.
 */
export async function earlyFiles(site, output, engine) {
  const { firstView, usualView, views, chain, partNamed } = await pageSources();
  // The engine's script is not one of its chunks.
  const withImports = (name) => {
    const chunk = output.find(({ fileName }) => fileName === name);
    return chunk ? [name, ...chunk.imports.flatMap(withImports)] : [];
  };
  const filesOf = (page, { load, needs, calculation }) => {
    const html = readFileSync(`${site}/${page}.html`, "utf8");
    const module = `${/\/views\/[\w/-]+/.exec(String(load))[0]}.ts`;
    const { fileName } = output.find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(module)));
    const parts = ["first", ...chain(partNamed(needs ?? calculation))].map((part) => `assets/${engine.parts[part]}`);
    const files = [...parts, `assets/${engine.script}`, ...withImports(fileName)];
    return [...new Set(files)].filter((name) => !html.includes(name));
  };
  const early = views.flatMap((view) => [view.id, ...(view.also ?? [])].map((name) => [name, filesOf("index", view)]));
  const practice = views.find(({ id }) => id === "exercise");
  return {
    ...Object.fromEntries(early),
    "": filesOf("index", usualView),
    "index.html": filesOf("index", firstView),
    "practice.html": filesOf("practice", practice),
  };
}
