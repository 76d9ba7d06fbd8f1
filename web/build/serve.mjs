// Serves a folder as a static host would; run by itself, prints the address.
// Usage: node web/build/serve.mjs [folder]   (PORT: 8080, or any that is free where that is taken)
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

const types = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The file that an address names, or undefined: index.html for a folder, nothing outside of `folder`. */
function fileOf(folder, address) {
  try {
    const path = join(folder, normalize(decodeURIComponent(new URL(address, "http://host").pathname)));
    const file = statSync(path).isDirectory() ? join(path, "index.html") : path;
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** A server of `folder` on 127.0.0.1; `headers` go with every answer. Resolves to it and its address. */
export async function serve(folder, { port = 0, headers = {} } = {}) {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url);
    const type = file ? (types[extname(file)] ?? "application/octet-stream") : "text/plain";
    response.writeHead(file ? 200 : 404, { ...headers, "content-type": type, "cache-control": "no-cache" });
    if (!file || request.method === "HEAD") return response.end();
    return createReadStream(file).pipe(response);
  });
  const listen = (at) =>
    new Promise((done, refuse) => server.once("error", refuse).listen(at, "127.0.0.1", () => done()));
  await listen(port).catch((error) => (error.code === "EADDRINUSE" ? listen(0) : Promise.reject(error)));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { address } = await serve(process.argv[2] ?? "build/site", { port: Number(process.env.PORT ?? 8080) });
  console.log(`commcost is at ${address} (Ctrl-C ends it)`);
}
