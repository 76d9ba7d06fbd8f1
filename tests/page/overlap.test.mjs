import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, openPage, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (state = "", options = {}) =>
  openPage(browser, `${host.address}#view=overlap${state && `&${state}`}`, {
    ready: "commcost-overlap .headline",
    ...options,
  });
const ratio = async (page, scheme) => Number(await page.locator(`[data-ratio="${scheme}"]`).textContent());

test("gives the printed ratio of A3 at one byte an element", async () => {
  const page = await open(
    "hidden_size=8192&tensor_parallel=8&bytes_per_element=1&peak_tflops=989&bandwidth_gb_per_sec=450",
  );
  assert.equal(await ratio(page, "tensor_parallel"), 0.939);
  await unfold(page, "Precision and recomputation");
  await field(page, "bytes_per_element").fill("2");
  assert.equal(await ratio(page, "tensor_parallel"), 1.88);
  await page.done();
});

test("a row chooses its scheme: headline, derivation and field follow, and so does the link", async () => {
  const page = await open();
  for (const [scheme, words] of [
    ["data_parallel", "all-reduce of all gradients"],
    ["zero_3", "weights"],
    ["pipeline_parallel", "With PP 1, no activations go to another stage"],
  ]) {
    await field(page, "scheme").selectOption(scheme);
    assert.match(await page.locator("commcost-overlap .headline").textContent(), new RegExp(words));
  }
  await field(page, "pipeline_parallel").fill("4");
  assert.match(await page.locator("commcost-overlap .headline").textContent(), /activations to the next stage/);
  assert.match(await page.locator("commcost-heat-map figcaption").textContent(), /Pipeline parallel/);
  await page.waitForFunction(() => location.hash.includes("scheme=pipeline_parallel"));
  await page.done();
});

test("the field is read with the arrow keys, each way", async () => {
  const page = await open();
  const chart = page.locator("commcost-heat-map svg[role=slider]");
  await chart.focus();
  await page.keyboard.press("Home");
  const first = await chart.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowUp");
  const above = await chart.getAttribute("aria-valuetext");
  assert.match(first, /1024 Hidden size, 2 TP/);
  assert.match(above, /1024 Hidden size, 4 TP/);
  await page.keyboard.press("ArrowRight");
  assert.match(await chart.getAttribute("aria-valuetext"), /1536 Hidden size, 4 TP/);
  await page.done();
});

test("the layer shows what waits, and that weight gradients hide the backward sums", async () => {
  const page = await open("latency_us=0");
  const caption = page.locator("commcost-lane-chart figcaption");
  const waiting = async () => Number(/, (\d+) % of the layer/.exec(await caption.textContent())[1]);
  // The usual recipe does it.
  const beside = await waiting();
  await unfold(page, "What it does");
  await field(page, "overlap_tensor").uncheck();
  assert.ok(beside < (await waiting()));
  await field(page, "overlap_tensor").check();
  assert.equal(await page.locator("commcost-overlap .variants tbody tr").count(), 5);
  await page.done();
});

test("no picture is named by a number alone", async () => {
  const page = await openPage(browser, `${host.address}#view=overlap`, { ready: "commcost-overlap" });
  const bars = page.locator(".variants svg");
  await expect(bars).toHaveCount(5);
  for (const name of await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute("aria-label"))))
    assert.match(name, /^[\d.]+ .?s in total, [\d.]+ .?s of it exposed$/);
  await page.done();
});

test("partition schemes name what they need", async () => {
  const page = await open("num_gpus=8");
  const rows = page.locator("commcost-overlap .partition tbody tr");
  assert.match(await rows.nth(1).textContent(), /needs a square of GPUs/);
  assert.match(await rows.nth(3).textContent(), /2 × 2 × 2/);
  await field(page, "tensor_parallel").fill("64");
  await expect(rows.nth(1)).toHaveText(/8\s×\s8/);
  await page.done();
});

test("a wrong input is named, and the last answer stays", async () => {
  const page = await open();
  const before = await ratio(page, "tensor_parallel");
  await unfold(page, "GPU, node and network");
  await field(page, "peak_tflops").fill("fast");
  await page.locator("#field-peak_tflops-note").getByText("Peak matrix rate: enter a number").waitFor();
  assert.ok((await page.locator("commcost-overlap .headline").count()) === 1);
  await field(page, "peak_tflops").fill("312");
  assert.equal(await ratio(page, "tensor_parallel"), before);
  await page.done();
});

test("nothing that axe finds, no sideways scrolling, wide and narrow, light and dark", { tag: "@long" }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      const page = await open("", { colorScheme, viewport: { width, height: 900 } });
      assert.deepEqual(await axeFindings(page), [], `${colorScheme} ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
      await page.done();
    }
  }
});

test("what a collective's channels take from compute, as the engine says", async () => {
  const page = await open("v=2&plan_tensor_parallel=8&channels=24");
  const said = page.locator('commcost-overlap [data-fact="channels"]');
  await said.getByText(/While it runs, the layer’s MLP product is [\d.]+\s% slower/).waitFor();
  const slower = Number(/is ([\d.]+) %/.exec(await said.textContent())[1]);
  await page.evaluate(() => document.querySelector("commcost-app").take("channels=60"));
  await page.waitForFunction((before) => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-overlap");
    const text = view.shadowRoot.querySelector('[data-fact="channels"]').textContent;
    return Number(/is ([\d.]+) %/.exec(text)[1]) > before;
  }, slower);
  await page.done();
});
