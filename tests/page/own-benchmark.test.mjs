// A reader's own benchmark of a server: taken for what it is wherever it is dropped, set next to the prediction at each load,
// and what it calibrates is in force until it is taken back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, dropFiles, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { hostPage } from "./support/host.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();
const engine = await loadEngine();

const written = (tool) => readFileSync(new URL(`../fuzz/seeds/benchmark/${tool}`, import.meta.url), "utf8");
const drop = (page, name, text) => dropFiles(page, [{ name, text }]);
const server = { model: "llama-3.1-70b", system: "dgx-h200" };
const open = (hash = "") =>
  openPage(
    browser,
    `${host.address}#view=serve&model=llama-3.1-70b&system=dgx-h200&serving_gpus=4&most_token_ms=50&most_first_token_ms=1000${hash}`,
    {
      ready: "commcost-own-benchmark",
      viewport: { width: 1280, height: 9000 },
    },
  );
const section = (page) => page.locator("commcost-own-benchmark");

/** What a stack that is slower than its recipe would write, as SGLang's bench_serving does. */
function slower(deployment, kernel_start_us) {
  return [1, 16, 64, 128]
    .map((max_concurrency) => {
      const load = {
        batch_size: 1024,
        requests: 400,
        requests_per_sec: 0,
        max_concurrency,
        prompt_tokens: 1024,
        output_tokens: 256,
      };
      const found = engine.serving_load({ ...server, ...deployment, ...load, kernel_start_us });
      return JSON.stringify({
        backend: "sglang",
        dataset_name: "random",
        request_rate: "inf",
        max_concurrency,
        completed: 400,
        total_input_tokens: 400 * 1024,
        total_output_tokens: 400 * 256,
        request_throughput: found.requests_per_sec,
        median_ttft_ms: found.first_token.p50_ms,
        p99_ttft_ms: found.first_token.p99_ms,
        median_tpot_ms: found.token.p50_ms,
        p99_tpot_ms: found.token.p99_ms,
      });
    })
    .join("\n");
}

test("a file of each tool is taken for what it is, and compared at each of its loads", async () => {
  const page = await open();
  for (const [tool, loads] of [
    ["vllm", 1],
    ["sglang", 2],
    ["genai_perf", 1],
    ["guidellm", 2],
  ]) {
    await drop(page, `${tool}.json`, written(tool));
    await section(page).locator('[data-benchmark="lead"]').waitFor();
    await page.getByText(`${tool}.json is read as a benchmark by`).first().waitFor();
    assert.equal((await section(page).locator("tbody tr").count()) >= loads, true, tool);
    await page.getByRole("button", { name: /Remove the benchmark/ }).click();
    await section(page).locator('[data-benchmark="lead"]').waitFor({ state: "detached" });
  }
  await page.done();
});

test("the comparison is serving_load's of that deployment, and axe finds nothing in it", async () => {
  const page = await open();
  await drop(page, "bench.jsonl", written("sglang"));
  await section(page).locator("[data-fit]").waitFor();
  const [answer] = engine.plan_serving({ model: "llama-3.1-70b", system: "dgx-h200", cluster_gpus: 4 }).deployments;
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas } = answer;
  const { token } = engine.serving_load({
    model: "llama-3.1-70b",
    system: "dgx-h200",
    tensor_parallel,
    pipeline_parallel,
    expert_parallel,
    replicas,
    requests_per_sec: 4,
    prompt_tokens: 1024,
    output_tokens: 256,
    requests: Math.ceil(240 / replicas),
    batch_size: 1024,
  });
  const cell = await section(page).locator("tbody tr").first().locator("td").nth(2).innerText();
  const [, predicted] = /([\d.]+) ms\s*\(/.exec(cell);
  assert.ok(Math.abs(Number(predicted) / token.p50_ms - 1) < 0.006, `${cell} for ${token.p50_ms}`);
  assert.equal(nonsense(await shownText(page)), undefined);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("a server that starts kernels slower is calibrated by that, which the link carries and a click takes back", async () => {
  const page = await open();
  const deployment = { tensor_parallel: 4, pipeline_parallel: 1, expert_parallel: 1, replicas: 1 };
  await section(page).locator("h2").waitFor();
  await drop(page, "bench.jsonl", slower(deployment, 18));
  await section(page).locator("select").selectOption({ label: "TP 4" });
  const fit = section(page).locator("[data-fit]");
  await fit.getByText(/down from/).waitFor();
  const [after, before] = [...(await fit.innerText()).matchAll(/([\d.]+) %/g)].map(([, number]) => Number(number));
  assert.ok(before > 5 && after < 2, `${before} to ${after}`);
  await section(page)
    .getByText(/Start-up time|Kernel start/)
    .first()
    .waitFor();
  await section(page).getByRole("button", { name: "Use in Serve" }).click();
  await page.waitForFunction(() => /kernel_start_us=/.test(location.hash));
  await section(page).getByText("In force in Serve").waitFor();
  await section(page).getByRole("button", { name: "Stop using it" }).click();
  await settled(page);
  await page.waitForFunction(() => !/kernel_start_us=/.test(location.hash));
  await page.done();
});

test("what is held comes back with the page, and what storage spoils does not", { tag: "@long" }, async () => {
  const page = await open();
  await drop(page, "bench.jsonl", written("sglang"));
  await section(page).locator("[data-fit]").waitFor();
  await page.reload();
  await section(page).locator('[data-benchmark="lead"]').waitFor();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.includes("own-benchmark")) localStorage.setItem(key, '{"name": "x", "loads": [{}]}');
  });
  await page.reload();
  await section(page).locator("h2").waitFor();
  assert.equal(await section(page).locator('[data-benchmark="lead"]').count(), 0);
  await page.done();
});

for (const sandbox of [undefined, "allow-scripts"])
  test(`a frame${sandbox ? `, sandbox="${sandbox}",` : ""} takes the benchmark that is dropped on it, and lets it go`, {
    tag: "@long",
  }, async () => {
    const frame = `<iframe title="serve" width="900" height="900" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${host.address}embed.html#v=2&view=serve&model=llama-3.1-70b&system=dgx-h200&serving_gpus=4"></iframe>`;
    const other = await hostPage(host.address, frame, "", { frames: true });
    const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(host.address).host] });
    const serve = page.frameLocator("iframe").locator("commcost-serve");
    // Nothing that reads files is fetched before the reader has one.
    await serve.getByRole("button", { name: "Compare your benchmark" }).waitFor();
    assert.equal(await serve.locator("commcost-own-benchmark").count(), 0);
    await serve.evaluate((view, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "bench.jsonl"));
      view.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    }, written("sglang"));
    const own = serve.locator("commcost-own-benchmark");
    await own.locator('[data-benchmark="lead"]').waitFor();
    await own.locator("[data-fit]").waitFor();
    await own.getByRole("button", { name: "Remove the benchmark" }).click();
    await own.locator('[data-benchmark="lead"]').waitFor({ state: "detached" });
    await page.done();
    await other.stop();
  });
