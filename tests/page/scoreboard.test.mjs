import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

const root = new URL("../../", import.meta.url).pathname;
const lines = (table) => readFileSync(`${root}web/scoreboard/${table}.csv`, "utf8").trim().split("\n").length - 1;

hosted();

const [words, dots, near, asked, strip] = await Promise.all(
  ["words", "dots", "nearest", "asked", "errors-strip"].map((name) => load(`scoreboard/${name}.ts`)),
);
const engine = await loadEngine();
const run = {
  model: "llama3.1-70b",
  parameters_billion: 70.6,
  num_layers: 80,
  num_experts: 1,
  accelerator: "h100-sxm",
  generation: "hopper",
  recipe: "megatron-core",
  kind: "dense",
  num_gpus: 64,
  tensor_parallel: 4,
  pipeline_parallel: 2,
  virtual_stages: 5,
  precision: "fp8",
  context_parallel: 1,
  expert_parallel: 1,
};

test("a run has its name in plain words", () => {
  const names = words.namesOf(engine);
  assert.equal(words.runName(run, names), "Llama 3.1 70B, FP8, 64 × H100 SXM, TP 4, PP 2, VPP 5");
  assert.match(words.runName({ ...run, expert_parallel: 8, dispatcher: "DeepEP" }, names), /, EP 8, DeepEP$/);
  assert.equal(
    words.runName({ ...run, model: "", parameters_billion: 3.61, num_layers: 30 }, names).split(",")[0],
    "GPT of 3.6B",
  );
  for (const { id, name } of engine.model_catalog().models) {
    assert.equal(words.modelName({ ...run, model: id }, names), name);
    assert.equal(words.modelName({ ...run, model: id.replaceAll("-", "_").toUpperCase() }, names), name);
  }
  assert.equal(words.modelName({ ...run, model: "bloom-probe-181B" }, names), "bloom-probe-181B");
  assert.equal(words.classOf({ ...run, kind: "experts" }, names), "Megatron-Core, Hopper, experts");
  assert.equal(words.classOf({ ...run, kind: "staged" }, names), "Megatron-Core, Hopper, stages that stall");
  assert.equal(words.errorText(0.88), "−12 %");
});

test("near is what the page says it is", () => {
  const from = (change) => near.distance(run, { ...run, ...change });
  assert.equal(from({}), 0);
  assert.equal(from({ parameters_billion: 35.3 }), 1);
  assert.equal(from({ num_gpus: 256 }), 1);
  assert.equal(from({ tensor_parallel: 8 }), 0.5);
  assert.equal(from({ accelerator: "h200-sxm" }), 1);
  assert.equal(from({ accelerator: "b200", generation: "blackwell" }), 3);
  assert.equal(from({ recipe: "fsdp" }), 3);
  assert.equal(from({ precision: "bf16" }), 1);
  assert.equal(from({ num_experts: 8 }), 4);
  const others = [{ ...run, recipe: "fsdp" }, { ...run, num_gpus: 128 }, run];
  assert.deepEqual(
    near.nearest(others, (one) => one, run, 2),
    [run, others[1]],
  );
});

test("a class is summed up as its table says", () => {
  const of = (predicted, within) => ({ predicted, measured: 100, within });
  const { median, bias, within, tenth, ninth } = dots.summaryOf("", [
    of(90, true),
    of(110, true),
    of(105, false),
    of(80),
    of(100, true),
  ]);
  assert.ok(Math.abs(median - 10) < 1e-9);
  assert.ok(Math.abs(bias - 0) < 1e-9);
  assert.equal(within, 0.75);
  assert.ok(Math.abs(tenth - 0.84) < 1e-9 && Math.abs(ninth - 1.08) < 1e-9);
  assert.deepEqual(strip.counted([of(100), of(40), of(199), of(300)], 4), [1, 0, 1, 2]);
});

const question = {
  ...run,
  scenario: "Llama 3.1 70B · 64 × H100",
  predicted_ms: 4900,
  low_ms: 4500,
  high_ms: 5300,
};

