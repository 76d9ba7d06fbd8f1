// The marked point of a chart can be taken hold of in every view: by pointer and by key, and the answer goes along.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { openPage, seeAll } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

/** The scenario's text of a field; of a layout that is pinned, the pin. */
const textOf = (page, name) =>
  page.evaluate((name) => {
    const { scenario } = document.querySelector("commcost-app");
    return scenario.text(`plan_${name}`) || scenario.text(name);
  }, name);

/** A step with much to send between nodes. */
const large =
  "model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&tensor_parallel=4&pipeline_parallel=2&global_batch_size=128";

const charts = [
  { view: "network", handle: "Message", field: "message_size_bytes", key: "ArrowRight", becomes: "256 MiB" },
  {
    view: "overlap",
    handle: "Hidden size and TP",
    field: "tensor_parallel",
    key: "ArrowDown",
    becomes: "4",
  },
  {
    view: "overlap",
    handle: "Hidden size and TP",
    field: "hidden_size",
    key: "ArrowRight",
    becomes: "6144",
  },
  { view: "overlap", handle: "GPUs that share the layer", field: "tensor_parallel", key: "ArrowRight", becomes: "16" },
  { view: "step", handle: /^Bandwidth of the /, field: "bandwidth_gb_per_sec", key: "ArrowLeft", becomes: "252.3" },
  { view: "projection", handle: "Network efficiency", field: "efficiency", key: "Home", becomes: "0.01" },
  { view: "plan", handle: "GPUs in the cluster", field: "cluster_gpus", key: "ArrowRight", becomes: "128" },
  { view: "plan", handle: "Network", field: "nic_gb_per_sec", key: "ArrowRight", becomes: "50" },
  { view: "plan", handle: "Node", field: "gpus_per_node", key: "ArrowRight", becomes: "16" },
];
for (const { view, handle, field, key, becomes } of charts) {
  test(`${view}: ${handle} is moved by ${key}`, { tag: "@long" }, async () => {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: `commcost-${view}` });
    if (view === "step") await seeAll(page);
    const knob = page.getByRole("slider", { name: handle, exact: typeof handle === "string" });
    await knob.scrollIntoViewIfNeeded();
    await knob.press(key);
    await expect.poll(() => textOf(page, field)).toBe(becomes);
    // It still stands there to be moved on, and back.
    await expect(knob).toBeVisible();
    await page.done();
  });
}

test("the answer moves while the point is dragged, before it is let go", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=network`, { ready: "commcost-network" });
  const answer = page.locator("commcost-network [part=headline]");
  const before = await answer.innerText();
  const box = await page.getByRole("slider", { name: "Message", exact: true }).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await expect(answer).not.toHaveText(before);
  const during = await answer.innerText();
  await page.mouse.move(x - 120, y, { steps: 8 });
  await expect(answer).not.toHaveText(during);
  await page.mouse.up();
  await page.done();
});

test("a field is dragged over both its axes", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=overlap`, { ready: "commcost-overlap" });
  const knob = page.getByRole("slider", { name: "Hidden size and TP" });
  const box = await knob.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 90, y + 60, { steps: 6 });
  await page.mouse.up();
  assert.ok(Number(await textOf(page, "hidden_size")) > 4096);
  assert.ok(Number(await textOf(page, "tensor_parallel")) < 8);
  await page.done();
});

test("a rate that was dragged goes back to the machine's own", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=step&${large}`, { ready: "commcost-step" });
  await seeAll(page);
  const knob = page.getByRole("slider", { name: /^Bandwidth of the / });
  await knob.press("ArrowLeft");
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/(bandwidth|nic)_gb_per_sec/);
  await knob.press("ArrowRight");
  await expect.poll(() => page.evaluate(() => location.hash)).not.toMatch(/(bandwidth|nic)_gb_per_sec/);
  await page.done();
});
