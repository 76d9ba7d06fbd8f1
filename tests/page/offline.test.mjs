// A new version of the page: a reader has the old one or the new one, whole, at every moment, online and offline.
// Two versions are made of the built site: every script says which it belongs to, and bears another name in each.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { staticServer } from "./support/server.mjs";
import { keepOffline } from "../../web/build/offline.mjs";
import { goTo, openPage, serve, site } from "./support/browser.mjs";

const everyView = ["cost", "ring", "network", "overlap", "step", "serve", "plan"];
const root = mkdtempSync(join(tmpdir(), "commcost-versions-"));
let browser, host;

/** The site as version `name`: its scripts renamed, each adding that name to what ran in the page. */
function makeVersion(name) {
  const folder = join(root, name);
  cpSync(site, folder, { recursive: true });
  const assets = readdirSync(`${folder}/assets`);
  // The first script bears the same name in each, and tells its content behind that.
  const renamed = (text) =>
    assets
      .reduce((now, asset) => now.replaceAll(asset, `${name}-${asset}`), text)
      .replaceAll("boot.js?", `boot.js?${name}-`);
  const signed = (text) => `${text}\n;(globalThis.versions ??= new Set()).add("${name}");\n`;
  for (const asset of assets) {
    renameSync(`${folder}/assets/${asset}`, `${folder}/assets/${name}-${asset}`);
    if (!/\.(js|css)$/.test(asset)) continue;
    const text = renamed(readFileSync(`${folder}/assets/${name}-${asset}`, "utf8"));
    writeFileSync(`${folder}/assets/${name}-${asset}`, asset.endsWith(".js") ? signed(text) : text);
  }
  for (const file of ["index.html", "boot.js"])
    writeFileSync(`${folder}/${file}`, renamed(readFileSync(`${folder}/${file}`, "utf8")));
  const [, kept] = /^const files = (.*);$/m.exec(readFileSync(`${site}/sw.js`, "utf8"));
  keepOffline(
    folder,
    Object.keys(JSON.parse(kept))
      .filter((address) => !address.endsWith("/"))
      .map(renamed),
  );
}

/** Puts a version where `path` is served from. */
function deploy(version, path) {
  symlinkSync(join(root, version), join(root, "next"));
  renameSync(join(root, "next"), join(root, path));
}

test.beforeAll(async ({ browser: launched }) => {
  makeVersion("first");
  makeVersion("second");
  // A server during an update: the new worker's script next to the old page.
  cpSync(join(root, "first"), join(root, "half"), { recursive: true });
  cpSync(join(root, "second", "sw.js"), join(root, "half", "sw.js"));
  // And the page of one version next to the files of the other.
  for (const [page, others] of [
    ["first", "second"],
    ["second", "first"],
  ]) {
    cpSync(join(root, others), join(root, `${page}-page`), { recursive: true });
    cpSync(join(root, page, "index.html"), join(root, `${page}-page`, "index.html"));
  }
  // Storage that fails whenever it is read.
  cpSync(join(root, "first"), join(root, "broken"), { recursive: true });
  const worker = readFileSync(join(root, "first", "sw.js"), "utf8");
  writeFileSync(
    join(root, "broken", "sw.js"),
    `${worker}\nCacheStorage.prototype.match = () => { throw new Error("refused"); };`,
  );
  browser = launched;
  host = await serve("/", root);
});
test.afterAll(async () => {
  await host.stop();
  rmSync(root, { recursive: true });
});

const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
const versions = (page) => page.evaluate(() => [...globalThis.versions]);
const caches = (page) => page.evaluate(() => globalThis.caches.keys());

async function visitEveryView(page) {
  for (const view of everyView) {
    await goTo(page, view);
  }
}

/** Another page of the same reader. */
async function another(page, url) {
  const next = await page.context().newPage();
  await next.goto(url);
  await next.locator("commcost-cost").waitFor();
  return next;
}

test("an open page keeps its version through an update, the next visit has the new one, whole and offline too", {
  tag: "@long",
}, async () => {
  deploy("first", "updated");
  deploy("first", "neighbour");
  const page = await openPage(browser, `${host.address}neighbour/index.html#view=cost`, { serviceWorkers: "allow" });
  await controlled(page);
  await page.goto(`${host.address}updated/index.html#view=cost`);
  await controlled(page);
  deploy("second", "updated");
  await visitEveryView(page);
  assert.deepEqual(await versions(page), ["first"], "scripts that the first visit fetches after the update");

  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
  await page.reload();
  await visitEveryView(page);
  assert.deepEqual(await versions(page), ["first"], "a reload while the new version waits");
  await expect.poll(async () => (await caches(page)).length, "both versions, and the neighbour's").toBe(3);

  await page.goto("about:blank");
  const next = await another(page, `${host.address}updated/index.html#view=cost`);
  await next.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting === null);
  await next.reload();
  await controlled(next);
  await visitEveryView(next);
  assert.deepEqual(await versions(next), ["second"]);
  const left = await caches(next);
  assert.equal(left.length, 2, "the old version is gone, a copy under another path is not");
  assert.ok(left.some((name) => name.includes("/neighbour/")));

  await page.context().setOffline(true);
  await next.reload();
  await visitEveryView(next);
  assert.deepEqual(await versions(next), ["second"]);
  await page.done();
});

for (const [page, others] of [
  ["first", "second"],
  ["second", "first"],
]) {
  test(`the ${page} version's page beside the ${others}'s files is whole in the ${others} version`, {
    tag: "@long",
  }, async () => {
    const path = `${page}-page`;
    const shown = await openPage(browser, `${host.address}${path}/index.html#view=cost`);
    await visitEveryView(shown);
    assert.deepEqual(await versions(shown), [others]);
    // What the page would have fetched ahead is not there.
    assert.ok(
      shown.complaints().every((text) => /404|Service Worker/.test(text)),
      shown.complaints().join("\n"),
    );
    await shown.context().close();
  });
}

