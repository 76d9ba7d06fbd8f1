import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { axeFindings, field, openPage, result, serve, site, startBrowser } from "./support/browser.mjs";

let browser, host;
before(async () => { browser = await startBrowser(); host = await serve("/some/path/"); });
after(async () => { await browser.close(); await host.stop(); });

/** A page of somebody else, on an origin of its own, that forbids eval and inline style. */
async function hostPage(body, script, frames) {
  const folder = mkdtempSync(join(tmpdir(), "commcost-host-"));
  const policy = `default-src 'none'; script-src 'self' ${new URL(host.address).origin} 'wasm-unsafe-eval'; style-src 'none'; ${frames ? `frame-src ${new URL(host.address).origin}` : ""}`;
  writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <meta http-equiv="Content-Security-Policy" content="${policy}"><script type="module" src="host.js"></script></head>
    <body><main><h1>An article</h1>${body}</main></body></html>`);
  writeFileSync(join(folder, "host.js"), script);
  return serve("/", folder);
}

test("works under any path, and again without a network", async () => {
  const page = await openPage(browser, host.address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated");
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "50.108");
  await page.done();
});

test("opens from file:// as one file", async () => {
  const page = await openPage(browser, `file://${site}commcost.html#num_gpus=4`);
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "42.9497");
  await field(page, "num_gpus").fill("2");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "28.6331");
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("plans without a network, in a worker", async () => {
  const page = await openPage(browser, `${host.address}#view=plan`, { ready: "commcost-plan" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated");
  await page.reload();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText(/on this machine/).waitFor();
  assert.equal(page.workers().length, 1);
  await page.done();
});

for (const sandbox of [undefined, "allow-scripts"]) {
  test(`a frame${sandbox ? `, sandbox="${sandbox}",` : ""} plans and reads a trace beside its page`, async () => {
    const frameOf = (view) => `<iframe title="${view}" width="900" height="900" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${host.address}embed.html#view=${view}"></iframe>`;
    const other = await hostPage(frameOf("plan") + frameOf("training"), "", true);
    const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(host.address).host] });
    await page.frameLocator('[title="plan"]').getByText(/on this machine/).waitFor();
    assert.equal(page.workers().length, 1);
    const training = page.frameLocator('[title="training"]');
    await training.getByLabel("Trace", { exact: true }).setInputFiles(new URL("../data/pytorch_trace.json", import.meta.url).pathname);
    await training.getByText("8 kernels on 3 streams; communication is exposed for 23.5 % of the time.").waitFor();
    await page.done();
    await other.stop();
  });
}

for (const sandbox of [undefined, "allow-scripts"]) {
  test(`a frame's height follows its content${sandbox ? `, sandbox="${sandbox}"` : ""}, across origins`, async () => {
    const other = await hostPage(
      `<iframe title="commcost" width="700" height="200" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${host.address}embed.html?num_gpus=4"></iframe>`,
      `import { followHeight } from "${host.address}commcost-embed.js"; followHeight(document.querySelector("iframe"));
       postMessage({ type: "commcost:height", v: 1, height: 5 }, "*");`,
      true);
    const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(host.address).host] });
    const frame = page.frameLocator("iframe");
    await frame.locator("commcost-cost").waitFor();
    assert.equal(await frame.locator('[data-result="total_comm_time_ms"]').textContent(), "42.9497");
    await page.waitForFunction(() => document.querySelector("iframe").clientHeight > 600);
    const fits = await page.evaluate(() => document.querySelector("iframe").clientHeight);
    const inner = await page.frames()[1].evaluate(() => document.documentElement.scrollHeight);
    assert.ok(Math.abs(fits - inner) <= 2, `${fits} against ${inner}`);
    const before = page.frames()[1].url();
    await frame.locator('[name="num_gpus"]').fill("16");
    await page.waitForTimeout(400);
    assert.equal(page.frames()[1].url(), before, "a frame leaves its address alone");
    assert.equal((await page.complaints()).filter((text) => !/modulepreload|X-Frame|net::ERR/.test(text)).length, page.complaints().length);
    await page.done();
    await other.stop();
  });
}

test("the element works under a policy without eval and inline style, and says what changes", async () => {
  const other = await hostPage(
    `<commcost-calculator hidden_size="8192" num_gpus="4" num_layers="80" bandwidth_gb_per_sec="3600 Gb/s"></commcost-calculator>`,
    `window.changes = []; addEventListener("change", (event) => event.detail && changes.push(event.detail));
     import("${host.address}commcost-element.js");`);
  // The host's server must allow its script to be fetched from another origin: a module is fetched with CORS.
  const page = await openPage(browser, other.address, { ready: null, hosts: [new URL(host.address).host] });
  await page.locator("commcost-calculator commcost-cost").waitFor();
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "143.1656");
  const first = await page.evaluate(() => changes.at(-1));
  assert.equal(first.inputs.num_layers, 80);
  assert.equal(first.results.total_comm_time_ms, 143.1656);
  await page.evaluate(() => { document.querySelector("commcost-calculator").num_gpus = 8; });
  assert.equal((await page.evaluate(() => changes.at(-1))).inputs.num_gpus, 8);
  await page.evaluate(() => document.querySelector("commcost-calculator").setAttribute("num_gpus", "many"));
  const problems = (await page.evaluate(() => changes.at(-1))).problems;
  assert.equal(problems[0].field, "num_gpus");
  await page.getByText("got “many”").first().waitFor();
  assert.deepEqual((await axeFindings(page)).filter((finding) => !finding.startsWith("region")), []);
  await page.done();
  await other.stop();
});