test("a link asks for a scenario, and nothing that cannot be", () => {
  const { model, num_layers, virtual_stages, ...sent } = question;
  assert.deepEqual(asked.readAsked(asked.askedQuery(question)), sent);
  assert.equal(asked.readAsked(""), undefined);
  assert.equal(asked.readAsked(asked.askedQuery({ ...question, num_gpus: 0 })), undefined);
  assert.equal(asked.readAsked(asked.askedQuery({ ...question, low_ms: NaN })), undefined);
});

test("every row is a dot; classes are chosen; a run is named with its source, by keyboard alone", async () => {
  const page = await openPage(browser, `${host.address}scoreboard.html`, { ready: "commcost-parity-chart svg" });
  const counts = await page
    .locator("commcost-scoreboard")
    .evaluate(({ steps, serving, collectives }) => [steps.length, serving.length, collectives.length]);
  assert.deepEqual(counts, [lines("steps"), lines("serving"), lines("collectives")]);
  const table = page.getByRole("group", { name: "All classes" });
  const sum = (await table.locator("tbody td:nth-of-type(1)").allTextContents()).reduce(
    (all, cell) => all + Number(cell.replaceAll(",", "")),
    0,
  );
  assert.equal(sum, counts[0]);
  const pressed = table.getByRole("button", { name: "Megatron-Core, Hopper", exact: true });
  await pressed.press("Enter");
  assert.equal(await pressed.getAttribute("aria-pressed"), "true");
  const drawing = page.locator("commcost-parity-chart svg.drawing");
  await drawing.focus();
  await page.keyboard.press("End");
  assert.match(
    await drawing.getAttribute("aria-valuetext"),
    /× H\d+.*: measured [\d.,]+ s, predicted [\d.,]+ s \([+−][\d.]+ %\)\. .*github|docs|README/,
  );
  assert.ok((await page.locator(".tip text").count()) >= 3);
  await page.getByRole("radio", { name: "error", exact: true }).check();
  await page.getByRole("radio", { name: "collectives" }).check();
  await table.getByRole("button", { name: "one node", exact: true }).waitFor();
  assert.equal(nonsense(await shownText(page)), undefined);
  assert.match(await page.getByRole("group", { name: "Other tools" }).innerText(), /Calculon 1\.40 s \(−1\.4 %\)/);
  await page.done();
});

test("the reader's scenario and its nearest runs are marked and listed; the way back keeps it", async () => {
  const hash = "#v=4&view=step&model=llama-3.1-70b";
  const page = await openPage(browser, `${host.address}scoreboard.html${asked.askedQuery(question)}${hash}`, {
    ready: "commcost-parity-chart svg",
  });
  assert.match(await page.locator("commcost-parity-chart").locator("figcaption").innerText(), /Megatron-Core, Hopper/);
  const rows = page.getByRole("group", { name: "Nearest runs" }).locator("tbody tr");
  assert.equal(await rows.count(), 8);
  assert.match(await rows.first().innerText(), /1 Llama 3 70B, FP8, 64 × H100 SXM, TP 4/);
  // Where several stand together one label names them: "1–4".
  const labels = (await page.locator("svg .near-label").allTextContents()).flatMap((label) => label.split(", "));
  const numbers = labels.flatMap((label) => {
    const [from, to = from] = label.split("–").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  assert.deepEqual(numbers.sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(await page.locator("svg .here-label").textContent(), "yours: 4.9 s");
  await page.getByRole("link", { name: "Back to your scenario" }).click();
  await page.locator("commcost-step").waitFor();
  assert.ok(new URL(page.url()).hash.startsWith(hash));
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}; 360 px lose nothing`, async () => {
    const page = await openPage(browser, `${host.address}scoreboard.html${asked.askedQuery(question)}`, {
      colorScheme,
      ready: "commcost-parity-chart svg",
    });
    assert.deepEqual(await axeFindings(page), []);
    await page.setViewportSize({ width: 360, height: 700 });
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}
