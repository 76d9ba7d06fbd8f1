import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, nonsense, openPage, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

const scenario =
  "#view=step&model=llama-3.1-70b&system=dgx-h100&accelerator=h100-sxm&tensor_parallel=4&pipeline_parallel=2&data_parallel=8&global_batch_size=1024&batch_size=1&sequence_length=8192&nic_gb_per_sec=50";

hosted();

/** What lies below the answer is drawn when it comes near. */
const open = async (options = {}) => {
  const page = await openPage(browser, host.address + scenario, { ready: "commcost-step", ...options });
  for (const name of ["how-sure", "layer-roofline", "step-growth"]) {
    await page.locator(`commcost-${name}`).scrollIntoViewIfNeeded();
    await page.locator(`commcost-${name} svg.drawing`).first().waitFor();
  }
  return page;
};

/** The engine's answer to a view's scenario, as the view asked it. */
const specOf = (page, chart) => page.locator(chart).evaluate(({ spec }) => JSON.parse(JSON.stringify(spec)));

test("errors become columns from half to twice, those beyond in the outermost", { tag: "@long" }, async () => {
  const { spread } = await load("charts/chance-chart.ts");
  const counts = spread([1.001, 0.999, 0.2, 5, 2, 0.5]);
  assert.equal(counts.length, 24);
  assert.deepEqual([counts[11], counts[12], counts[0], counts[23]], [1, 1, 2, 2]);
});

test("how sure: the class's errors put upon this prediction, with its band and the way to its nearest runs", {
  tag: "@long",
}, async () => {
  const page = await open();
  const spec = await specOf(page, "commcost-chance-chart");
  assert.ok(spec.ratios.length >= 100);
  assert.ok(spec.low < spec.predicted && spec.predicted < spec.high);
  assert.match(spec.summary, /^Measured runs: the range rests on \d+ runs in \d+ series of Megatron-Core on H100/);
  const within = spec.ratios.filter(
    (ratio) => ratio * spec.predicted >= spec.low && ratio * spec.predicted <= spec.high,
  ).length;
  const legend = await page.locator("commcost-chance-chart").evaluate(({ shadowRoot }) => shadowRoot.textContent);
  assert.ok(legend.includes(`the band: ${within} of ${spec.ratios.length} runs`), legend);
  const median = [...spec.ratios].sort((a, b) => a - b)[spec.ratios.length >> 1];
  assert.ok(median > 0.8 && median < 1.25);
  await page.getByRole("link", { name: "Closest published runs" }).click();
  await page.getByRole("group", { name: "Nearest runs" }).waitFor();
  assert.match(await page.locator("commcost-parity-chart svg .here-label").textContent(), /^yours: /);
  await page.getByRole("link", { name: "Back to your scenario" }).click();
  await page.locator("commcost-how-sure").scrollIntoViewIfNeeded();
  await page.locator("commcost-how-sure svg").first().waitFor();
  assert.equal((await specOf(page, "commcost-chance-chart")).predicted, spec.predicted);
  await page.done();
});

