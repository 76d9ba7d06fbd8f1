import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeFindings, field, openPage, serve, site, startBrowser } from "./support/browser.mjs";

let browser, host;
before(async () => { browser = await startBrowser(); host = await serve(); });
after(async () => { await browser.close(); await host.stop(); });

const llama = "#view=plan&model=llama-3.1-405b&system=dgx-h100&num_gpus=16384&global_batch_size=2048&sequence_length=8192";
const open = (hash, options = {}) => openPage(browser, host.address + hash, { ready: "commcost-plan", ...options });
const finished = (page) => page.getByText(/on this machine/).waitFor();

test("plans the page's default scenario and says what it saw", async () => {
  const page = await open("#view=plan");
  await finished(page);
  assert.match(await page.locator(".headline").textContent(), /Quickest on 8 GPUs: .* a step takes/);
  assert.equal(await page.locator("table.layouts tbody tr").count(), 20);
  const times = await page.locator("table.layouts tbody td:nth-child(2)").allTextContents();
  assert.ok(parseFloat(times[0]) <= parseFloat(times.at(-1)));
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("a large cluster: something at once, all of it in a worker, the page never waits", async () => {
  const page = await open(llama);
  await page.locator("table.layouts").waitFor();
  assert.ok(await page.evaluate(() => performance.now()) > 0);
  await finished(page);
  assert.match(await page.locator(".headline").textContent(), /tensor \d+ · .*pipeline \d+/);
  assert.equal(page.workers().length, 1);
  await page.done();
});

test("a layout taken over is in the link, and opens again from it", async () => {
  const page = await open("#view=plan");
  await finished(page);
  await page.getByRole("button", { name: /^Use layout 2:/ }).click();
  await page.getByText("Layout 2 is in use").waitFor();
  await page.waitForFunction(() => location.hash.includes("_parallel=") && location.hash.includes("software=given"));
  const again = await open(new URL(page.url()).hash);
  await finished(again);
  await again.getByText("Layout 2 is in use").waitFor();
  await page.done();
  await again.done();
});

test("what cannot exist says what is short and by how much", async () => {
  const page = await open("#view=plan&model=llama-3.1-405b&system=dgx-h100&num_gpus=8");
  await finished(page);
  assert.match(await page.locator(".headline").textContent(), /No layout fits: each GPU is short of [\d.]+ GiB/);
  assert.match(await page.locator(".under").textContent(), /needs [\d.]+ GiB of a GPU that can give [\d.]+ GiB/);
  await page.done();
});

test("a search can be cancelled and taken up again", async () => {
  const page = await open("#view=plan");
  await finished(page);
  await page.getByRole("button", { name: "Llama 3.1 405B on 16,384 H100" }).click();
  // Quicker than any pointer: a search may last for less time than a click.
  await page.waitForFunction(() => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan").shadowRoot;
    const cancel = [...view.querySelectorAll("button")].find((button) => button.textContent === "Cancel");
    cancel?.click();
    return cancel !== undefined;
  });
  await page.getByText(/^Cancelled after/).waitFor();
  await page.getByRole("button", { name: "Search again" }).click();
  await finished(page);
  await page.done();
});

test("wrong inputs are named, and the last plan stays", async () => {
  const page = await open("#view=plan");
  await finished(page);
  await field(page, "num_gpus").fill("0");
  await page.locator("#field-num_gpus-note").getByText("num_gpus must be a whole number").waitFor();
  assert.match(await page.locator(".headline").textContent(), /Quickest on/);
  await field(page, "num_gpus").fill("16");
  await page.getByText("Quickest on 16 GPUs").waitFor();
  await page.done();
});

test("the page in one file plans on its own thread", async () => {
  const page = await openPage(browser, `file://${site}commcost.html#view=plan`, { ready: "commcost-plan" });
  await finished(page);
  assert.equal(page.workers().length, 0);
  await page.done();
});

test("no horizontal scroll at 360 px, clean in the dark", async () => {
  const page = await open(llama, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await finished(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});
