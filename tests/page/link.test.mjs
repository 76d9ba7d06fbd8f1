import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { field, openPage, result } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

/** A small generator of its own, so that a failure can be repeated. */
function random(seed) {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const names = [
  "hidden_size",
  "sequence_length",
  "batch_size",
  "tensor_parallel",
  "num_layers",
  "bytes_per_element",
  "bandwidth_gb_per_sec",
  "allreduces_per_layer",
];

test("what is typed stands in the address, readable, and comes back from it", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await field(page, "hidden_size").fill("12288");
  await field(page, "bandwidth_gb_per_sec").fill("900 Gb/s");
  await page.waitForFunction(() => location.hash.includes("bandwidth"));
  assert.equal(new URL(page.url()).hash, "#v=4&hidden_size=12288&bandwidth_gb_per_sec=900+Gb/s");
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  assert.equal(await field(page, "bandwidth_gb_per_sec").inputValue(), "900 Gb/s");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "400.8636");
  await page.done();
});

test("200 random states survive the way through the address", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const next = random(42);
  const texts = ["4096", "4Ki", "1e3", "x y", "16 GiB/s", "ü&=#%+", "", "-1", "0.5", "<b>", "1 000 000", "NaN"];
  for (let round = 0; round < 200; round++) {
    const state = Object.fromEntries(
      names.filter(() => next() < 0.5).map((name) => [name, texts[Math.floor(next() * texts.length)]]),
    );
    const back = await page.evaluate((wanted) => {
      const { scenario } = document.querySelector("commcost-app").renderRoot.querySelector("commcost-cost");
      scenario.reset(wanted);
      const app = document.querySelector("commcost-app");
      const hash = app.address.hash();
      scenario.reset({});
      history.replaceState(null, "", hash || location.pathname);
      dispatchEvent(new HashChangeEvent("hashchange"));
      return Object.fromEntries(Object.keys(wanted).map((name) => [name, scenario.text(name)]));
    }, state);
    assert.deepEqual(back, state);
  }
  await page.done();
});

test("a malformed link gives field errors, never a blank page", async () => {
  for (const hash of [
    "#num_gpus=abc&hidden_size=-1",
    "#num_gpus=1e999",
    "#v=99&%E0%A4%A=1",
    "#&&&===",
    "#hidden_size",
    `#num_gpus=${"9".repeat(5000)}`,
  ]) {
    const page = await openPage(browser, host.address + hash);
    await page.locator("#field-tensor_parallel").waitFor();
    const text = await page.locator("main").innerText();
    assert.ok(!/undefined|\bnull\b/.test(text), hash);
    await page.done();
  }
  const page = await openPage(browser, `${host.address}#num_gpus=abc&hidden_size=-1&nonsense=5&view=nowhere`);
  assert.match(await page.locator("#field-tensor_parallel-note").textContent(), /not “abc”/);
  assert.match(await page.locator("#field-hidden_size-note").textContent(), /Hidden size: enter 1 or more, not -1/);
  assert.match(await page.locator(".unknown").textContent(), /nonsense/);
  await page.done();
});

test("a link of 100,000 keys is read to where it is too long, and says so", async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `k${at}=${at}`).join("&");
  const page = await openPage(browser, `${host.address}#view=cost&num_gpus=4&${many}&hidden_size=12288`);
  assert.equal(await field(page, "tensor_parallel").inputValue(), "4");
  const said = await page.locator(".unknown").textContent();
  assert.match(said, /k0, k1, .* more, which this page does not know/);
  assert.match(said, /The link is too long; its end was not read/);
  assert.notEqual(await field(page, "hidden_size").inputValue(), "12288");
  await page.waitForFunction(() => location.hash.length < 100);
  await page.done();
});

