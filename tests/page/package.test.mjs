// The package in a browser, as its examples use it; tests/package has the rest.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "@playwright/test";
import { build } from "vite";
import { installPackage } from "../support/installed-package.mjs";
import { openPage, result, serve } from "./support/browser.mjs";

let browser, host, folder, installed, remove;
test.beforeAll(async ({ browser: launched }) => {
  ({ folder, installed, remove } = installPackage());
  browser = launched;
  // As static hosts do: no other origin may read a file, and a sandboxed frame is another.
  host = await serve("/", folder, { cors: false });
});
test.afterAll(async () => {
  await host.stop();
  remove();
});

/** Copies an example next to the installed package and opens it. */
async function open(example, ready) {
  cpSync(join(installed, "examples", example), folder, { recursive: true });
  return openPage(browser, host.address, { ready });
}

test("runs in a plain page", { tag: "@long" }, async () => {
  const page = await open("plain", "commcost-calculator .headline");
  await page
    .getByText(/^[\d.]+\sms$/)
    .first()
    .waitFor();
  assert.equal(
    await page.locator("#time").textContent(),
    `${await result(page, "total_comm_time_ms").textContent()} ms`,
  );
  await page.done();
});

test("runs through a bundler, with one engine for the page and all its elements", { tag: "@long" }, async () => {
  const source = join(folder, "source");
  cpSync(join(installed, "examples/bundler"), source, { recursive: true });
  cpSync(join(folder, "node_modules"), join(source, "node_modules"), { recursive: true });
  const outDir = join(folder, "bundled");
  await build({
    root: source,
    configFile: false,
    logLevel: "error",
    build: { outDir, emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false } },
  });
  const bundled = await serve("/", outDir);
  const page = await openPage(browser, bundled.address, { ready: "commcost-ring form" });
  await page.waitForFunction(() => document.title === "12 rounds");
  await page.locator("#time", { hasText: "50.108 ms" }).waitFor();
  const scripts = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const texts = await Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
  assert.equal(texts.filter((text) => text.includes("WebAssembly.instantiate")).length, 1);
  assert.equal(await page.evaluate(() => document.querySelector("commcost-ring").results.rounds), 12);
  await page.done();
  await bundled.stop();
});

test("runs in a sandboxed frame, from the folder it was installed into", { tag: "@long" }, async () => {
  const page = await open("frame", "iframe");
  const frame = page.frameLocator("iframe");
  await frame.locator("#answer_message_size_bytes").fill("1");
  await page.keyboard.press("Enter");
  await page.getByText("Likely missed: not known").waitFor();
  await page.done();
});
