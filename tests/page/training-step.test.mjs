import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { gzipSync } from "node:zlib";
import { axeFindings, field, openPage, seeAll, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash = "#view=step", options = {}) =>
  openPage(browser, host.address + hash, { ready: "commcost-step", ...options });

test("a step: time, utilization, memory, bounds, traffic", async () => {
  const page = await open();
  const step = page.locator("commcost-step");
  assert.match(
    await step.locator(".headline").first().textContent(),
    /A step takes about\s+[\d.]+ s\s+\([\d.]+–[\d.]+ s, (measured|similar|no similar) runs\) on 64 GPUs/,
  );
  assert.match(
    await step.locator('[data-result="mfu_percent"]').textContent(),
    /^\d+ TFLOP\/s per GPU, [\d.]+ % MFU \(all attention scores\)$/,
  );
  await step.locator("commcost-stacked-bars").first().getByText("all communication hidden").waitFor();
  await seeAll(page);
  assert.equal(await step.locator("commcost-seen-part commcost-bar-chart").count(), 2);
  await step
    .locator("commcost-bar-chart[data-decisions]")
    .getByText(/The largest saving is|None of them that fits/)
    .waitFor();
  await step.getByRole("group", { name: "Traffic of a step" }).getByText("TP", { exact: true }).waitFor();
  await page.done();
});

test("a token budget becomes days, in any spelling", async () => {
  const page = await open();
  const time = page.locator('[data-fact="training_days"]');
  const daysOf = async () => parseFloat(/takes ([\d.]+ d)/.exec(await time.textContent())[1]);
  const days = await daysOf();
  await unfold(page, "Precision and recomputation");
  await page.getByLabel("Training tokens").fill("2e12");
  assert.ok(Math.abs((await daysOf()) / days - 2) < 0.01);
  await page.waitForFunction(() => location.hash.includes("token_budget=2e12"));
  await page.getByLabel("Training tokens").fill("many");
  await page.locator("#field-token_budget-note").getByText("Training tokens: enter a number").waitFor();
  await page.done();
});

test("a layout that does not fit says so", async () => {
  const page = await open("#view=step&model=llama-3.1-405b&tensor_parallel=1&data_parallel=8");
  assert.match(await page.locator("commcost-step .headline").first().textContent(), /It doesn’t fit/);
  await page.done();
});

test("a layout that the stack cannot run says so", async () => {
  const page = await open(
    "#view=step&model=llama-3.1-70b&tensor_parallel=8&pipeline_parallel=4&data_parallel=2&pipeline_schedule=zero_bubble",
  );
  const headline = page.locator("commcost-step .headline").first();
  assert.match(await headline.textContent(), /Not in Megatron-Core, which runs 1F1B and the interleaved schedule\./);
  await page.evaluate(() => document.querySelector("commcost-app").take("pipeline_schedule=1f1b"));
  await page.waitForFunction(
    () =>
      !/Not in/.test(
        document
          .querySelector("commcost-app")
          .shadowRoot.querySelector("commcost-step")
          .shadowRoot.querySelector(".headline").textContent,
      ),
  );
  await page.done();
});

/** Compute from 0 to 60, communication from 40 to 90, and from 95 to 100: 40 alone, 20 both, 35 communication alone, 5 idle. */
const events = [
  { ph: "X", cat: "cpu_op", name: 'aten::kernel "}{\\', ts: 1e6, dur: 900, tid: 1 },
  { ph: "X", cat: "kernel", name: "ampere_bf16_gemm", ts: 1e6, dur: 60, tid: 7, args: { stream: 7 } },
  {
    ph: "X",
    cat: "kernel",
    name: "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
    ts: 1e6 + 40,
    dur: 50,
    tid: 20,
    args: { stream: 20 },
  },
  { ph: "X", cat: "kernel", name: "ncclDevKernel_SendRecv", ts: 1e6 + 95, dur: 5, tid: 20, args: { stream: 20 } },
];
const trace = JSON.stringify({
  schemaVersion: 1,
  deviceProperties: [{ id: 0, name: "A100" }],
  traceEvents: events,
  traceName: "t",
});

for (const [what, name, buffer] of [
  ["plain", "t.json", Buffer.from(trace)],
  ["gzipped", "t.json.gz", gzipSync(trace)],
  ["a bare list", "list.json", Buffer.from(JSON.stringify(events))],
]) {
  test(`a profile is taken apart: ${what}`, async () => {
    const page = await open("#view=diagnose", { ready: "commcost-trace" });
    await page.getByLabel("Trace", { exact: true }).setInputFiles({ name, mimeType: "application/json", buffer });
    const chart = page.locator("commcost-trace commcost-stacked-bars");
    await chart.getByText("3 kernels on 2 streams; communication is exposed for 35 % of the time.").waitFor();
    await page.getByRole("button", { name: "Project with these shares" }).click();
    await page.locator("commcost-projection").waitFor();
    assert.equal(await field(page, "compute_share").inputValue(), "0.6000");
    assert.equal(await field(page, "communication_share").inputValue(), "0.3500");
    await page.done();
  });
}

test("what is no profile is said", async () => {
  const page = await open("#view=diagnose", { ready: "commcost-trace" });
  await page
    .getByLabel("Trace", { exact: true })
    .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("hello") });
  await page.getByText("This is not a file that we can read").waitFor();
  await page.done();
});

test("no horizontal scroll at 360 px, clean in the dark", async () => {
  const page = await open("#view=step", { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});
