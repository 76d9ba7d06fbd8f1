// The reader thread: every file is read beside the page, as a stream, with progress and a way to stop; where there can be no
// worker, in slices on the page's own thread.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

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

test("a training log of 33 MB is read in a worker, its beginning and its end, and says what was left out", {
  tag: "@long",
}, async () => {
  const page = await open();
  const worker = page.waitForEvent("worker");
  await drop(page, "long.log", launch, iteration(0).replace(" 0/", " #/").replace("9000.0", "2900.0"), 200_000);
  await worker;
  const row = page.locator("commcost-own-runs tbody tr");
  await row.waitFor();
  assert.match(await row.innerText(), /TP 4[\s\S]*2\.9 s/);
  await page.getByText(/in the middle of it were left out/).waitFor();
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
    const cancelled = page.locator("commcost-own-files").evaluate(async (element) => {
      const found = (part) => element.renderRoot.querySelector(part);
      while (!(found("progress")?.value > 0)) await new Promise(requestAnimationFrame);
      found("[data-reading] button").click();
    });
    await drop(page, "long.log", launch, iteration(0).replace(" 0/", " #/"), 400_000);
    await cancelled;
    await page.getByText("Reading was cancelled.").waitFor();
    await expect.poll(() => page.workers().length, "the worker still runs").toBe(0);
    assert.equal(await page.locator("commcost-own-files progress").count(), 0);
    // The next one is read as if nothing had been.
    await drop(page, "short.log", launch, iteration(0).replace(" 0/", " #/").replace("9000.0", "2900.0"), 20);
    await page.locator("commcost-own-runs tbody tr").waitFor();
    await page.done();
  });
}

test("a model's configuration with 5,000 labels does not hold the page up", { tag: "@long" }, async () => {
  const page = await open();
  const worker = page.waitForEvent("worker");
  const labels = Array.from({ length: 5_000 }, (_, at) => `"${at}": "x"`).join(", ");
  await drop(page, "config.json", `{"model_type": "mamba", "id2label": {${labels}}}`, "", 0);
  await worker;
  await page.getByText(/model_type "mamba" is not known/).waitFor();
  await page.done();
});

test("of a long text whole lines of its beginning and its end are kept", async () => {
  const { LongText } = await load("state/reader/long-text.ts");
  const collect = (lines) => {
    const text = new LongText();
    // Pieces end wherever they end.
    const all = Array.from({ length: lines }, (_, at) => `line ${at} ${"x".repeat(90)}\n`).join("");
    for (let at = 0; at < all.length; at += 65_521) text.add(all.slice(at, at + 65_521));
    return { all, text };
  };
  const short = collect(10_000);
  assert.equal(short.text.text, short.all);
  assert.equal(short.text.leftOut, 0);
  const long = collect(400_000);
  const kept = long.text.text.split("\n");
  assert.ok(long.text.text.length <= 16e6 && long.text.text.length > 15.9e6, `${long.text.text.length}`);
  assert.ok(long.text.leftOut > 0);
  assert.match(kept[0], /^line 0 x+$/);
  assert.match(kept.at(-2), /^line 399999 x+$/);
  assert.ok(
    kept.slice(0, -1).every((line) => /^line \d+ x{90}$/.test(line)),
    "a line is whole or not there",
  );
});
