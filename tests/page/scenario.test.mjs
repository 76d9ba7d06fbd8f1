// One scenario: whichever view it is described in, every view and every call has the same machine, and one thing has one number.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { field, openPage, settled } from "./support/browser.mjs";
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
  for (const [start, view] of views.entries()) {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: "main > *" });
    await page.getByText("GPU, node and network", { exact: true }).click();
    // Each view has its share of all machines.
    for (const [kind, name, expected] of picks.filter((_, index) => index % views.length === start)) {
      await page.getByRole("combobox", { name: kind, exact: true }).click();
      await page.locator(`[data-preset="${name}"]`).click();
      for (const [index, given] of (await machineOf(page)).entries()) {
        const known = Object.fromEntries(Object.keys(given).map((key) => [key, expected[key] ?? given[key]]));
        assert.deepEqual(given, known, `${view}: ${name}: ${calls[index]}`);
      }
      assert.equal(Number(await field(page, "bandwidth_gb_per_sec").inputValue()), expected.bandwidth_gb_per_sec);
      assert.equal(await page.getByText("Typed over").count(), 0, name);
    }
    await page.done();
  }
});

test("the degrees multiply to the cluster, and one of them gives way", async () => {
  const page = await openPage(browser, `${host.address}#view=step`, { ready: "commcost-step" });
  const value = async (name) => Number(await field(page, name).inputValue());
  const layout = async () => {
    const names = ["cluster_gpus", "tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel"];
    return Promise.all(names.map(value));
  };
  for (const [name, text, expected] of [
    ["tensor_parallel", "4", [64, 4, 1, 1, 16]],
    ["pipeline_parallel", "2", [64, 4, 2, 1, 8]],
    ["cluster_gpus", "128", [128, 4, 2, 1, 16]],
    // Whoever types into what gives way moves the cluster.
    ["data_parallel", "4", [32, 4, 2, 1, 4]],
    ["context_parallel", "2", [32, 4, 2, 2, 2]],
  ]) {
    await field(page, name).fill(text);
    assert.deepEqual(await layout(), expected, `${name} ${text}`);
  }
  await field(page, "gives_way").selectOption("cluster_gpus");
  await field(page, "data_parallel").fill("8");
  assert.deepEqual(await layout(), [128, 4, 2, 2, 8]);
  await field(page, "gives_way").selectOption("data_parallel");
  await field(page, "tensor_parallel").fill("6");
  assert.deepEqual(await layout(), [128, 6, 2, 2, 5]);
  await page.getByText("These degrees use 120 of them; 8 stay idle.").waitFor();
  await page.done();
});

test("step time, MFU, memory and exposed communication have the same digits wherever they stand", async () => {
  for (const hash of [
    "",
    "&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=8&pipeline_parallel=4&cluster_gpus=256&batch_size=1",
  ]) {
    const page = await openPage(browser, `${host.address}#view=step${hash}`, { ready: "commcost-step .headline" });
    const shown = async (what) => (await page.locator(`[data-outcome="${what}"]`).innerText()).trim();
    const told = async (name) =>
      (await page.locator(`commcost-step [data-result="${name}"]`).first().innerText()).trim();
    const outcome = {};
    for (const what of ["Step", "MFU", "Memory", "Waits for communication"]) outcome[what] = await shown(what);
    assert.ok(outcome.Step.startsWith(await told("step_time_ms")));
    assert.equal(outcome.MFU, await told("mfu_percent"));
    assert.ok(outcome.Memory.startsWith(await told("memory_gib")));
    assert.equal(outcome["Waits for communication"], await told("exposed"));
    const chart = await page.locator("commcost-stacked-bars figcaption").first().innerText();
    assert.ok(chart.includes(`takes ${await told("exposed_ms")}, ${await told("exposed")} of it`), chart);
    for (const view of ["Cost", "Ring", "Network", "Overlap", "Plan"]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.locator(`commcost-${view.toLowerCase()}`).waitFor();
      for (const [what, text] of Object.entries(outcome)) assert.equal(await shown(what), text, `${view}: ${what}`);
    }
    await page.done();
  }
});

test("a tab opened in another tab of the browser keeps the scenario", async () => {
  const page = await openPage(browser, `${host.address}#tensor_parallel=4&system=dgx-h100`, { ready: "commcost-cost" });
  await field(page, "hidden_size").fill("8192");
  await settled(page);
  const address = await page.locator('nav a[data-view="step"]').getAttribute("href");
  await page.done();
  const other = await openPage(browser, address, { ready: "commcost-step" });
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
  for (const view of views.filter((id) => id !== "plan")) {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: "main > *" });
    const seen = () =>
      page.evaluate(() => {
        const app = document.querySelector("commcost-app").renderRoot;
        const outcome = app.querySelector("commcost-scenario").renderRoot.querySelector(".outcome")?.textContent ?? "";
        return outcome + (app.querySelector("main > *").renderRoot.querySelector(".frame").textContent ?? "");
      });
    for (const [name, text] of Object.entries(numbers)) {
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
