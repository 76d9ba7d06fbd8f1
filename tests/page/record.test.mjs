// A plan on one page: what was asked, what is answered, why not the others, what it rests on, and the launch.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, goTo, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const job =
  "#v=2&view=record&model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&sequence_length=8192&global_batch_size=1024&price_per_gpu_hour=2";
const open = (options) => openPage(browser, host.address + job, { ready: "commcost-record", ...options });

test("a decision record has question, answer, runners-up, assumptions, measured runs, launches, date and version", async () => {
  const page = await open();
  const record = page.locator("commcost-record");
  await record.locator("[data-runner-up]").first().waitFor({ timeout: 120_000 });
  await expect(record.locator("[data-question]")).toHaveText(
    /^Which layout trains Llama 3\.1 70B fastest on 64\sGPUs \(DGX H100\), with 1,024 sequences of 8,192\stokens a step\?$/,
  );
  const answer = await record.locator(".headline").innerText();
  assert.match(answer, /on 64 GPUs: .*, [\d.]+ s \([\d.]+–[\d.]+ s, measured runs\) a step\./);
  await expect(record.locator('[data-result="nearest"]')).toHaveText(
    /^If this prediction misses as those of the nearest/,
  );
  assert.match(
    await record.locator('[data-result="training_days"]').innerText(),
    /GPU-hours, [\d,]+ at 2 per GPU-hour/,
  );
  await expect(record.locator("[data-runner-up]")).toHaveCount(3);
  await expect(record.locator("[data-run]")).toHaveCount(3);
  // Each says what was run: model, GPUs, layout and batch.
  for (const run of await record.locator("[data-run]").allInnerTexts())
    assert.match(run, /^Llama 3 70B, (?:BF16|FP8), 64 × H100 SXM, TP \d.*, \d+ × 8,192, /);
  assert.match(await record.locator("[data-dated]").innerText(), /^commcost \d+\.\d+\.\d+, \d{4}-\d\d-\d\d\./);
  assert.ok((await record.locator("details.export").count()) > 0, "a launch");
  // The layout is the plan's own first.
  const { layouts } = await record.evaluate((view) => view.results);
  assert.ok(answer.includes(`TP ${layouts[0].tensor_parallel}`) || layouts[0].tensor_parallel === 1, answer);
  assert.equal(nonsense(await shownText(page)), undefined);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("it is one page of paper, with the launch of its own stack and its link to be read, and one link", async () => {
  const page = await open();
  const record = page.locator("commcost-record");
  await record.locator("[data-run]").first().waitFor({ timeout: 120_000 });
  const { layouts } = await record.evaluate((view) => view.results);
  await page.emulateMedia({ media: "print" });
  const launch = record.locator(".on-paper");
  await expect(launch).toBeVisible();
  assert.match(
    await launch.innerText(),
    new RegExp(`pretrain_gpt\\.py .*--tensor-model-parallel-size ${layouts[0].tensor_parallel} .*--log-throughput`),
  );
  await expect(record.locator("details").first()).toBeHidden();
  const written = await record.locator("[data-dated] a").evaluate((a) => getComputedStyle(a, "::after").content);
  assert.match(written, /attr\(href\)|view=record/);
  const [top, right, bottom, left] = ["1cm", "1cm", "1cm", "1cm"];
  const paper = await page.pdf({ format: "A4", margin: { top, right, bottom, left } });
  const pages = paper.toString("latin1").match(/\/Type\s*\/Page(?![s\w])/g).length;
  assert.equal(pages, 1);
  const link = await record.locator("[data-dated] a").getAttribute("href");
  assert.match(link, /view=record/);
  // It is of what is shown, at once.
  await page.emulateMedia({ media: "screen" });
  await field(page, "cluster_gpus").fill("128");
  await expect(record.locator(".headline")).toContainText("on 128 GPUs");
  assert.match(await record.locator("[data-dated] a").getAttribute("href"), /cluster_gpus=128/);
  await goTo(page, "plan");
  await goTo(page, "record");
  assert.match(await record.locator("[data-dated] a").getAttribute("href"), /view=record/);
  await page.done();
});

test("a layout that is pinned whole has its record, and the column says what the search chose", async () => {
  const page = await open();
  const record = page.locator("commcost-record");
  await record.locator("[data-run]").first().waitFor({ timeout: 120_000 });
  const { layouts } = await record.evaluate((view) => view.results);
  await expect(field(page, "tensor_parallel")).toHaveAttribute("placeholder", String(layouts[0].tensor_parallel));
  // Used, it is all that there is to find.
  await goTo(page, "plan");
  await page.getByText(/on this machine/).waitFor();
  await page.getByRole("button", { name: /^Use layout 2:/ }).click();
  await goTo(page, "record");
  const { tensor_parallel, pipeline_parallel } = layouts[1];
  const degrees = new RegExp(`TP ${tensor_parallel} · .*PP ${pipeline_parallel}`);
  await expect.poll(() => record.locator(".headline b").first().innerText()).toMatch(degrees);
  await expect(record).toContainText("The search found no other family of layouts.");
  // What forbids it is said; nothing is searched that could go on for ever.
  await field(page, "global_batch_size").fill("1023");
  await expect(record.getByRole("alert")).toContainText("must be a multiple of");
  await expect(record).not.toContainText("Searching");
  await field(page, "global_batch_size").fill("1024");
  await expect.poll(() => record.locator(".headline b").first().innerText()).toMatch(degrees);
  await page.done();
});

for (const colorScheme of ["light", "dark"])
  test(`on a phone nothing of it lies beyond the edge, ${colorScheme}`, async () => {
    const page = await open({ viewport: { width: 360, height: 640 }, colorScheme });
    await page.locator("[data-run]").first().waitFor({ timeout: 120_000 });
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const edge = await page.locator("commcost-record [data-runner-up]").first().boundingBox();
    assert.ok(edge.x + edge.width <= 360, JSON.stringify(edge));
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });

test("a stack for which no launch is written says so on paper", async () => {
  const page = await openPage(browser, `${host.address}${job}&recipe=nanotron`, {
    ready: "commcost-record [data-dated]",
  });
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("commcost-record .on-paper")).toHaveText("No launch is written for nanotron.");
  await page.done();
});
