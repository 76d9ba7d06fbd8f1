// Classic scripts made from modules, for frames: a sandboxed one has no origin and may import no module from a host
// that sends no CORS headers. web/embed/boot.ts loads them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { bundled, root } from "./plugins.mjs";
import { hashOf } from "./single.mjs";
import { withTokens } from "./tokens.mjs";

/**
 * Turns each chunk into a script that registers its module, and each import() into a call that names all scripts it
 * needs.
 */
export function classicScripts(folder) {
  return {
    name: "classic-scripts",
    enforce: "pre",
    // Named by their final content, too: a browser keeps a file of that name for good.
    augmentChunkHash: () => readFileSync(new URL(import.meta.url), "utf8"),
    // Each call names all that it needs: nothing is left to be fetched ahead of it.
    load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined),
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle);
      const needed = (name, known = new Set()) => {
        for (const other of bundle[name].imports) if (!known.has(other)) needed(other, known);
        return known.add(name);
      };
      const lists = new Map(chunks.map(({ fileName }) => [fileName, JSON.stringify([...needed(fileName)])]));
      const dynamic = /Promise\.resolve\(\)\.then\(\(\)=>require\(["'`]\.\/([^"'`]+)["'`]\)\)/g;
      for (const chunk of chunks) {
        const asked = new Set();
        const code = chunk.code.replace(dynamic, (_, name) => {
          asked.add(name);
          return `load(${lists.get(name)})`;
        });
        if (chunk.dynamicImports.some((name) => !asked.has(name)))
          throw new Error(`${chunk.fileName} imports what is not seen in it`);
        chunk.code = `commcostScript(${JSON.stringify(chunk.fileName)},(require,exports,load)=>{"use strict";${code}\n});\n`;
      }
      const entry = chunks.find(({ isEntry }) => isEntry).fileName;
      const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith("/first"))).fileName;
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/start.json`, JSON.stringify({ scripts: [...needed(entry)], first }));
    },
  };
}

/**
 * embed.html: its style and loader are inline, allowed by their hashes; the loaded scripts are allowed by the loader.
 */
export async function framePage(folder) {
  const { scripts, first } = JSON.parse(readFileSync(`${folder}/start.json`, "utf8"));
  const style = await withTokens(readFileSync(`${root}web/embed/frame.css`, "utf8"));
  const boot = await bundled("embed/boot.ts", { START: scripts, FIRST: first });
  return readFileSync(`${root}web/embed.html`, "utf8")
    .replace("script-src 'self'", `script-src ${hashOf(boot)} 'strict-dynamic'`)
    .replace("style-src 'self'", `style-src ${hashOf(style)}`)
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/ *<script type="module"[^>]*><\/script>\n/, "")
    .replace("  </body>", () => `    <script>${boot}</script>\n  </body>`);
}
