import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, field, openPage, result, site } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { hostPage } from "./support/host.mjs";

hosted("/some/path/");

test("works under any path, and again without a network", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated",
  );
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "50.108");
  await page.done();
});

test("opens from file:// as one file", { tag: "@long" }, async () => {
  const page = await openPage(browser, `file://${site}commcost.html#num_gpus=4`);
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "42.9497");
  await field(page, "tensor_parallel").fill("2");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "28.6331");
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("plans without a network, in a worker", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=plan`, {
    ready: "commcost-plan",
    serviceWorkers: "allow",
  });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated",
  );
  await page.reload();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText(/on this machine/).waitFor();
  assert.notEqual(page.workers().length, 0);
  await page.done();
});

for (const sandbox of [undefined, "allow-scripts"]) {
  test(`a frame${sandbox ? `, sandbox="${sandbox}",` : ""} plans and reads a trace beside its page`, {
    tag: "@long",
  }, async () => {
    const frameOf = (view) =>
      `<iframe title="${view}" width="900" height="900" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${host.address}embed.html#view=${view}"></iframe>`;
    const other = await hostPage(host.address, frameOf("plan") + frameOf("diagnose"), "", { frames: true });
    const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(host.address).host] });
    await page
      .frameLocator('[title="plan"]')
      .getByText(/on this machine/)
      .waitFor();
    assert.notEqual(page.workers().length, 0);
    const diagnose = page.frameLocator('[title="diagnose"]');
    await diagnose
      .getByLabel("Trace", { exact: true })
      .setInputFiles(new URL("../data/pytorch_trace.json", import.meta.url).pathname);
    await diagnose.getByText("8 kernels on 3 streams; communication is exposed for 23.5 % of the time.").waitFor();
    await page.done();
    await other.stop();
  });
}
