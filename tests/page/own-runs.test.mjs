// Steps that a reader measured: typed or from a training log, fitted, in force in every view and in the link, taken back.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { dropFiles, goTo, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const scenario =
  "view=diagnose&model=llama-3.1-8b&system=dgx-h100&recipe=torchtitan&cluster_gpus=64&tensor_parallel=1&pipeline_parallel=1&zero_stage=3&batch_size=1&global_batch_size=64&sequence_length=8192";
const open = () => openPage(browser, `${host.address}#${scenario}`, { ready: "commcost-own-runs" });
const ms = (page) =>
  page.evaluate(() => {
    const { scenario } = document.querySelector("commcost-app");
    return scenario.engine.training_step(scenario.inputs("training_step").values).step_time_ms;
  });

test("typed rows are fitted, put in force with a click, and taken back with one", { tag: "@long" }, async () => {
  const page = await open();
  const before = await ms(page);
  await page
    .locator("commcost-own-runs textarea")
    .fill(`${Math.round(before * 1.3)} ms\ndp=32 gbs=32 ${(before * 1.28) / 1e3} s`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator("commcost-calibration [data-part=software]").waitFor();
  assert.equal(await page.locator("commcost-own-runs tbody tr").count(), 2);
  await page.getByRole("button", { name: "Use in every view" }).click();
  await page.locator("commcost-calibration [data-part=software]").waitFor();
  await page.waitForFunction(() => /time_scale=/.test(location.hash));
  assert.ok(Math.abs((await ms(page)) / before - 1.29) < 0.03, `${await ms(page)} after ${before}`);
  // Every view: the plan is priced by it too.
  await goTo(page, "plan");
  await page.locator("commcost-plan [data-runs-note]").waitFor();
  await page.getByRole("button", { name: "Stop using them" }).click();
  await page.waitForFunction(() => !/time_scale=/.test(location.hash));
  await page.done();
});

test("undo takes a fit back as one change, and a link alone carries it", { tag: "@long" }, async () => {
  const page = await open();
  const before = await ms(page);
  await page.locator("commcost-own-runs textarea").fill(`${Math.round(before * 1.5)} ms`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Use in every view" }).click();
  await page.waitForFunction(() => /time_scale=1\.5/.test(location.hash));
  const hash = new URL(page.url()).hash.slice(1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => !/time_scale=/.test(location.hash));
  assert.equal(await ms(page), before);
  await page.done();
  const other = await openPage(browser, `${host.address}#${hash}`, { ready: "commcost-own-runs" });
  assert.ok(Math.abs((await ms(other)) / before - 1.5) < 0.01);
  await other.done();
});

const log = `  recompute_granularity ........................... full
  use_distributed_optimizer ....................... True
  seq_length ...................................... 4096
  micro_batch_size ................................ 1
using world size: 64, data-parallel size: 16, context-parallel size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 1
 [2025-08-01 07:19:37] iteration 1/ 5000 | consumed samples: 128 | elapsed time per iteration (ms): 19138.8 | global batch size:   128 | lm loss: 1.04E+01 |
 [2025-08-01 07:19:50] iteration 2/ 5000 | consumed samples: 256 | elapsed time per iteration (ms): 2936.1 | global batch size:   128 | lm loss: 1.04E+01 |
 [2025-08-01 07:19:53] iteration 3/ 5000 | consumed samples: 384 | elapsed time per iteration (ms): 2900.0 | global batch size:   128 | lm loss: 1.04E+01 |
`;

test("a training log dropped anywhere is a run with what it says of itself, kept over visits", {
  tag: "@long",
}, async () => {
  const page = await openPage(browser, `${host.address}#${scenario.replace("view=diagnose&", "")}`, {
    ready: "commcost-cost",
  });
  await page.locator("commcost-own-files").waitFor();
  await dropFiles(page, [{ name: "train.log", text: log }]);
  const row = page.locator("commcost-own-runs tbody tr");
  await row.waitFor();
  await expect(row).toContainText("TP 4");
  await expect(row).toContainText("128 × 4096");
  await expect(row).toContainText("2.918 s");
  // Its software is the log's, not the page's torchtitan, and what its arguments say: Megatron-Core is what a scenario has
  // that names none.
  const [kept] = JSON.parse(
    await page.evaluate(() =>
      localStorage.getItem(Object.keys(localStorage).find((key) => key.includes("runs")) ?? ""),
    ),
  ).runs;
  assert.equal(kept.texts.recipe, undefined);
  assert.equal(kept.texts.recompute, "full");
  assert.equal(kept.texts.zero_stage, "1");
  // The address follows after a pause.
  await page.waitForFunction(() => /view=diagnose/.test(location.hash));
  await page.reload();
  await page.locator("commcost-own-runs tbody tr").waitFor();
  await page.getByRole("button", { name: "Remove run 1" }).click();
  await row.waitFor({ state: "detached" });
  await page.done();
});

test("what cannot be read is said, and nothing is added", { tag: "@long" }, async () => {
  const page = await open();
  await page.locator("commcost-own-runs textarea").fill("tp=4 fast");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(/does not end in what a step took/).waitFor();
  await page.locator("commcost-own-runs textarea").fill("colour=4 5 s");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(/“colour=4” is no input of a step/).waitFor();
  assert.equal(await page.locator("commcost-own-runs tbody tr").count(), 0);
  await page.done();
});

test("runs of one setting that contradict each other are named", { tag: "@long" }, async () => {
  const page = await open();
  await page.locator("commcost-own-runs textarea").fill("1000 ms\n1400 ms");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(/Contradicts run 2: the same inputs, 40\s% apart/).waitFor();
  await page.done();
});