/** What links said before there was one scenario, and what they mean now. */
const oldForms = [
  ["#num_gpus=16", { tensor_parallel: "16", data_parallel: "8", cluster_gpus: "128" }],
  [
    "#view=network&num_gpus=16&system=dgx-h100",
    { tensor_parallel: "16", system: "dgx-h100", bandwidth_gb_per_sec: "450" },
  ],
  ["#num_gpus=64&tensor_parallel=4", { tensor_parallel: "64" }],
  ["#view=overlap&num_gpus=64&tensor_parallel=4&data_parallel=16", { tensor_parallel: "4", cluster_gpus: "64" }],
  ["#view=plan&num_gpus=64", { cluster_gpus: "64", tensor_parallel: "8", data_parallel: "8" }],
  ["#view=plan&num_gpus=4", { cluster_gpus: "4", tensor_parallel: "4", data_parallel: "1" }],
  [
    "#view=plan&num_gpus=64&tensor_parallel=4&pipeline_parallel=2&data_parallel=8",
    { cluster_gpus: "64", data_parallel: "8" },
  ],
  ["#view=plan&num_gpus=64&cluster_gpus=128", { cluster_gpus: "128" }],
  ["#view=training&tensor_parallel=4&data_parallel=2", { cluster_gpus: "8", data_parallel: "2" }],
  ["#view=training&tensor_parallel=4", { cluster_gpus: "32", data_parallel: "8" }],
  ["#view=training&num_gpus=64&pipeline_parallel=2", { tensor_parallel: "64", cluster_gpus: "1024" }],
  ["#link=nvlink4", { bandwidth_gb_per_sec: "450", system: "dgx-a100" }],
  ["#link=nvlink4&bandwidth_gb_per_sec=400", { bandwidth_gb_per_sec: "400" }],
  ["#model=llama-3.1-70b", { hidden_size: "8192", num_layers: "80" }],
  ["#model=meta-llama/llama-3.1-70B-Instruct", { model: "llama-3.1-70b", num_layers: "80" }],
  ["#hidden_size=8192&num_layers=80", { hidden_size: "8192", model: "llama-2-7b", num_heads: "32" }],
  ["#accelerator=h100-sxm", { system: "", bandwidth_gb_per_sec: "450", hbm_gb_per_sec: "3350" }],
  [
    "#system=dgx-h100&accelerator=h100-sxm&gpus_per_node=8&nic_gb_per_sec=50",
    { system: "dgx-h100", peak_tflops: "989" },
  ],
  ["#software=classic", { recipe: "megatron-2021" }],
  // Once taken on any hardware: now only where its matrix units have it.
  ["#view=step&system=dgx-h100&matmul_precision=nvfp4", { system: "dgx-h100", matmul_precision: "stored" }],
  ["#view=step&system=dgx-h100&matmul_precision=fp8", { matmul_precision: "fp8" }],
  ["#view=step&matmul_precision=fp8", { matmul_precision: "stored" }],
  ["#view=step&accelerator=b200&matmul_precision=nvfp4", { accelerator: "b200", matmul_precision: "nvfp4" }],
  // Before v=4, training's precision was meant for a server's products too.
  ["#v=3&view=serve&system=dgx-h100&matmul_precision=fp8", { serving_matmul_precision: "fp8" }],
  ["#v=4&view=serve&system=dgx-h100&matmul_precision=fp8", { serving_matmul_precision: "stored" }],
  ["#v=4&view=serve&serving_matmul_precision=fp8", { serving_matmul_precision: "stored" }],
  ["#view=ring", { ranks: "8", message_size_bytes: "128 MiB", delays_us: "" }],
  [
    "#view=ring&ranks=5&message_size_bytes=64+MiB&delays_us=0,12,3",
    { ranks: "5", message_size_bytes: "64 MiB", delays_us: "0,12,3" },
  ],
];

test("a link with a precision that the hardware lacks says so, and is answered without it", async () => {
  const page = await openPage(browser, `${host.address}#view=step&system=dgx-h100&matmul_precision=nvfp4`, {
    ready: "commcost-step",
  });
  assert.match(await page.locator(".unknown").textContent(), /matmul_precision cannot be “nvfp4” on this hardware/);
  await page.locator("commcost-step [data-result=step_time_ms]").first().waitFor();
  await page.done();
});

