// Makes sw.js of web/app/service-worker.js: every file that the page needs offline with its hash, and a version that
// changes with any byte of them.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./plugins.mjs";

/** Writes sw.js into `site` for those addresses of it, each perhaps with a query. */
export function keepOffline(site, addresses) {
  const integrity = (address) =>
    `sha256-${createHash("sha256")
      .update(readFileSync(`${site}/${address.replace(/\?.*/, "")}`))
      .digest("base64")}`;
  const files = Object.fromEntries([...addresses].sort().map((address) => [address, integrity(address)]));
  // A folder's address is that of its index.
  for (const address of Object.keys(files).filter((one) => /(^|\/)index\.html$/.test(one)))
    files[address.replace("index.html", "") || "./"] = files[address];
  const kept = JSON.stringify(files);
  const version = createHash("sha256").update(kept).digest("hex").slice(0, 16);
  const source = readFileSync(`${root}web/app/service-worker.js`, "utf8");
  writeFileSync(
    `${site}/sw.js`,
    source.replace("__VERSION__", version).replace("__FILES__", () => kept),
  );
}
