// What a reader downloads.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const site = new URL("../../build/site/", import.meta.url).pathname;

let known;

/** Every file of the site: its name, its bytes raw and in brotli at its best. */
export function files() {
  return (known ??= measured());
}

function measured() {
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = `${entry.parentPath ?? entry.path}/${entry.name}`;
      const content = readFileSync(path);
      return {
        name: path.slice(site.length).replace(/^\//, ""),
        raw: content.length,
        brotli: brotliCompressSync(content).length,
      };
    })
    .sort((a, b) => b.brotli - a.brotli);
}

/** Bytes in brotli of the files that are `wanted` by their names. */
export function brotliOf(wanted) {
  const matching = files().filter(({ name }) => wanted(name));
  if (matching.length === 0) throw new Error("no file of the site is wanted");
  return matching.reduce((sum, { brotli }) => sum + brotli, 0);
}