test("offline, what a browser has evicted is said to be missing, and comes once there is a network", {
  tag: "@long",
}, async () => {
  deploy("first", "offline");
  const page = await openPage(browser, `${host.address}offline/index.html#view=cost`, { serviceWorkers: "allow" });
  await controlled(page);
  await page.evaluate(async () => {
    for (const name of (await globalThis.caches.keys()).filter((one) => /offline/.test(one))) {
      const kept = await globalThis.caches.open(name);
      for (const request of await kept.keys())
        if (/rest-.*wasm|plan-view/.test(request.url)) await kept.delete(request);
    }
  });
  await page.context().setOffline(true);
  await page.goto(`${host.address}offline/index.html#view=plan`);
  await page.reload();
  await page.getByText("The Layouts view did not load: you are offline.").waitFor();
  assert.equal(await page.locator("nav [aria-current]").count(), 0);
  await page.context().setOffline(false);
  // By itself where the browser asks again for a script that failed, else by the button.
  const shown = page.locator("commcost-plan");
  await Promise.race([shown.waitFor(), page.getByRole("button", { name: "Try again" }).click()]);
  await shown.waitFor();
  assert.equal(await page.locator("nav [aria-current=page]").getAttribute("data-view"), "plan");
  await page.context().close();
});

test("a version whose files are not all there yet is not taken", { tag: "@long" }, async () => {
  deploy("first", "halved");
  const page = await openPage(browser, `${host.address}halved/index.html#view=cost`, { serviceWorkers: "allow" });
  await controlled(page);
  deploy("half", "halved");
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) =>
      registration.addEventListener("updatefound", () => resolve(registration.installing), { once: true }),
    );
    await registration.update().catch(() => {});
    const worker = await found;
    return worker.state === "redundant"
      ? worker.state
      : new Promise((resolve) => worker.addEventListener("statechange", () => resolve(worker.state)));
  });
  assert.equal(outcome, "redundant");
  await page.context().setOffline(true);
  await page.reload();
  await visitEveryView(page);
  assert.deepEqual(await versions(page), ["first"]);
  await page.context().close();
});

test("storage that fails costs no function", { tag: "@long" }, async () => {
  deploy("broken", "refused");
  const page = await openPage(browser, `${host.address}refused/index.html#view=cost`, { serviceWorkers: "allow" });
  await controlled(page);
  await page.reload();
  await visitEveryView(page);
  await page.done();
});

test("in a sandbox, without worker or storage, the whole page works", { tag: "@long" }, async () => {
  deploy("first", "sandboxed");
  writeFileSync(
    join(root, "frame.html"),
    `<!doctype html><title>Host</title><link rel="icon" href="sandboxed/icon.svg"><iframe sandbox="allow-scripts" src="sandboxed/index.html#view=cost" title="commcost"></iframe>`,
  );
  const page = await openPage(browser, `${host.address}frame.html`, { ready: "iframe" });
  const frame = page.frameLocator("iframe");
  await frame.locator("commcost-cost").waitFor();
  await frame.locator("commcost-scenario .line").click();
  await frame.locator('[name="tensor_parallel"]').first().fill("16");
  await frame.locator('[data-result="total_comm_time_ms"]').getByText("53.6871").waitFor();
  await page.done();
});

test("what a visit has fetched is not fetched again to be kept, and what a browser evicts is kept anew", {
  tag: "@long",
}, async () => {
  const asked = new Map();
  const files = staticServer(site);
  const server = createServer((request, response) => {
    const path = request.url.replace(/^\//, "");
    asked.set(path, (asked.get(path) ?? 0) + 1);
    // As web/HOSTING.md says.
    const forever = path.startsWith("assets/");
    response.setHeader("cache-control", forever ? "public, max-age=31536000, immutable" : "no-cache");
    files.emit("request", request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const page = await openPage(browser, `${address}#view=cost`, { serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  const named = [...asked].filter(([path]) => /^assets\/|\?/.test(path));
  assert.ok(named.length > 20, `${named.length} files`);
  assert.deepEqual(
    named.filter(([, times]) => times > 1),
    [],
  );

  const missing = () =>
    page.evaluate(async () => {
      const [name] = await caches.keys();
      const kept = await caches.open(name);
      return {
        all: (await kept.keys()).length,
        engine: !(await kept.keys()).some(({ url }) => /first-.*\.wasm$/.test(url)),
      };
    });
  const before = await missing();
  assert.equal(before.engine, false);
  await page.evaluate(async () => {
    const kept = await caches.open((await caches.keys())[0]);
    for (const request of await kept.keys()) if (/\.wasm$|cost-view/.test(request.url)) await kept.delete(request);
  });
  assert.equal((await missing()).engine, true);
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  await page.waitForFunction(async (all) => {
    const kept = await caches.open((await caches.keys())[0]);
    return (await kept.keys()).length === all;
  }, before.all);
  await page.context().setOffline(true);
  for (const [path, ready] of [
    ["", "commcost-learn"],
    ["formulas/", "main"],
    ["formulas/collectives.html", "main math"],
    ["scoreboard.html", "main"],
    ["practice.html", "commcost-exercise"],
    ["embed.html?figure=ring", "commcost-ring-figure"],
    ["embed.html?view=plan", "commcost-plan"],
  ]) {
    await page.goto(address + path);
    await page.locator(ready).first().waitFor();
  }
  await page.done();
  server.closeAllConnections();
  server.close();
});
