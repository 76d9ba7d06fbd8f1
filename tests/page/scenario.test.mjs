// One scenario: whichever view it is described in, every view and every call has the same machine, and one thing has one number.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { field, goTo, openPage, settled, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const engine = await loadEngine();
const views = ["cost", "ring", "network", "overlap", "step", "serve", "plan"];
const rates = ["bandwidth_gb_per_sec", "nic_gb_per_sec", "hbm_gb_per_sec", "peak_tflops", "gpus_per_node"];
/** The calls of all views that ask for a machine. */
const calls = [
  "tensor_parallel_allreduce_cost",
  "collective_cost",
  "predict_collective",
  "overlap_ratio",
  "layer_timeline",
  "training_step",
  "serving_step",
  "communication_ledger",
  "plan",
];

/** What every call is given of the machine, by its inputs' names. */
const machineOf = (page) =>
  page.evaluate(
    ([names, asked]) => {
      const { scenario } = document.querySelector("commcost-app").renderRoot.querySelector("commcost-scenario");
      return asked.map((call) => {
        const { values } = scenario.inputs(call);
        return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));
      });
    },
    [[...rates, "accelerator"], calls],
  );

for (const view of ["learn", "cost", "network", "ring"])
  test(`${view}: the scenario’s line and what charts say of it name a layout once it is chosen`, async () => {
    const page = await openPage(browser, `${host.address}#v=4&view=${view}&model=llama-3.1-70b&system=dgx-h100`, {
      ready: `commcost-${view}`,
    });
    const panel = page.locator("commcost-scenario");
    const line = () => panel.evaluate((one) => one.words.join(" · "));
    const ofCharts = () => page.locator(`commcost-${view}`).evaluate((one) => one.words.join(" · "));
    for (const words of [await line(), await ofCharts()]) {
      assert.match(words, /Llama 3\.1 70B · 64 × H100/);
      assert.doesNotMatch(words, /\b(TP|PP|DP|CP|EP) \d/);
    }
    await page.evaluate(() => document.querySelector("commcost-app").take("tensor_parallel=4"));
    for (const words of [await line(), await ofCharts()]) assert.match(words, /TP 4 · DP 16/);
    await page.done();
  });

test("a machine picked in any view has the same rates in every view and every call: the catalog's", {
  tag: "@long",
}, async () => {
  const { systems, accelerators, links } = engine.hardware_catalog();
  const ratesOf = (accelerator) => ({
    accelerator: accelerator.id,
    peak_tflops: accelerator.bf16_tflops || accelerator.fp16_tflops,
    hbm_gb_per_sec: accelerator.hbm_gb_per_sec,
    bandwidth_gb_per_sec: links.find(({ id }) => id === accelerator.link).bandwidth_gb_per_sec,
  });
  const picks = [
    ...systems.map((system) => [
      "Machine",
      system.id,
      {
        ...ratesOf(accelerators.find(({ id }) => id === system.accelerator)),
        nic_gb_per_sec: system.nic_gb_per_sec,
        gpus_per_node: system.gpus_per_node,
      },
    ]),
    ...accelerators.map((accelerator) => ["GPU", accelerator.id, ratesOf(accelerator)]),
  ];
  // Rounds know a link, no machine.
  const ofMachines = views.filter((view) => view !== "ring");
  for (const [start, view] of ofMachines.entries()) {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: "main > *" });
    await page.getByText("GPU, node and network", { exact: true }).click();
    // Each view has its share of all machines.
    for (const [kind, name, expected] of picks.filter((_, index) => index % ofMachines.length === start)) {
      await page.getByRole("combobox", { name: kind, exact: true }).click();
      await page.locator(`[data-preset="${name}"]`).click();
      for (const [index, given] of (await machineOf(page)).entries()) {
        const known = Object.fromEntries(Object.keys(given).map((key) => [key, expected[key] ?? given[key]]));
        assert.deepEqual(given, known, `${view}: ${name}: ${calls[index]}`);
      }
      // A prediction knows its links by the machine.
      if (view !== "network")
        assert.equal(Number(await field(page, "bandwidth_gb_per_sec").inputValue()), expected.bandwidth_gb_per_sec);
      assert.equal(await page.getByText("Typed over").count(), 0, name);
    }
    await page.done();
  }
});

test("replicas are what the pinned degrees leave of the cluster; pins that contradict it are named", async () => {
  const page = await openPage(browser, `${host.address}#view=step`, { ready: "commcost-step" });
  const shown = async (name) =>
    Number((await field(page, name).inputValue()) || (await field(page, name).getAttribute("placeholder")));
  for (const [name, text, replicas] of [
    ["tensor_parallel", "4", 16],
    ["pipeline_parallel", "2", 8],
    ["cluster_gpus", "128", 16],
    ["context_parallel", "2", 8],
  ]) {
    await field(page, name).fill(text);
    await expect.poll(() => shown("data_parallel"), `${name} ${text}`).toBe(replicas);
  }
  await field(page, "data_parallel").fill("3");
  await page.locator(".wrong").waitFor();
  await field(page, "data_parallel").fill("");
  await page.locator(".wrong").waitFor({ state: "detached" });
  await page.done();
});