test("a stack that serves is the server's where a link opens Serve, and no stack that trains", async () => {
  const serve = await openPage(browser, `${host.address}#view=serve&model=llama-3.1-8b&recipe=sglang`, {
    ready: "commcost-serve",
  });
  assert.equal(await serve.locator(".unknown").count(), 0);
  await serve.getByText("Assumes SGLang").first().waitFor();
  await serve.done();
  const train = await openPage(browser, `${host.address}#view=train&recipe=vllm`, { ready: "commcost-plan" });
  assert.equal(
    (await train.locator(".unknown").textContent()).trim(),
    "recipe cannot be “vllm”. What is unknown was left out.",
  );
  await train.done();
});

test("links of old forms mean what they meant", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  for (const [link, meant] of oldForms) {
    const found = await page.evaluate(
      async ([hash, names]) => {
        history.replaceState(null, "", hash);
        dispatchEvent(new HashChangeEvent("hashchange"));
        await new Promise((resolve) => setTimeout(resolve, 50));
        const app = document.querySelector("commcost-app");
        await app.updateComplete;
        const { scenario } = app.renderRoot.querySelector("commcost-scenario");
        return Object.fromEntries(names.map((name) => [name, scenario.text(name)]));
      },
      [link, Object.keys(meant)],
    );
    assert.deepEqual(found, meant, link);
  }
  const view = (link) => openPage(browser, host.address + link, { ready: "main > *" });
  for (const [link, tag] of [
    ["#num_gpus=16", "commcost-cost"],
    ["#view=training", "commcost-step"],
    ["#view=step", "commcost-step"],
  ]) {
    const opened = await view(link);
    assert.equal(await opened.locator("main > *").evaluate(({ localName }) => localName), tag);
    await opened.done();
  }
  await page.done();
});

test("a link holds what was pinned of a layout, and nothing else of it", async () => {
  const page = await openPage(browser, `${host.address}#v=2&view=step`, { ready: "commcost-step" });
  await field(page, "tensor_parallel").fill("4");
  await page.waitForFunction(() => location.hash.includes("plan_tensor_parallel=4"));
  assert.equal(new URL(page.url()).hash, "#v=4&view=step&plan_tensor_parallel=4");
  await page.reload();
  await page.locator("commcost-step [data-result=step_time_ms]").first().waitFor();
  assert.equal(await field(page, "tensor_parallel").inputValue(), "4");
  // What was not pinned is empty; the search's choice is in its place.
  assert.equal(await field(page, "data_parallel").inputValue(), "");
  await expect(field(page, "data_parallel")).toHaveAttribute("placeholder", /^\d+$/);
  await page.done();
});

test("a degree that a link to Train says by its own name is pinned, with what is wrong about it in sight", async () => {
  const typed = await openPage(browser, `${host.address}#v=3&view=train&tensor_parallel=3`, { ready: "commcost-plan" });
  assert.equal(await field(typed, "plan_tensor_parallel").inputValue(), "3");
  await expect(
    typed.getByText("TP must be a divisor of attention heads (32), not 3; try 2 or 4").first(),
  ).toBeInViewport();
  await typed.done();
  // Next to the cluster, which the page always writes, it is Cost's group.
  const page = await openPage(browser, `${host.address}#v=3&view=train&cluster_gpus=64&tensor_parallel=4`, {
    ready: "commcost-plan",
  });
  assert.equal(await field(page, "plan_tensor_parallel").inputValue(), "");
  await page.done();
});

test("the query works as well as the hash, and a preset may stand for its fields", async () => {
  const page = await openPage(browser, `${host.address}?num_gpus=4#model=llama-3.1-8b&link=nvlink5`);
  assert.equal(await field(page, "tensor_parallel").inputValue(), "4");
  assert.equal(await field(page, "bandwidth_gb_per_sec").inputValue(), "900");
  assert.equal(await field(page, "hidden_size").inputValue(), "4096");
  await page.done();
});