// Of GPUs without a run, of a stack without one, and of a vendor that no run of the stack was on.
for (const machine of [
  "accelerator=h20",
  "accelerator=mi300x",
  "accelerator=gaudi3",
  "system=dgx-h100&recipe=hai-llm",
  "accelerator=a100-sxm-80gb&recipe=megatron-core",
]) {
  test(`how sure draws the runs that the engine's band is made of: ${machine}`, { tag: "@long" }, async () => {
    const hash = `view=step&model=llama-3.1-8b&cluster_gpus=8&tensor_parallel=1&${machine}`;
    const page = await openPage(browser, `${host.address}#${hash}`, { ready: "commcost-step" });
    await page.locator("commcost-how-sure").scrollIntoViewIfNeeded();
    await page.locator("commcost-how-sure svg").first().waitFor();
    const spec = await specOf(page, "commcost-chance-chart");
    const { inputs } = await page.evaluate(() => {
      const { scenario } = document.querySelector("commcost-app").renderRoot.querySelector("commcost-step");
      return { inputs: scenario.inputs("training_step").values };
    });
    const engine = await loadEngine();
    const step = engine.training_step({ ...inputs, num_gpus: 0 });
    assert.notEqual(step.basis, "measured");
    assert.equal(spec.ratios.length, step.measured_runs);
    assert.deepEqual([spec.low, spec.high], [step.step_time_low_ms, step.step_time_high_ms]);
    const said = { similar: /^Similar runs\. /, estimated: /^No similar runs\. / }[step.basis];
    assert.match(spec.summary, said);
    const own = step.band_classes.filter(
      (one) => one.recipe === inputs.recipe && one.accelerator === (inputs.accelerator || "h100-sxm"),
    );
    assert.match(spec.summary, own.length > 0 ? /\. We have only \d+ series of / : /\. We have no run of /);
    const count = (number) => number.toLocaleString("en");
    assert.match(
      spec.summary,
      new RegExp(`the range rests on ${count(step.measured_runs)} runs in ${count(step.measured_series)} series of `),
    );
    await page.done();
  });
}

test("a layer's kernels stand under the roof of their machine", { tag: "@long" }, async () => {
  const page = await open();
  const { dots, peak_tflops, hbm_gb_per_sec, whole_us } = await specOf(page, "commcost-roofline-chart");
  assert.deepEqual(
    dots.map(({ name }) => name),
    ["QKV", "attention", "attention out", "MLP in", "MLP out"],
  );
  assert.deepEqual([peak_tflops, hbm_gb_per_sec], [989, 3350]);
  for (const { flops, bytes, time_us } of dots) {
    assert.ok(flops / time_us / 1e6 <= Math.min(peak_tflops, ((flops / bytes) * hbm_gb_per_sec) / 1e3));
  }
  assert.ok(dots.reduce((sum, { time_us }) => sum + time_us, 0) < whole_us);
  // Measured kernels come in behind, from their own table, and none is above the roof.
  await page.locator("commcost-roofline-chart svg .measured circle").first().waitFor();
  const { measured, summary } = await specOf(page, "commcost-roofline-chart");
  assert.deepEqual(
    measured.map(({ name }) => name),
    ["a product measured on H100 SXM", "16-bit attention measured on H100 SXM"],
  );
  const [products, attention] = measured.map(({ dots }) => dots);
  assert.equal(products.length, 75);
  assert.ok(attention.length > 50);
  for (const { flops, bytes, time_us } of [...products.filter(({ time_us }) => time_us > 50), ...attention])
    assert.ok(flops / time_us / 1e6 <= Math.min(peak_tflops, ((flops / bytes) * hbm_gb_per_sec * 1.6) / 1e3));
  // Four of five of the large ones are as the ranges of this layer's products say.
  const engine = await loadEngine();
  const within = products.filter(({ name, time_us }) => {
    const [m, n, k] = name.split(",").slice(0, -1).join("").split(" × ").map(Number);
    const { low_us, high_us } = engine.kernel_time({ kind: "gemm", accelerator: "h100-sxm", m, n, k });
    return time_us >= low_us && time_us <= high_us;
  });
  assert.ok(within.length >= 0.7 * products.length, `${within.length} of ${products.length}`);
  assert.match(summary, /A range holds 80 % of the measured times of such kernels\.$/);
  await page.locator("commcost-roofline-chart svg.drawing").focus();
  await page.keyboard.press("End");
  assert.match(
    await page.locator("commcost-roofline-chart svg.drawing").getAttribute("aria-valuetext"),
    /^MLP out: [\d.]+ (ms|µs), [\d.]+ % of the pass; range [\d.]+ (?:ms|µs) to [\d.]+ (?:ms|µs); [\d.]+ TFLOP\/s, [\d.]+ % of its roof; [\d,.]+ FLOP for each byte$/,
  );
  await page.done();
});

