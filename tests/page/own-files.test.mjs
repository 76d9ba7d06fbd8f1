// A reader's own files: dropped or pasted anywhere, kept over views and visits, removed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { openPage, serve } from "./support/browser.mjs";

let browser, host;
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  host = await serve();
});
test.afterAll(async () => {
  await host.stop();
});

const data = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

/** Drops a file on the page's body, as a file manager would. */
const drop = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, composed: true }),
      );
    },
    [name, text],
  );
const paste = (page, text) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
  }, text);

// Sizes and times of a DGX A100's all-reduce, as nccl-tests prints them.
const log = `# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1073741824 step: 4(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid  1 on node device  0 [0x07] NVIDIA A100-SXM4-80GB
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1048576        262144     float     sum      -1    48.52   21.61   37.82      0    48.02   21.84   38.21      0
     4194304       1048576     float     sum      -1    86.41   48.54   84.94      0    86.12   48.70   85.23      0
    16777216       4194304     float     sum      -1    170.3   98.52   172.4      0    169.9   98.75   172.8      0
    67108864      16777216     float     sum      -1    552.1   121.6   212.7      0    551.0   121.8   213.1      0
   268435456      67108864     float     sum      -1   2044.0   131.3   229.8      0   2041.0   131.5   230.2      0
  1073741824     268435456     float     sum      -1   8010.0   134.1   234.6      0   8003.0   134.2   234.8      0
`;

test("a configuration dropped anywhere is the model, until it is removed", async () => {
  const page = await openPage(browser, host.address, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "config.json", data("model_configs/smollm2-135m.json"));
  await page.getByText("config.json is the model now.").waitFor();
  await page.waitForFunction(() => location.hash.includes("hidden_size=576"));
  await page.getByRole("button", { name: "Remove the model config.json" }).click();
  await page.waitForFunction(() => !location.hash.includes("hidden_size=576"));
  await page.done();
});

test("what is no configuration is said to be none", async () => {
  const page = await openPage(browser, host.address, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "config.json", '{"model_type": "mamba"}');
  await page.getByText(/model_type "mamba" is not known/).waitFor();
  await page.done();
});

test("a log pasted anywhere is fitted, and stays over views and visits", async () => {
  const page = await openPage(browser, host.address, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await paste(page, log);
  await page.locator("commcost-network [data-fit]").waitFor();
  await page.getByRole("link", { name: "Cost" }).click();
  await page.locator("commcost-cost").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Network" }).click();
  await page.locator("commcost-network [data-fit]").waitFor();
  await page.getByRole("button", { name: "Remove the nccl-tests log pasted" }).click();
  await page.locator("commcost-network [data-fit]").waitFor({ state: "detached" });
  await page.reload();
  await page.locator("commcost-network").waitFor();
  assert.equal(await page.locator("commcost-network [data-fit]").count(), 0);
  await page.done();
});

test("a profile dropped anywhere is taken apart in the Step view", async () => {
  const page = await openPage(browser, host.address, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "trace.json", data("pytorch_trace.json"));
  await page.locator("commcost-step commcost-trace commcost-stacked-bars").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Remove the profile trace.json" }).click();
  await page.locator("commcost-step commcost-trace commcost-stacked-bars").waitFor({ state: "detached" });
  await page.done();
});