test("every part of Train is of the layout that Layouts found", async () => {
  const page = await openPage(browser, `${host.address}#v=2&view=plan&model=llama-3.1-70b&system=dgx-h100`, {
    ready: "commcost-plan .headline b",
  });
  await page.locator("commcost-plan table.layouts").waitFor();
  const told = (tag) => page.locator(`${tag} .headline .number`).first().innerText();
  const found = await told("commcost-plan");
  await goTo(page, "step");
  assert.equal(await told("commcost-step"), found);
  const chart = await page.locator("commcost-stacked-bars figcaption").first().innerText();
  const shown = (name) => page.locator(`commcost-step [data-result="${name}"]`).first().innerText();
  assert.ok(chart.includes(`takes ${await shown("exposed_ms")}, ${await shown("exposed")} of the step`), chart);
  // A part that is typed is pinned, in every part and in the link; the rest is searched again.
  await field(page, "pipeline_parallel").fill("1");
  await page.waitForFunction(() => location.hash.includes("plan_pipeline_parallel=1"));
  await page.locator("[data-searching]").waitFor({ state: "detached" });
  const pinned = await told("commcost-step");
  await goTo(page, "plan");
  await expect.poll(() => told("commcost-plan")).toBe(pinned);
  await page.getByRole("button", { name: "Unpin PP" }).first().click();
  await expect.poll(() => told("commcost-plan")).toBe(found);
  await page.done();
});

test("with every part pinned nothing is searched; what does not fit says so", async () => {
  const page = await openPage(browser, `${host.address}#view=step&model=llama-3.1-405b`, { ready: "commcost-step" });
  await page.locator("commcost-step .headline").getByText("It doesn’t fit.").waitFor();
  assert.equal(await page.locator("[data-searching]").count(), 0);
  await page.getByRole("button", { name: /^Unpin all/ }).click();
  await page.getByText("No layout fits").waitFor();
  await page.done();
});

test("a tab opened in another tab of the browser keeps the scenario", async () => {
  const page = await openPage(browser, `${host.address}#plan_tensor_parallel=4&system=dgx-h100`, {
    ready: "commcost-cost",
  });
  await field(page, "hidden_size").fill("8192");
  await settled(page);
  const address = await page.locator('nav a[data-view="plan"]').getAttribute("href");
  await page.done();
  const other = await openPage(browser, address, { ready: "commcost-plan" });
  assert.equal(await field(other, "tensor_parallel").inputValue(), "4");
  assert.equal(await field(other, "hidden_size").inputValue(), "8192");
  await other.done();
});

test("every control in sight changes something to be seen, in every view", { tag: "@long" }, async () => {
  const numbers = {
    cluster_gpus: "32",
    tensor_parallel: "4",
    pipeline_parallel: "2",
    context_parallel: "2",
    data_parallel: "2",
    global_batch_size: "256",
    sequence_length: "1024",
    batch_size: "4",
    hidden_size: "8192",
    num_layers: "16",
    bandwidth_gb_per_sec: "100",
    nic_gb_per_sec: "10",
  };
  // One column is of all parts of Train: what changes another part's answer only is in it too.
  for (const view of views.filter((id) => id !== "plan" && id !== "overlap")) {
    // In one node no network is used.
    const page = await openPage(browser, `${host.address}#view=${view}&tensor_parallel=16`, { ready: "main > *" });
    const seen = () =>
      page.evaluate(() => {
        const app = document.querySelector("commcost-app").renderRoot;
        return (
          app.querySelector(".answers").textContent +
          (app.querySelector("main > *").renderRoot.querySelector(".frame").textContent ?? "")
        );
      });
    // The shape of a model is folded away where an answer is sought.
    await page.locator("commcost-scenario details").evaluateAll((folds) => {
      for (const fold of folds) fold.open = true;
    });
    for (const [name, text] of Object.entries(numbers)) {
      if ((await field(page, name).count()) === 0) continue;
      const before = await seen();
      const held = await field(page, name).inputValue();
      await field(page, name).fill(text);
      await settled(page);
      assert.notEqual(await seen(), before, `${view}: ${name}`);
      await field(page, name).fill(held);
    }
    await page.done();
  }
});

for (const [width, height] of [
  [1440, 900],
  [360, 640],
]) {
  test(`answer and first picture stand in the first screen of every view, ${width} × ${height}`, {
    tag: "@long",
  }, async () => {
    for (const view of views) {
      const page = await openPage(browser, `${host.address}#view=${view}`, {
        ready: "main > *",
        viewport: { width, height },
      });
      await page.locator(".figure svg").first().waitFor();
      await settled(page);
      const headline = await page.locator(".headline").first().boundingBox();
      const picture = await page.locator(".figure svg").first().boundingBox();
      assert.ok(
        headline.y + headline.height < height / 2,
        `${view}: the answer ends at ${headline.y + headline.height}`,
      );
      assert.ok(picture.y + picture.height <= height, `${view}: the picture ends at ${picture.y + picture.height}`);
      await page.done();
    }
  });
}