test("where the time goes on more GPUs, and in other models of the family", { tag: "@long" }, async () => {
  const page = await open();
  const [gpus, models] = await page
    .locator("commcost-step-growth commcost-stacked-bars")
    .evaluateAll((charts) => charts.map(({ spec }) => JSON.parse(JSON.stringify(spec))));
  assert.deepEqual(
    gpus.bars.map(({ label }) => label),
    ["16 GPUs", "32 GPUs", "64 GPUs (yours)", "128 GPUs", "256 GPUs", "512 GPUs"],
  );
  const own = await page.locator("commcost-chance-chart").evaluate(({ spec }) => spec.predicted);
  const sum = gpus.bars[2].parts.reduce((all, { value }) => all + value, 0);
  assert.ok(Math.abs(sum / own - 1) < 1e-9);
  assert.ok(models.bars.some(({ label }) => label === "Llama 3.1 70B (yours)"));
  for (const { parts } of models.bars) {
    assert.ok(Math.abs(parts.reduce((all, { value }) => all + value, 0) - 100) < 1e-6);
  }
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in the pictures, ${colorScheme}, at 360 px`, { tag: "@long" }, async () => {
    const page = await open({ colorScheme, viewport: { width: 360, height: 700 } });
    assert.deepEqual(await axeFindings(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.equal(nonsense(await shownText(page)), undefined);
    await page.done();
  });
}

test("a step of a kind that stalls says so, and its class on the scoreboard is its own", { tag: "@long" }, async () => {
  const hash = "view=step&model=llama-3.1-8b&system=dgx-h100&recipe=nanotron&cluster_gpus=16&pipeline_parallel=2";
  const page = await openPage(browser, `${host.address}#${hash}`, { ready: "commcost-step" });
  await page.locator("commcost-step [data-stalls]").waitFor();
  await page.locator("commcost-how-sure").scrollIntoViewIfNeeded();
  await page
    .getByText(/series of nanotron on H100.* Some of them stalled/)
    .first()
    .waitFor({ state: "attached" });
  await page.done();
  const calm = await openPage(
    browser,
    `${host.address}#${hash.replace("pipeline_parallel=2", "pipeline_parallel=1")}`,
    {
      ready: "commcost-step",
    },
  );
  assert.equal(await calm.locator("commcost-step [data-stalls]").count(), 0);
  await calm.done();
});

for (const [schedule, words, passes] of [
  ["1f1b", "1F1B", 2 * 4 * 16],
  ["interleaved&virtual_stages=2", "interleaved", 2 * 2 * 4 * 16],
  ["gpipe", "GPipe", 2 * 4 * 16],
  ["zero_bubble", "zero bubble", 3 * 4 * 16],
  ["zero_bubble_2p", "zero bubble \\(2p\\)", 3 * 4 * 16],
  // Weight gradients that DualPipe puts off: (3 * 2 - 1) * 2 in either half; in the V (3 * 4 - 1) * 4 / 2.
  ["dualpipe", "DualPipe", 2 * 4 * 16 + 10],
  ["dualpipe_v", "DualPipe-V", 2 * 2 * 4 * 16 + 22],
]) {
  test(`the pipeline's timeline is drawn under ${schedule}`, { tag: "@long" }, async () => {
    const hash = `view=step&model=llama-3.1-8b&system=dgx-h100&cluster_gpus=4&tensor_parallel=1&pipeline_parallel=4&data_parallel=1&batch_size=1&global_batch_size=16&sequence_length=4096&pipeline_schedule=${schedule}`;
    const page = await openPage(browser, `${host.address}#${hash}`, { ready: "commcost-step" });
    const figure = page.locator("commcost-lane-chart").filter({ hasText: "The pipeline under" });
    await figure
      .getByText(new RegExp(`The pipeline under ${words}, stage by stage`))
      .first()
      .waitFor();
    const drawn = await figure.evaluate((chart) => chart.spec.bars.length);
    assert.equal(drawn, passes);
    await page.done();
  });
}
