import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { field, openPage, result, serve } from "./support/browser.mjs";

let browser, host;
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  host = await serve();
});
test.afterAll(async () => {
  await host.stop();
});

/** A small generator of its own, so that a failure can be repeated. */
function random(seed) {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const names = [
  "hidden_size",
  "sequence_length",
  "batch_size",
  "num_gpus",
  "num_layers",
  "bytes_per_element",
  "bandwidth_gb_per_sec",
  "allreduces_per_layer",
];

test("what is typed stands in the address, readable, and comes back from it", async () => {
  const page = await openPage(browser, host.address);
  await field(page, "hidden_size").fill("12288");
  await field(page, "bandwidth_gb_per_sec").fill("900 Gb/s");
  await page.waitForFunction(() => location.hash.includes("bandwidth"));
  assert.equal(new URL(page.url()).hash, "#v=1&hidden_size=12288&bandwidth_gb_per_sec=900+Gb/s");
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  assert.equal(await field(page, "bandwidth_gb_per_sec").inputValue(), "900 Gb/s");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "400.8636");
  await page.done();
});

test("200 random states survive the way through the address", async () => {
  const page = await openPage(browser, host.address);
  const next = random(42);
  const texts = ["4096", "4Ki", "1e3", "x y", "16 GiB/s", "ü&=#%+", "", "-1", "0.5", "<b>", "1 000 000", "NaN"];
  for (let round = 0; round < 200; round++) {
    const state = Object.fromEntries(
      names.filter(() => next() < 0.5).map((name) => [name, texts[Math.floor(next() * texts.length)]]),
    );
    const back = await page.evaluate((wanted) => {
      const { scenario } = document.querySelector("commcost-app").renderRoot.querySelector("commcost-cost");
      scenario.reset(wanted);
      const app = document.querySelector("commcost-app");
      const hash = app.address().replace(/^[^#]*/, "");
      scenario.reset({});
      history.replaceState(null, "", hash || location.pathname);
      dispatchEvent(new HashChangeEvent("hashchange"));
      return Object.fromEntries(Object.keys(wanted).map((name) => [name, scenario.text(name)]));
    }, state);
    assert.deepEqual(back, state);
  }
  await page.done();
});

test("a malformed link gives field errors, never a blank page", async () => {
  for (const hash of [
    "#num_gpus=abc&hidden_size=-1",
    "#num_gpus=1e999",
    "#v=99&%E0%A4%A=1",
    "#&&&===",
    "#hidden_size",
    `#num_gpus=${"9".repeat(5000)}`,
  ]) {
    const page = await openPage(browser, host.address + hash);
    await page.locator("#field-num_gpus").waitFor();
    const text = await page.locator("main").innerText();
    assert.ok(!/undefined|\bnull\b/.test(text), hash);
    await page.done();
  }
  const page = await openPage(browser, `${host.address}#num_gpus=abc&hidden_size=-1&nonsense=5&view=nowhere`);
  assert.match(await page.locator("#field-num_gpus-note").textContent(), /got “abc”/);
  assert.match(
    await page.locator("#field-hidden_size-note").textContent(),
    /must be a whole number from 1 to 9007199254740991; got -1/,
  );
  assert.match(await page.locator(".unknown").textContent(), /nonsense/);
  await page.done();
});

test("the query works as well as the hash, and a preset may stand for its fields", async () => {
  const page = await openPage(browser, `${host.address}?num_gpus=4#model=llama-3.1-8b&link=nvlink5`);
  assert.equal(await field(page, "num_gpus").inputValue(), "4");
  assert.equal(await field(page, "bandwidth_gb_per_sec").inputValue(), "900");
  assert.equal(await field(page, "hidden_size").inputValue(), "4096");
  await page.done();
});
