// The tutor of the exercise: what is said of answers that belong together, hints, and what may be typed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, openPage, serve } from "./support/browser.mjs";
import { engine } from "../wasm/support.mjs";

let browser, site;
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  site = await serve();
});
test.afterAll(async () => {
  await site.stop();
});

const open = (hash, options = {}) =>
  openPage(browser, `${site.address}#view=exercise&${hash}`, { ready: "commcost-exercise form", ...options });
const names = [
  "message_size_bytes",
  "comm_volume_per_allreduce_bytes",
  "total_comm_volume_bytes",
  "total_comm_time_ms",
];
/** Types the four answers, empty ones too, and returns what is said of each. */
async function judged(page, ...answers) {
  for (const [at, text] of answers.entries()) await page.locator(`#answer_${names[at]}`).fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  return Promise.all(names.map(async (name) => (await page.locator(`#answer_${name}-verdict`).innerText()).trim()));
}

test("what follows from a wrong answer is said to, and one mistake is named once", async () => {
  const page = await open("seed=1&level=1");
  const right = engine.tensor_parallel_allreduce_cost(engine.draw_exercise({ seed: 1, level: 1 }).inputs);
  const half = names.map((name) => `${right[name]} / 2`);
  const [message, volume, total, time] = await judged(page, ...half);
  assert.match(message, /elements were counted/);
  assert.match(volume, /right from your message size: fix that one and this is right/);
  assert.match(total, /right from your volume per all-reduce/);
  assert.match(time, /right from your total volume/);
  const verdicts = await judged(page, ...names.map((name) => String(right[name])));
  assert.deepEqual(verdicts, Array(4).fill("✓ right"));
  await page.done();
});

test("sums, powers, units and fewer digits are understood; what cannot be is said", async () => {
  const page = await open("hidden_size=8192&sequence_length=2048&batch_size=8&num_gpus=8&num_layers=32");
  for (const [text, said] of [
    ["8*2048*8192*2", /^✓ right$/],
    ["8 · 2048 · 2¹⁴", /^✓ right$/],
    ["2^28", /^✓ right$/],
    ["2**28", /^✓ right$/],
    ["(2^9/2) * 1 MiB", /^✓ right$/],
    ["268,435,456", /^✓ right$/],
    ["256 MiB", /^✓ right$/],
    ["256 MB", /binary unit was taken for a decimal one/],
    ["256", /larger unit/],
    ["268 MB", /right: give four decimals/],
    ["-5", /nothing here can be negative/],
    ["2^^3", /no number that could be compared/],
    ["8*(2", /no number that could be compared/],
    ["1/0", /no number that could be compared/],
    ["fetch('x')", /no number that could be compared/],
  ]) {
    const [message] = await judged(page, text);
    assert.match(message, said, text);
  }
  await page.done();
});

test("hints go from the idea to the formula to the numbers, for the first answer that is not right", async () => {
  const page = await open("seed=1&level=1", { viewport: { width: 360, height: 800 } });
  const { inputs } = engine.draw_exercise({ seed: 1, level: 1 });
  await page.evaluate(() => {
    window.heard = [];
    addEventListener("hint", ({ detail }) => window.heard.push(detail));
  });
  const hint = page.getByRole("button", { name: "Hint" });
  for (const words of ["The idea.", "The formula.", "With your numbers."]) {
    await hint.click();
    await page.getByText(words).waitFor();
  }
  await page.getByText(inputs.hidden_size.toLocaleString("en"), { exact: false }).last().waitFor();
  assert.equal(await page.locator(".hint").count(), 3);
  const right = engine.tensor_parallel_allreduce_cost(inputs);
  await judged(page, String(right.message_size_bytes));
  await hint.click();
  const heard = await page.evaluate(() => window.heard);
  assert.deepEqual(
    heard.map(({ result, step, hints }) => [result, step, hints]),
    [
      ["message_size_bytes", 1, 1],
      ["message_size_bytes", 2, 2],
      ["message_size_bytes", 3, 3],
      ["comm_volume_per_allreduce_bytes", 1, 4],
    ],
  );
  assert.deepEqual(await axeFindings(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
  await page.done();
});
