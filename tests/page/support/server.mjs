// Serves files as a static host does: nothing is listed, nothing outside is reached.
import { createServer } from "node:http";
import sirv from "sirv";

/** A server of `folder` under `prefix` ("/" or "/some/path/"), not yet listening; `cors`: whether other origins may read its files. */
export function staticServer(folder, prefix = "/", { cors = true } = {}) {
  const setHeaders = (response) => cors && response.setHeader("access-control-allow-origin", "*");
  const files = sirv(folder, { dev: true, extensions: ["html"], setHeaders });
  return createServer((request, response) => {
    const missing = () => response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    if (!request.url.startsWith(prefix)) return void missing();
    request.url = `/${request.url.slice(prefix.length)}`;
    files(request, response, missing);
  });
}
