// How soon a link shows its first answer, in this build and in another one (a release's build/site), alternating: over
// HTTP/2 with brotli, on a simulated line of 8.1 Mb/s with a round trip of 165 ms, and with a CPU four times slower.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { site, startBrowser } from "../../tests/page/support/browser.mjs";
import { median } from "./statistics.mjs";
import { Lacking } from "./lacking.mjs";
import { answered, answerOf, visitOf, watch } from "./visit.mjs";

const visits = 9;
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const line = { offline: false, latency: 165, downloadThroughput: 8.1e6 / 8, uploadThroughput: 8.1e6 / 8 };
const conditions = [
  { name: "as it is", slower: 1 },
  { name: "Fast 4G", line, slower: 1 },
  { name: "CPU 4x", slower: 4 },
  { name: "Fast 4G, CPU 4x", line, slower: 4 },
];

/** A self-signed key and certificate, in a folder of their own. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "commcost-first-"));
  const key = ["-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...key], {
    cwd: folder,
    stdio: "ignore",
  });
  return folder;
}

/** Serves a folder compressed; its address. */
async function serveCompressed(root, folder) {
  const ready = new Map();
  const [cert, secret] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(folder, name)));
  const server = createSecureServer({ cert, key: secret }, (request, response) => {
    const path = join(root, new URL(request.url, "https://localhost").pathname.replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return void response.writeHead(404).end();
    if (!ready.has(path)) ready.set(path, brotliCompressSync(readFileSync(path)));
    const type = types[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-encoding": "br" }).end(ready.get(path));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `https://localhost:${server.address().port}/`, server };
}

/** How long a link takes to show its first answer, ms. */
export async function firstAnswer(browser, address, view, { line, slower } = { slower: 1 }) {
  const context = await browser.newContext({ serviceWorkers: "block", ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  if (line) await session.send("Network.emulateNetworkConditions", line);
  if (slower > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const answer = answerOf(view);
  await page.addInitScript(watch, answer);
  try {
    await page.goto(visitOf(address, view), { waitUntil: "commit" });
    return await answered(page, answer);
  } finally {
    await context.close();
  }
}

/** What earlier releases call a view. */
const formerly = { learn: "start", practice: "exercise", collectives: "network", train: "plan", step: "training" };

/** What that build calls the view; it may have none. One that has the view and does not open fails. */
export async function nameIn(browser, address, view) {
  for (const name of [view, formerly[view]].filter(Boolean)) {
    try {
      await firstAnswer(browser, address, name);
      return name;
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
    }
  }
  throw new Lacking(`no view ${view}`);
}

/** Serves another build's page and this one's: their addresses. */
export async function servedBoth(other) {
  if (!existsSync(join(other, "index.html"))) throw new Error(`no build/site: ${other}`);
  const folder = makeCertificate();
  const both = [await serveCompressed(other, folder), await serveCompressed(site, folder)];
  const stop = () => {
    for (const { server } of both) server.close();
    rmSync(folder, { recursive: true });
  };
  return { addresses: both.map(({ address }) => address), stop };
}

/**
 * Medians by view and condition, for the named ones: {view, condition, here_ms, there_ms}, passed to `print` as soon as
 * they are measured.
 */
export async function firstAnswers(other, wanted, print) {
  const served = await servedBoth(other);
  const [there, here] = served.addresses;
  const browser = await startBrowser();
  const asked = (view, { name }) => wanted.length === 0 || wanted.some((part) => `${view}, ${name}`.includes(part));
  try {
    for (const view of ["learn", "cost", "step", "train"]) {
      const under = conditions.filter((condition) => asked(view, condition));
      if (under.length === 0) continue;
      const name = await nameIn(browser, there, view).catch((error) => {
        if (!(error instanceof Lacking)) throw error;
      });
      if (!name) continue;
      for (const condition of under) {
        const times = { here: [], there: [] };
        for (let visit = 0; visit < visits; ++visit) {
          times.there.push(await firstAnswer(browser, there, name, condition));
          times.here.push(await firstAnswer(browser, here, view, condition));
        }
        print({ view, condition: condition.name, here_ms: median(times.here), there_ms: median(times.there) });
      }
    }
  } finally {
    await browser.close();
    served.stop();
  }
}
