// A server: the answer is the engine's for what the form shows, whatever the scenario trains with.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, field, nonsense, openPage, serve, settled, shownText } from "./support/browser.mjs";

let browser, host;
const engine = await loadEngine();
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  host = await serve();
});
test.afterAll(async () => {
  await host.stop();
});

const open = (hash = "", options = {}) =>
  openPage(browser, `${host.address}#view=serve${hash}`, { ready: "commcost-serve .headline", ...options });
const told = async (page, name) =>
  parseFloat(await page.locator(`commcost-serve [data-result="${name}"]`).first().innerText());

test("a token, a user, a GPU and the first token are what the engine says of that server", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h200&tensor_parallel=4&batch_size=16&sequence_length=4096");
  const expected = engine.serving_step({
    model: "llama-3.1-70b",
    system: "dgx-h200",
    tensor_parallel: 4,
    batch_size: 16,
    sequence_length: 4096,
  });
  const near = (shown, value) => assert.ok(Math.abs(shown / value - 1) < 0.006, `${shown} for ${value}`);
  near(await told(page, "step_time_ms"), expected.step_time_ms);
  near(await told(page, "tokens_per_sec_per_user"), expected.tokens_per_sec_per_user);
  near(await told(page, "tokens_per_sec_per_gpu"), expected.tokens_per_sec_per_gpu);
  near(await told(page, "first_token_ms"), expected.first_token_ms);
  await page.done();
});

test("the software that trains says nothing of the server, the one that serves does", async () => {
  const page = await open();
  const before = await told(page, "step_time_ms");
  await field(page, "batch_size").fill("16");
  await settled(page);
  const more = await told(page, "step_time_ms");
  assert.ok(more > before);
  const trained = await open("&recipe=nanotron");
  assert.equal(await told(trained, "step_time_ms"), before);
  await trained.done();
  await page.locator('commcost-serve select[name="serving_recipe"]').selectOption("gpt-fast");
  await settled(page);
  assert.ok((await told(page, "step_time_ms")) < more);
  await page.waitForFunction(() => location.hash.includes("serving_recipe=gpt-fast"));
  await page.done();
});

test("bars of every degree that the shape allows, the scenario's own marked and moved along", async () => {
  const page = await open("&model=llama-3.1-8b&system=dgx-h100&tensor_parallel=4");
  const bars = page.locator("commcost-serve commcost-stacked-bars").first();
  for (const label of [/^TP 1\b/, /^TP 2\b/, /^TP 4 \(yours\)/, /^TP 8\b/])
    await bars.getByText(label).first().waitFor({ state: "attached" });
  await field(page, "tensor_parallel").fill("2");
  await bars
    .getByText(/^TP 2 \(yours\)/)
    .first()
    .waitFor({ state: "attached" });
  await page.getByText("Which all-reduce, and why").waitFor();
  await page.getByText(/runs by one-shot/).waitFor();
  await field(page, "tensor_parallel").fill("1");
  await page.getByText("One tensor rank has nothing to all-reduce.").waitFor();
  await page.done();
});

test("fewer bytes a weight, fewer to read; what does not fit says so", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=1");
  assert.match(await page.locator("commcost-serve .headline").first().textContent(), /It does not fit/);
  const whole = await told(page, "step_time_ms");
  await field(page, "weight_bytes_per_element").fill("0.5");
  await settled(page);
  assert.ok((await told(page, "step_time_ms")) < 0.5 * whole);
  assert.doesNotMatch(await page.locator("commcost-serve .headline").first().textContent(), /It does not fit/);
  await field(page, "weight_bytes_per_element").fill("many");
  await page.locator("commcost-serve .stale-note").waitFor();
  await page.done();
});

test("experts: what a batch reads of them", async () => {
  const page = await open("&model=deepseek-v3&system=dgx-b200&tensor_parallel=8&batch_size=1");
  const read = page.locator('commcost-serve [data-fact="experts_read"]');
  assert.equal(parseFloat(await read.innerText()), 8);
  await field(page, "batch_size").fill("1024");
  await settled(page);
  assert.equal(parseFloat(await read.innerText()), 256);
  await page.done();
});

test("a deployment: the best within what a user may wait, why others lose, and vLLM's arguments", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h200");
  const lead = page.locator('commcost-serve [data-deployment="lead"]');
  const asked = { model: "llama-3.1-70b", system: "dgx-h200" };
  const best = engine.plan_serving(asked).deployments[0];
  await lead.getByText(new RegExp(`^TP ${best.tensor_parallel}, `)).waitFor();
  await field(page, "most_token_ms").fill("12");
  await settled(page);
  const quick = engine.plan_serving({ ...asked, most_token_ms: 12 });
  assert.ok(quick.deployments[0].tensor_parallel > best.tensor_parallel);
  assert.equal(await page.getByLabel("Arguments of vLLM").innerText(), quick.vllm_arguments);
  await page.getByText("a token takes too long").first().waitFor();
  await field(page, "most_token_ms").fill("0.01");
  await lead.getByText(/Nothing here meets that/).waitFor();
  await field(page, "most_token_ms").fill("soon");
  await page
    .locator("#field-most_token_ms-note")
    .getByText(/must be/)
    .waitFor();
  await page.done();
});

test("clean for axe, wide, in the dark and at 360 px, without nonsense", async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 800 } }]) {
    const page = await open("", options);
    assert.deepEqual(await axeFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(nonsense(await shownText(page)), undefined);
    await page.done();
  }
});
