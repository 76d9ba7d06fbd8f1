// The reader thread: every file is read beside the page, as a stream, with progress and a way to stop; where there can be no
// worker, in slices on the page's own thread.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const launch = `  seq_length ...................................... 4096
  micro_batch_size ................................ 1
using world size: 64, data-parallel size: 16, context-parallel size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 1
`;
const iteration = (step) =>
  ` [2025-08-01 07:19:37] iteration ${step}/ 60000 | consumed samples: 128 | elapsed time per iteration (ms): ${step < 1000 ? "9000.0" : "2900.0"} | global batch size:   128 | lm loss: 1.04E+01 |\n`;

/** Drops a file on the page: `begin`, then `line` of it so many times, # being the number. */
const drop = (page, name, begin, line, times) =>
  page.evaluate(
    ([name, begin, line, times]) => {
      const lines = Array.from({ length: times }, (_, at) => line.replaceAll("#", at + 1));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([begin, ...lines], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true }));
    },
    [name, begin, line, times],
  );

const withoutWorkers = () => {
  globalThis.Worker = class {
    constructor() {
      throw new Error("no workers here");
    }
  };
};

async function open() {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.locator("commcost-own-files").waitFor();
  return page;
}

test("a training log of 33 MB is read in a worker, all of it", { tag: "@long" }, async () => {
  const page = await open();
  const worker = page.waitForEvent("worker");
  const line = iteration(0).replace(" 0/", " #/").replace("9000.0", "2900.0");
  await drop(page, "long.log", launch, line, 200_000);
  await worker;
  const row = page.locator("commcost-own-runs tbody tr");
  await row.waitFor();
  assert.match(await row.innerText(), /TP 4[\s\S]*2\.9 s/);
  await page.done();
});

test("of a log of nccl-tests with much between its rows what it says is kept", { tag: "@long" }, async () => {
  const page = await open();
  const noise = `# a remark\n${"NCCL INFO what a library says of itself ".repeat(4)}\n`;
  const rows = Array.from({ length: 12 }, (_, at) => {
    const size = 4 ** (at + 5);
    const us = 20 + size / 1e5;
    return `${size} ${size / 4} float sum -1 ${us} ${size / us / 1e3} ${(1.75 * size) / us / 1e3} 0\n`;
  });
  await drop(page, "nccl.log", rows.join(noise), noise, 100_000);
  await page.getByText("nccl.log is read as a log of nccl-tests.").waitFor();
  const fit = page.locator("commcost-diagnose [data-fit]");
  await fit.waitFor();
  assert.match(await fit.innerText(), /12 (?:sizes|points|measurements)/);
  await page.done();
});

for (const [where, init] of [
  ["in a worker", undefined],
  ["in slices on the page's own thread", withoutWorkers],
]) {
  test(`what is read ${where} shows how far it is, and can be cancelled`, { tag: "@long" }, async () => {
    const page = await open();
    if (init) {
      await page.addInitScript(init);
      await page.reload();
      await page.locator("commcost-own-files").waitFor();
      await page.evaluate(() => document.querySelector("commcost-app").whole);
    }
    const cancelled = page.locator("commcost-app").evaluate(async (element) => {
      const found = (part) => element.renderRoot.querySelector(part);
      while (!(found("progress")?.value > 0)) await new Promise(requestAnimationFrame);
      found("[data-reading] button").click();
    });
    await drop(page, "long.log", launch, iteration(0).replace(" 0/", " #/"), 400_000);
    await cancelled;
    await page.getByText("Reading was cancelled.").waitFor();
    await expect.poll(() => page.workers().length, "the worker still runs").toBe(0);
    assert.equal(await page.locator("commcost-app .news progress").count(), 0);
    // The next one is read as if nothing had been.
    await drop(page, "short.log", launch, iteration(0).replace(" 0/", " #/").replace("9000.0", "2900.0"), 20);
    await page.locator("commcost-own-runs tbody tr").waitFor();
    await page.done();
  });
}

test("a model's configuration with 60,000 labels does not hold the page up", { tag: "@long" }, async () => {
  const page = await open();
  const worker = page.waitForEvent("worker");
  const labels = Array.from({ length: 60_000 }, (_, at) => `"${at}": "x"`).join(", ");
  await drop(page, "config.json", `{"model_type": "mamba", "id2label": {${labels}}}`, "", 0);
  await worker;
  await page.getByText(/lacks num_hidden_layers/).waitFor();
  await page.done();
});
