// A host that fails: it serves the site as web/HOSTING.md says, but for one file, which it answers wrongly until it is back.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { site } from "./browser.mjs";
import { staticServer } from "./server.mjs";

const page = "<!doctype html><title>Welcome</title><p>Please sign in to use this network.</p>";

/** What a host may do instead of giving a file; each is given the answer, and the file. */
const wrongs = {
  404: (response) => response.writeHead(404, { "content-type": "text/html" }).end(page),
  500: (response) => response.writeHead(500, { "content-type": "text/plain" }).end("Internal error"),
  /** The connection ends in the middle. */
  cut: (response, file) => {
    response.setHeader("content-length", file.length);
    response.write(file.subarray(0, file.length >> 1), () => response.destroy());
  },
  /** No answer at all. */
  hang: () => {},
  /** Something else under the file's name and type, which a browser then holds for good. */
  "wrong bytes": (response) => response.end(page),
};

/** Every way to fail. */
export const faults = Object.keys(wrongs);

const types = { js: "text/javascript", wasm: "application/wasm", css: "text/css", svg: "image/svg+xml" };

/**
 * Serves `folder` with one fault at a time: `host.fail({ path, fault, from })` spoils that path's answers from the
 * `from`-th on, `host.heal()` ends it, `host.asked` lists what was asked for since.
 */
export async function faultyHost(folder = site) {
  const files = staticServer(folder);
  let broken;
  let asked = [];
  const server = createServer((request, response) => {
    const path = request.url.slice(1).replace(/\?.*/, "");
    asked.push(path);
    const kept = /^(?:assets|frame)\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache";
    response.setHeader("cache-control", kept);
    const count = asked.filter((one) => one === path).length;
    if (broken?.path !== path || count < broken.from) return void files.emit("request", request, response);
    response.setHeader("content-type", types[path.split(".").pop()] ?? "text/html");
    wrongs[broken.fault](response, readFileSync(folder + path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    get asked() {
      return asked;
    },
    fail: ({ path, fault, from = 1 }) => {
      asked = [];
      broken = { path, fault, from };
    },
    heal: () => {
      asked = [];
      broken = undefined;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
