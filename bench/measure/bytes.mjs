// What a reader downloads.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const site = new URL("../../build/site/", import.meta.url).pathname;

/** Every file of the site: its name, its bytes raw and in brotli at its best. */
export function files() {
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

/** Bytes in brotli of the files whose names match. */
export function brotliOf(pattern) {
  const matching = files().filter(({ name }) => pattern.test(name));
  if (matching.length === 0) throw new Error(`no file of the site matches ${pattern}`);
  return matching.reduce((sum, { brotli }) => sum + brotli, 0);
}
