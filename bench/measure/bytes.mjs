// What a reader downloads.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const site = new URL("../../build/site/", import.meta.url).pathname;

const measured = new Map();

/** A file of the site: its name, its bytes raw and in brotli at its best. */
function measure(name) {
  if (!measured.has(name)) {
    const content = readFileSync(site + name);
    measured.set(name, { name, raw: content.length, brotli: brotliCompressSync(content).length });
  }
  return measured.get(name);
}

const names = () =>
  readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(site.length).replace(/^\//, ""));

/** Every file of the site. */
export const files = () =>
  names()
    .map(measure)
    .sort((a, b) => b.brotli - a.brotli);

/** Bytes in brotli of the files that are `wanted` by their names. */
export function brotliOf(wanted) {
  const matching = names().filter(wanted);
  if (matching.length === 0) throw new Error("no file of the site is wanted");
  return matching.reduce((sum, name) => sum + measure(name).brotli, 0);
}
