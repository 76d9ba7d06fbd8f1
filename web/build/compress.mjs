// Writes .br and .gz next to each file of build/site that they make smaller, for hosts that send files as they are on
// disk: node web/build/compress.mjs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { root } from "./plugins.mjs";

const site = `${root}build/site`;
/** Files that are text, or WebAssembly; pictures are compressed already. */
const worthIt = /\.(?:html|js|css|wasm|svg|csv|json|txt|webmanifest|ts|xml)$/;
/** Below this a host's answer is one packet anyway. */
const least = 1024;
/** Types are for compilers, which read them from disk. */
const left = /\.d\.ts$/;

for (const name of readdirSync(site, { recursive: true })) {
  if (!worthIt.test(name) || left.test(name)) continue;
  const path = join(site, name);
  const bytes = readFileSync(path);
  if (bytes.length < least) continue;
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
