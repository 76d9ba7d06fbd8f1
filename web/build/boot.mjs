// Puts one small script before those of the hosted pages, which reports if they fail to load (web/app/boot.ts).
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { bundled } from "./plugins.mjs";

const own = / *<script type="module" crossorigin src="([^"]+)"><\/script>/;

/**
 * Makes boot.js of `site`, which those pages request first and which requests `early` files; returns its address, which
 * contains its hash.
 */
export async function firstScript(site, pages, early) {
  const read = (page) => readFileSync(`${site}/${page}.html`, "utf8");
  const scripts = Object.fromEntries(pages.map((page) => [page, own.exec(read(page))[1]]));
  // Many views share most files: each is written once.
  const files = [...new Set(Object.values(early).flat())];
  const places = Object.entries(early).map(([name, own]) => [name, own.map((file) => files.indexOf(file))]);
  const boot = await bundled("app/boot.ts", { SCRIPTS: scripts, FILES: files, EARLY: places });
  const address = `boot.js?${createHash("sha256").update(boot).digest("hex").slice(0, 8)}`;
  writeFileSync(`${site}/boot.js`, boot);
  for (const page of pages) {
    const tags = `    <script defer crossorigin src="./${address}" data-page="${page}"></script>
    <link rel="modulepreload" crossorigin href="${scripts[page]}">`;
    writeFileSync(`${site}/${page}.html`, read(page).replace(own, tags));
  }
  return address;
}
