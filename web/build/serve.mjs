// Serves build/site: node web/build/serve.mjs [port]. Files only, nothing is listed, nothing outside is reached.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".png": "image/png",
  ".ts": "text/plain; charset=utf-8",
  ".bin": "application/octet-stream",
  ".txt": "text/plain; charset=utf-8",
};

/** A path without its escapes; one that is malformed names no file of ours. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

/** A server of `folder` under `prefix` ("/" or "/some/path/"), not yet listening. */
export function staticServer(folder, prefix = "/") {
  return createServer(async (request, response) => {
    const path = decoded(new URL(request.url, "http://localhost").pathname);
    const inside = normalize(path.slice(prefix.length).replace(/(^|\/)$/, "$1index.html"));
    const file = join(folder, inside);
    const known =
      path.startsWith(prefix) && !inside.startsWith("..") && (await stat(file).catch(() => undefined))?.isFile();
    if (!known) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
    });
    createReadStream(file).pipe(response);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.argv[2] ?? 8080);
  const folder = new URL("../../build/site", import.meta.url).pathname;
  staticServer(folder).listen(port, "127.0.0.1", () => console.log(`commcost is at http://localhost:${port}/`));
}