test("every preset fills the form with what resolve_inputs says", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const differences = await page.evaluate(() => {
    const { scenario } = document.querySelector("commcost-app");
    const { engine } = scenario;
    const { systems, accelerators } = engine.hardware_catalog();
    const { recipes } = engine.recipe_catalog();
    const training = { sequence_length: 2048, batch_size: 1, global_batch_size: 64 };
    const presets = [
      ["training_step", "model", engine.model_catalog().models, training],
      ["training_step", "system", systems, training],
      ["training_step", "accelerator", accelerators, training],
      ["training_step", "recipe", recipes.filter(({ use }) => use === "training"), training],
      [
        "serving_step",
        "recipe",
        recipes.filter(({ use }) => use === "serving"),
        { sequence_length: 2048, batch_size: 1 },
      ],
    ];
    const found = [];
    const compared = {};
    for (const [calculation, kind, rows, work] of presets) {
      const filled = engine.describe()[calculation].inputs.filter(({ filled_by }) => filled_by === kind);
      for (const { id } of rows) {
        const chosen = calculation === "serving_step" ? "serving_recipe" : kind;
        scenario.reset({ ...(kind === "accelerator" && { system: "" }), [chosen]: id });
        const shown = scenario.inputs(calculation).values;
        const inputs = { model: "llama-2-7b", ...work, [kind]: id };
        const resolved = engine.resolve_inputs({ calculation, inputs });
        for (const { name } of filled) {
          // A stack has no value of its own: what it fills is compared.
          if (name === "recipe") continue;
          // What a row leaves at 0 the engine derives from the rest.
          if (shown[name] === undefined || (shown[name] === 0 && resolved[name].from === "derived")) continue;
          compared[`${calculation} ${kind}`] = (compared[`${calculation} ${kind}`] ?? 0) + 1;
          if (shown[name] !== resolved[name].value) found.push([kind, id, name, shown[name], resolved[name].value]);
        }
      }
    }
    return { found, compared };
  });
  assert.deepEqual(differences.found, []);
  const counts = Object.values(differences.compared);
  assert.equal(counts.length, 5);
  for (const count of counts) assert.ok(count > 40, JSON.stringify(differences.compared));
  await page.done();
});

test("heads that the usual tensor degree does not divide get a degree that does, and a sentence", async () => {
  const sentence = "5 GPUs, not the usual 8: 25 attention heads can’t be split over 8.";
  for (const [link, ready] of [
    ["#view=cost&model=gpt2-xl", "commcost-cost"],
    ["#view=step&model=gpt2-xl", "commcost-step"],
  ]) {
    const page = await openPage(browser, host.address + link, { ready });
    await expect(page.locator('[data-fact="uneven"]')).toHaveText(ready === "commcost-cost" ? [sentence] : []);
    assert.match(await page.locator(`${ready} .headline`).first().textContent(), /about/);
    assert.equal(await page.getByRole("alert").count(), 0, link);
    assert.equal(await page.locator(".error").count(), 0, link);
    await page.done();
  }
  // The article's form has fields of training, but no layout of its own that could be wrong.
  const article = await openPage(browser, `${host.address}#v=3&view=learn&model=gpt2-xl`, { ready: "commcost-learn" });
  await article.getByRole("button", { name: "Change the model" }).click();
  await article.getByRole("dialog", { name: "Scenario" }).getByText(sentence).waitFor();
  assert.equal(await article.locator(".error").count(), 0);
  await article.done();
});

test("Train asks for precision once: a choice sets its parts, and parts that are no choice are said to be set below", async () => {
  const page = await openPage(browser, `${host.address}#v=2&view=step&system=dgx-h100`, {
    ready: "commcost-step [data-result=step_time_ms]",
  });
  const precision = page.getByLabel("Precision", { exact: true });
  const chosen = () => precision.evaluate((select) => select.selectedOptions[0].textContent.trim());
  const offered = await precision.locator("option").allTextContents();
  assert.deepEqual(
    offered.map((name) => name.trim()),
    ["auto", "BF16", "FP8"],
  );
  assert.equal(await chosen(), "BF16");
  await precision.selectOption("fp8");
  await page.waitForFunction(() => location.hash.includes("matmul_precision=fp8"));
  await unfold(page, "Precision and recomputation");
  assert.equal(await field(page, "matmul_precision").inputValue(), "fp8");
  await field(page, "bytes_per_element").fill("4");
  await expect.poll(chosen).toBe("as set below");
  await precision.selectOption("bf16");
  assert.equal(await field(page, "bytes_per_element").inputValue(), "2");
  await precision.selectOption("auto");
  await page.waitForFunction(() => location.hash.includes("searched_settings=matmul_precision"));
  await expect.poll(chosen).toMatch(/^auto/);
  await page.done();
});
