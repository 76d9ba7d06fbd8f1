import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const job =
  "#view=plan&model=llama-3.1-8b&system=dgx-h200&cluster_gpus=32&global_batch_size=128&sequence_length=8192&price_per_gpu_hour=2";

/** The view with that list of machines, all of them searched. */
async function open(machines = "", options = {}) {
  const page = await openPage(browser, `${host.address}${job}${machines && `&machines=${machines}`}`, {
    ready: "commcost-plan",
    ...options,
  });
  await page.locator("[data-machines][aria-busy=false]").waitFor();
  return page;
}
const rowOf = (page, name) => page.locator("[data-machines] tbody tr", { hasText: name });
const verdict = (page) => page.locator("[data-machines] [data-verdict]");

/** What the engine says of the same machines. */
const answer = (page, machines) =>
  page.evaluate((machines) => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    return view.scenario.engine.plan_machines({ ...view.progress.inputs, machines }).rows;
  }, machines);

test("another machine is compared by its own best layout, with the price at which it pays", async () => {
  const page = await open("dgx-b200@4.5,dgx-a100@1");
  const [own, newer, older] = await answer(page, [
    { system: "dgx-b200", price_per_gpu_hour: 4.5 },
    { system: "dgx-a100", price_per_gpu_hour: 1 },
  ]);
  assert.ok(newer.worth > 1 && older.worth < 1);
  const times = Number(newer.worth.toPrecision(3));
  assert.ok((await rowOf(page, "DGX B200").textContent()).includes(`${times} ×`));
  const words = await verdict(page).textContent();
  assert.ok(words.includes(`DGX B200 pays as long as its GPU-hour costs less than ${times} times yours`), words);
  const names = ["yours", "DGX B200", "DGX A100"];
  const costs = [own, newer, older].map((row) => row.layout[0].cost);
  const cheapest = names[costs.indexOf(Math.min(...costs))];
  assert.ok(words.includes(`Cheapest at these prices: ${cheapest},`), words);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("machines are added, priced and left out, and the link carries them", async () => {
  const page = await open();
  assert.equal(await page.locator("[data-machines] tbody tr").count(), 2);
  await page.getByLabel("Compare with").selectOption("dgx-b200");
  await rowOf(page, "DGX B200").getByText("×", { exact: false }).first().waitFor();
  // Nothing is billed at another machine's price.
  await page.locator("[data-machines][aria-busy=false]").waitFor();
  assert.equal(await rowOf(page, "DGX B200").locator("td").last().textContent(), "–");
  assert.doesNotMatch(await verdict(page).textContent(), /Cheapest/);
  await page.getByLabel("Price per GPU-hour: DGX B200").fill("5");
  await page.getByLabel("Price per GPU-hour: DGX B200").press("Tab");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("machines=network:100,dgx-b200@5"));
  await page.locator("[data-machines][aria-busy=false]").waitFor();
  await page.getByRole("button", { name: "Leave out Yours with 100 GB/s" }).click();
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("machines=dgx-b200@5"));
  await page.done();
});

test("a machine that cannot run the job says why, and the others are still compared", async () => {
  const page = await open("dgx-a100,network:100,dgx-b200@cheap&matmul_precision=fp8");
  assert.match(await rowOf(page, "DGX A100").textContent(), /multiplies in/);
  assert.match(await rowOf(page, "DGX B200").textContent(), /number/);
  assert.match(await rowOf(page, "100 GB/s").textContent(), /×/);
  await page.done();
});

test("no difference within the noise is called one", async () => {
  const page = await open("network:51");
  const [, row] = await answer(page, [{ nic_gb_per_sec: 51 }]);
  assert.ok(row.tie);
  assert.match(await verdict(page).textContent(), /^Yours with 51 GB\/s a GPU between nodes: within noise of yours\./);
  await page.done();
});
