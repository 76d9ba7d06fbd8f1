import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { field, goTo, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash = "#v=2&view=projection") =>
  openPage(browser, host.address + hash, { ready: "commcost-projection" });

/** The measured pairs as the table has them. */
const pairs = () => {
  const [head, ...lines] = readFileSync(new URL("../../web/scoreboard/projection.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2]));
  return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
};

test("the claim is what the measured pairs say", async () => {
  const rows = pairs();
  assert.ok(rows.length >= 100);
  // The projection by its formula, from the table alone.
  const errors = rows.map((row) => {
    const number = (name) => Number(row[name]);
    const ring = (gpus) => (gpus - 1) / gpus;
    const efficiency =
      ((number("to_bus_bandwidth_gb_per_sec") / number("from_bus_bandwidth_gb_per_sec")) * ring(number("from_gpus"))) /
      ring(number("to_gpus"));
    const [compute, communication] = [number("compute_share"), number("communication_share")];
    const projected = (compute + communication) / (compute + communication / efficiency);
    return (projected - number("measured")) ** 2;
  });
  const percent = (100 * errors.reduce((sum, error) => sum + error, 0)) / errors.length;
  const page = await open();
  const said = await page.locator('commcost-projection [data-result="squared_error"]').textContent();
  assert.equal(said, `${Number(percent.toPrecision(2))} %`);
  assert.equal(
    await page.locator('commcost-projection [data-fact="claim"]').textContent(),
    percent < 2 ? "holds" : "does not hold",
  );
  await page.done();
});

test("Learn leads to it with its numbers, and it leads back; Train has no such part", async () => {
  const page = await openPage(browser, `${host.address}#v=5&view=learn&model=llama-3.1-8b&system=dgx-h100`, {
    ready: "commcost-learn",
  });
  await goTo(page, "projection");
  await page.waitForFunction(() => /view=projection/.test(location.hash) && /llama-3.1-8b/.test(location.hash));
  const way = page.getByRole("navigation", { name: "Where this is" });
  await expect(way).toHaveText(/Learn\s›\sFrom a few GPUs to many/);
  await way.getByRole("link", { name: "Learn" }).click();
  await page.locator("commcost-learn").waitFor();
  await goTo(page, "plan");
  await expect(page.locator('commcost-app nav a[data-view="projection"]')).toHaveCount(0);
  await page.done();
});

test("the slides' projection: 7.35 times as long, 59.25 % lost", async () => {
  const page = await open();
  const lost = page.locator('commcost-scaling [data-result="throughput_loss_percent"]');
  assert.equal(await lost.textContent(), "59.25 %");
  await page.locator("commcost-scaling").getByRole("button", { name: "Polaris" }).click();
  assert.equal(await field(page, "to_gpus").inputValue(), "512");
  assert.notEqual(await lost.textContent(), "59.25 %");
  await page.getByRole("button", { name: "Shares of the scenario’s step" }).click();
  assert.notEqual(await field(page, "communication_share").inputValue(), "0.228975");
  await page.done();
});

test("sizes and GPUs in one grid, as the engine prices them", async () => {
  const page = await open("#v=2&view=projection&system=polaris-2023");
  const grid = page.locator("commcost-projection-grid");
  await grid.locator("svg.drawing").waitFor();
  const table = await grid.evaluate((chart) => chart.spec.table.rows);
  assert.equal(table.length, 4 * 8);
  const engine = await loadEngine();
  const [name, gpus, time] = table.at(-1);
  assert.deepEqual([name, gpus], ["18.4B", 512]);
  const batch = await grid.evaluate((chart) => Number(/its (\d+) /.exec(chart.spec.summary)[1]));
  const step = engine.training_step({
    system: "polaris-2023",
    recipe: "deepspeed",
    model: "megatron-18.4b",
    sequence_length: 2048,
    batch_size: batch,
    global_batch_size: 512 * batch,
    data_parallel: 512,
    zero_stage: 3,
    recompute: "full",
  });
  assert.ok(Math.abs(time / step.step_time_ms - 1) < 1e-9);
  await page.done();
});

test("which of TP and DP sends less turns at the tokens that are named", async () => {
  const page = await open(
    "#v=2&view=projection&model=gpt3-175b&sequence_length=2048&global_batch_size=64&cluster_gpus=64",
  );
  const sentence = page.locator("commcost-projection section", { hasText: "Does DP scale better" });
  await sentence.getByText("DP sends less").waitFor();
  await page.evaluate(() =>
    document.querySelector("commcost-app").take("global_batch_size=8&plan_tensor_parallel=8&plan_pipeline_parallel=8"),
  );
  await sentence.getByText("TP sends less").waitFor();
  await page.done();
});
