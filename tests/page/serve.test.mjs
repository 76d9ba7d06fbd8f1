// A server: the answer is the engine's for what the form shows, whatever the scenario trains with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, caughtUp, field, goTo, nonsense, openPage, shownText, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

/** What few ask for first. */
const folded = "Rate, price, and what the server does";
const engine = await loadEngine();

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
  const page = await open("&v=2&tensor_parallel=4");
  const before = await told(page, "step_time_ms");
  await field(page, "batch_size").fill("1024");
  await caughtUp(page);
  const more = await told(page, "step_time_ms");
  assert.ok(more > before);
  const trained = await open("&v=2&tensor_parallel=4&recipe=nanotron");
  assert.equal(await told(trained, "step_time_ms"), before);
  await trained.done();
  await page.locator('commcost-scenario select[name="serving_recipe"]').selectOption("gpt-fast");
  await expect.poll(() => told(page, "step_time_ms")).toBeLessThan(more);
  await page.waitForFunction(() => location.hash.includes("serving_recipe=gpt-fast"));
  await page.done();
});

test("the step in depth is the answer's until one is typed, and can be again", async () => {
  const page = await open("&v=2&model=mixtral-8x7b&system=dgx-h200");
  const [best] = engine.plan_serving({
    ...{ model: "mixtral-8x7b", system: "dgx-h200", cluster_gpus: 8 },
    ...{ most_token_ms: 50, most_first_token_ms: 1000 },
  }).deployments;
  const { tensor_parallel, data_parallel, expert_parallel, expert_tensor_parallel, batch_size } = best;
  assert.ok(expert_parallel > 1);
  const beside = page.locator('commcost-serve [data-step="answer"]');
  await expect(beside).toContainText("This is the step of the answer");
  assert.equal(await field(page, "batch_size").inputValue(), "");
  assert.equal(await field(page, "batch_size").getAttribute("placeholder"), String(batch_size));
  assert.equal(await field(page, "expert_parallel").getAttribute("placeholder"), String(expert_parallel));
  const step = (inputs) =>
    engine.serving_step({
      ...{ model: "mixtral-8x7b", system: "dgx-h200", sequence_length: 1024 + 128, batch_size },
      ...{ tensor_parallel, data_parallel, expert_parallel, expert_tensor_parallel, ...inputs },
    }).step_time_ms;
  assert.ok(Math.abs((await told(page, "step_time_ms")) / step({}) - 1) < 0.01);
  // A key steps from what is shown; the rest still follows the answer.
  await field(page, "batch_size").press("ArrowUp");
  const more = 2 ** Math.floor(Math.log2(batch_size) + 1);
  await expect(field(page, "batch_size")).toHaveValue(String(more));
  await expect(beside).toContainText("This is not the step of the answer.");
  assert.ok(Math.abs((await told(page, "step_time_ms")) / step({ batch_size: more }) - 1) < 0.01);
  await beside.getByRole("button").click();
  await expect(beside).toContainText("This is the step of the answer");
  await page.waitForFunction(() => !location.hash.includes("batch_size"));
  // Degrees go together: what one of them leaves out is as usual.
  await field(page, "tensor_parallel").fill("4");
  await expect(beside).toContainText("This is not the step of the answer.");
  await expect(field(page, "expert_parallel")).not.toHaveAttribute("placeholder", String(expert_parallel));
  await page.done();
});

test("a server's step and a training step never move each other, and a typed TP 8 is still there after a reload", async () => {
  const page = await open("&v=3&model=llama-3.1-8b&system=dgx-h100&tensor_parallel=4");
  const typed = (name) => page.locator(`[name="${name}"]`);
  // The group of four is Cost's and Collectives'.
  await expect(typed("serving_tensor_parallel")).toHaveValue("");
  await typed("serving_tensor_parallel").fill("8");
  await page.waitForFunction(() => location.hash.includes("serving_tensor_parallel=8"));
  await page.reload();
  await page.getByText("at TP 8:").waitFor();
  await expect(typed("serving_tensor_parallel")).toHaveValue("8");
  await goTo(page, "cost");
  await expect(typed("tensor_parallel")).toHaveValue("4");
  await page.done();
});

test("what fits nowhere says so, and a quantized checkpoint is served as it is published", async () => {
  const page = await open("&v=2&model=deepseek-v3&system=dgx-h200");
  await page.getByText(/No deployment on 8\sGPUs fits\./).waitFor();
  await page.getByText("Its checkpoint is published in FP8.").waitFor();
  await page.getByRole("button", { name: "Serve it in that" }).click();
  await page.getByText("Serve it as").waitFor();
  assert.equal(await page.getByLabel("Precision", { exact: true }).inputValue(), "fp8");
  await page.done();
});

test("bars of every degree that the shape allows, the scenario's own marked and moved along", async () => {
  const page = await open("&model=llama-3.1-8b&system=dgx-h100&tensor_parallel=4");
  const bars = page.locator("commcost-serve commcost-stacked-bars").first();
  for (const label of [/^TP 1\b/, /^TP 2\b/, /^TP 4 \(yours\)/, /^TP 8\b/])
    await bars.getByText(label).first().waitFor({ state: "attached" });
  await field(page, "tensor_parallel").fill("2");
  await bars
    .getByText(/^TP\s2 \(yours\)/)
    .first()
    .waitFor({ state: "attached" });
  await page.getByText("Which all-reduce, and why").waitFor();
  await page.getByText(/runs by one-shot/).waitFor();
  await field(page, "tensor_parallel").fill("1");
  await page.getByText("TP 1 has nothing to all-reduce.").waitFor();
  await page.done();
});

test("each kernel by size, with what was published of that GPU", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=8&batch_size=8");
  const chart = page.locator("commcost-serve commcost-line-chart", { hasText: "Each kernel by size." });
  await chart.getByText(/Dots are published times on H100/).waitFor();
  await chart.getByText("Table").click();
  await chart.locator("tbody tr").first().waitFor();
  const cells = await chart.locator("tbody tr").allTextContents();
  const published = readFileSync(new URL("../../web/scoreboard/kernels.csv", import.meta.url), "utf8");
  const rows = published.split("\n").filter((line) => line.startsWith("h100-sxm,"));
  assert.equal(cells.filter((row) => row.startsWith("measured")).length, rows.length);
  // At the step's own size a curve is the step's own kernel.
  const { allreduce_kernels: kernels, allreduce_bytes: bytes } = engine.serving_step({
    model: "llama-3.1-70b",
    system: "dgx-h100",
    tensor_parallel: 8,
    batch_size: 8,
    sequence_length: 2048,
  });
  for (const { kernel, start_us, transfer_us } of kernels) {
    const { time_us } = engine.predict_collective({
      system: "dgx-h100",
      collective: "all_reduce",
      num_gpus: 8,
      message_size_bytes: bytes,
      allreduce_kernel: kernel,
    });
    assert.ok(Math.abs(time_us / (start_us + transfer_us) - 1) < 1e-9, kernel);
  }
  await field(page, "tensor_parallel").fill("4");
  await chart.getByText(/over 4\sGPUs/).waitFor();
  await page.done();
});

test("fewer bytes a weight, fewer to read; what does not fit says so", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=1");
  const step = page.locator('commcost-serve [data-step="lead"]');
  assert.match(await step.textContent(), /It does not fit/);
  const whole = await told(page, "step_time_ms");
  await unfold(page, folded);
  await field(page, "weight_bytes_per_element").fill("0.5");
  await caughtUp(page);
  assert.ok((await told(page, "step_time_ms")) < 0.5 * whole);
  assert.doesNotMatch(await step.textContent(), /It does not fit/);
  await field(page, "weight_bytes_per_element").fill("many");
  await page.locator("commcost-serve .stale-note").waitFor();
  await page.done();
});

test("what the stack does is shown, typed over and put back", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h200&tensor_parallel=4&serving_recipe=gpt-fast");
  const before = await told(page, "step_time_ms");
  await unfold(page, folded);
  assert.equal(await field(page, "kernel_start_us").inputValue(), "0.77");
  await field(page, "kernel_start_us").fill("40");
  await caughtUp(page);
  assert.ok((await told(page, "step_time_ms")) > before);
  await page.waitForFunction(() => location.hash.includes("kernel_start_us=40"));
  await page.getByRole("button", { name: /back to gpt-fast: 0.77/ }).click();
  await caughtUp(page);
  assert.equal(await told(page, "step_time_ms"), before);
  // Both kinds of stacks have factors on kernels: the server's is its own.
  await field(page, "serving_gemm_time_scale").fill("10");
  await page.waitForFunction(() => location.hash.includes("serving_gemm_time_scale=10"));
  assert.ok(!(await page.evaluate(() => /[&#]gemm_time_scale/.test(location.hash))));
  await page.done();
});

test("bytes that follow the scenario's numbers say which those are", async () => {
  const page = await open("&bytes_per_element=1");
  assert.equal(await field(page, "kv_bytes_per_element").getAttribute("placeholder"), "1");
  await page.done();
});

test("every message of a token and of a prompt, and what a request comes to", async () => {
  const page = await open("&model=llama-3.1-70b&system=dgx-h200&tensor_parallel=4&batch_size=8");
  const { messages, token } = engine.serving_step({
    model: "llama-3.1-70b",
    system: "dgx-h200",
    tensor_parallel: 4,
    batch_size: 8,
    sequence_length: 2048,
  });
  const rows = (phase) => page.locator(`commcost-serve .messages tbody[data-phase="${phase}"] tr`);
  await expect(rows("decode")).toHaveCount(1 + messages.filter(({ phase }) => phase === "decode").length);
  await expect(rows("prefill")).toHaveCount(1 + messages.filter(({ phase }) => phase === "prefill").length);
  const shown = await page.locator('commcost-serve [data-result="token_bytes"]').innerText();
  assert.ok(Math.abs(parseFloat(shown) / (token.sent_bytes_per_gpu / 1e6) - 1) < 0.01, `${shown}`);
  await field(page, "tensor_parallel").fill("1");
  await page.getByText("One GPU has no other to send to.").waitFor();
  await page.done();
});

test("experts: what a batch reads of them", async () => {
  const page = await open("&model=deepseek-v3&system=dgx-b200&tensor_parallel=8&batch_size=1");
  const read = page.locator('commcost-serve [data-fact="experts_read"]');
  assert.equal(parseFloat(await read.innerText()), 8);
  await field(page, "batch_size").fill("1024");
  await caughtUp(page);
  assert.equal(parseFloat(await read.innerText()), 256);
  await page.done();
});

const shownNumber = async (page, name) =>
  parseFloat(await page.locator(`commcost-serve [data-answer="${name}"]`).innerText());

test("the first screen answers: a deployment within TPOT and TTFT, why others lose, and its launch", async () => {
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-h200");
  const lead = page.locator('commcost-serve [data-deployment="lead"]');
  const asked = { model: "llama-3.1-70b", system: "dgx-h200" };
  const { deployments } = engine.plan_serving(asked);
  const [best] = deployments;
  await lead.getByText(`TP ${best.tensor_parallel}`).waitFor();
  // Each row has its times with their bands.
  for (const time of ["token", "first_token"]) {
    const cells = page.locator(`commcost-serve td[data-deployment="deployments.${time}_ms"]`);
    await expect(cells).toHaveCount(deployments.length);
    for (const [at, cell] of (await cells.allInnerTexts()).entries()) {
      const [, value, unit, low, lowUnit, high, highUnit] =
        /^([\d.]+)\s(m?s) \(([\d.]+)(?:\s(m?s))?–([\d.]+)\s(m?s)\)$/.exec(cell) ?? assert.fail(cell);
      const shown = [
        [value, unit, deployments[at][`${time}_ms`]],
        [low, lowUnit ?? highUnit, deployments[at][`${time}_low_ms`]],
        [high, highUnit, deployments[at][`${time}_high_ms`]],
      ];
      for (const [text, of, told] of shown)
        assert.ok(Math.abs((Number(text) * (of === "s" ? 1000 : 1)) / told - 1) < 0.006, `${cell}: ${told}`);
    }
  }
  assert.ok(Math.abs((await shownNumber(page, "requests_per_sec")) / best.requests_per_sec - 1) < 0.006);
  assert.ok(
    Math.abs((await shownNumber(page, "output_tokens_per_sec_per_gpu")) / best.output_tokens_per_sec_per_gpu - 1) <
      0.006,
  );
  assert.match(await lead.innerText(), /TPOT within 50\sms and TTFT within 1\ss/);
  await field(page, "most_token_ms").fill("15");
  await caughtUp(page);
  const quick = engine.plan_serving({ ...asked, most_token_ms: 15 });
  assert.ok(quick.deployments[0].tensor_parallel > best.tensor_parallel);
  // The launch is of the best, or of another that is chosen.
  const launches = page.locator("commcost-deployment-launch");
  const vllm = launches.locator("details.export").first();
  await vllm.locator("summary").first().click();
  const launch = (row, replicas = row.replicas) => {
    const { tensor_parallel, pipeline_parallel, expert_parallel, batch_size, step_tokens } = row;
    const settings = { replicas, batch_size, step_tokens };
    return engine.export_deployment({ ...asked, tensor_parallel, pipeline_parallel, expert_parallel, ...settings });
  };
  const shown = vllm.locator("pre").first();
  assert.equal((await shown.innerText()).trim(), launch(quick.deployments[0]).text.trim());
  assert.match(await shown.innerText(), /^vllm serve meta-llama\/Llama-3.1-70B \\$/m);
  await launches.locator("select").selectOption({ index: 1 });
  await shown.getByText(`--tensor-parallel-size ${quick.deployments[1].tensor_parallel} `).waitFor();
  assert.equal(
    await launches
      .locator("details.export > summary")
      .allInnerTexts()
      .then((names) => names.join()),
    "vLLM,SGLang,TensorRT-LLM",
  );
  await page.getByText("TPOT over 15 ms even with one sequence").first().waitFor();
  // A rate is answered by the servers that it needs.
  await field(page, "most_token_ms").fill("50");
  await unfold(page, folded);
  await field(page, "requests_per_sec").fill("2");
  const [few] = engine.plan_serving({ ...asked, requests_per_sec: 2 }).deployments;
  assert.ok(few.needed_replicas < few.replicas);
  await launches.locator("[data-started]").getByText("this starts").waitFor();
  await launches.locator("select").selectOption({ index: 0 });
  await expect.poll(async () => (await shown.innerText()).trim()).toBe(launch(few, few.needed_replicas).text.trim());
  await field(page, "most_token_ms").fill("0.01");
  await page.getByText(/No deployment on 8\sGPUs has TPOT within/).waitFor();
  await field(page, "most_token_ms").fill("soon");
  await page
    .locator("#field-most_token_ms-note")
    .getByText(/: enter a time such as/)
    .waitFor();
  await page.done();
});

test("at 1024 px the question stands beside its answer, in the first screen", async () => {
  const page = await open("&v=5", { viewport: { width: 1024, height: 768 } });
  for (const name of ["serving_gpus", "prompt_tokens", "most_token_ms", "latency_percentile", "serving_recipe"])
    await expect(field(page, name)).toBeInViewport({ ratio: 1 });
  await page.done();
});

/** What is set behind the question's fold. */
const heldBehind = (page) => page.locator("commcost-scenario summary", { hasText: folded }).locator("[data-held]");

test("precision is one choice, and a GPU-hour's price becomes that of a million tokens", async () => {
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-h200");
  const asked = { model: "llama-3.1-70b", system: "dgx-h200" };
  await page.locator("commcost-scenario #precision").selectOption("fp8_kv");
  await caughtUp(page);
  const fp8 = engine.plan_serving({
    ...asked,
    weight_bytes_per_element: 1,
    matmul_precision: "fp8",
    kv_bytes_per_element: 1,
  }).deployments[0];
  assert.ok(fp8.requests_per_sec > 1.3 * engine.plan_serving(asked).deployments[0].requests_per_sec);
  assert.ok(Math.abs((await shownNumber(page, "requests_per_sec")) / fp8.requests_per_sec - 1) < 0.006);
  await page.waitForFunction(() => location.hash.includes("kv_bytes_per_element=1"));
  await unfold(page, folded);
  await field(page, "price_per_gpu_hour").fill("2");
  await expect(heldBehind(page)).toHaveText(/^: Price per GPU-hour 2, Weight precision 1 byte and 2 more/);
  // What the model says of itself is behind its line.
  await expect(page.getByLabel("Hidden size")).toBeHidden();
  await caughtUp(page);
  const price = 2e6 / (fp8.output_tokens_per_sec_per_gpu * 3600);
  assert.ok(Math.abs((await shownNumber(page, "price")) / price - 1) < 0.006);
  await field(page, "weight_bytes_per_element").fill("0.7");
  await page.locator("commcost-scenario #precision").getByText("as set below").waitFor({ state: "attached" });
  await page.done();
});

test("MXFP8 is offered where the hardware multiplies in it, as a 32nd more bytes than FP8", async () => {
  const asked = { model: "llama-3.1-70b", system: "dgx-b200" };
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-b200");
  const choice = page.locator("commcost-scenario #precision");
  await choice.selectOption("mxfp8");
  await caughtUp(page);
  const [best] = engine.plan_serving({
    ...asked,
    weight_bytes_per_element: 33 / 32,
    matmul_precision: "mxfp8",
  }).deployments;
  assert.ok(Math.abs((await shownNumber(page, "requests_per_sec")) / best.requests_per_sec - 1) < 0.006);
  await expect(heldBehind(page)).toHaveText(/^: Weight precision 1\.03125\sbytes, GEMM precision MXFP8/);
  await page.done();
  const without = await open("&v=2&model=llama-3.1-70b&system=dgx-h200");
  const names = await without.locator("commcost-scenario #precision option").allTextContents();
  assert.deepEqual(
    names.map((name) => name.trim()).filter((name) => /FP8|NVFP4/.test(name)),
    ["FP8", "FP8, FP8 KV cache"],
  );
  await without.done();
});

test("links of before ask for any latency, those of today for what somebody would deploy", async () => {
  const asked = { model: "llama-3.1-8b", system: "dgx-h100" };
  for (const [version, limits] of [
    ["", { most_token_ms: 0, most_first_token_ms: 0 }],
    ["&v=2", {}],
  ]) {
    const page = await open(`${version}&model=llama-3.1-8b&system=dgx-h100`);
    const [best] = engine.plan_serving({ ...asked, ...limits }).deployments;
    assert.ok(Math.abs((await shownNumber(page, "requests_per_sec")) / best.requests_per_sec - 1) < 0.006, version);
    await page.done();
  }
});

test("under load: percentiles against the rate, the knee, queue and batch over time; cancelled and played on", async () => {
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-h200&requests=500");
  const load = page.locator("commcost-serving-load");
  await load.scrollIntoViewIfNeeded();
  const lead = load.locator('[data-load="lead"]');
  await lead.waitFor({ timeout: 60_000 });
  const knee = parseFloat(await load.locator('[data-load="knee"]').innerText());
  const asked = { model: "llama-3.1-70b", system: "dgx-h200" };
  const [best] = engine.plan_serving(asked).deployments;
  assert.ok(knee > 0.3 * best.requests_per_sec && knee <= 1.1 * best.requests_per_sec, `${knee}`);
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = best;
  const at = (requests_per_sec) =>
    engine.serving_load({
      ...asked,
      tensor_parallel,
      pipeline_parallel,
      expert_parallel,
      replicas,
      batch_size,
      step_tokens,
      requests: 500,
      requests_per_sec,
    });
  const { first_token, token, keeps_up } = at(knee);
  assert.ok(keeps_up && first_token.p99_ms <= 1000 && token.p99_ms <= 50);
  await load.getByText("Queue and batch over time, one server.").waitFor();
  await load.getByText("TTFT against the request rate.").waitFor();
  await load.getByText(/No stack publishes percentiles/).waitFor();
  await unfold(page, folded);
  await field(page, "requests_per_sec").fill("1");
  await load.scrollIntoViewIfNeeded();
  await lead.getByText(/At your 1 requests\/s: P99 TTFT/).waitFor({ timeout: 60_000 });
  await page.done();
});

test("tokens per step are the answer's until they are typed, and the launch has them", async () => {
  const asked = { model: "llama-3.1-70b", system: "dgx-h200", prompt_tokens: 6000 };
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-h200&prompt_tokens=6000&requests=500");
  const said = page.locator('commcost-serve [data-answer="step_tokens"]');
  const [best] = engine.plan_serving(asked).deployments;
  await expect(said).toHaveText(new RegExp(`^At most ${best.step_tokens.toLocaleString("en")}\\stokens`));
  const launch = page.locator("commcost-deployment-launch details.export").first();
  await launch.locator("summary").first().click();
  const command = launch.locator("pre").first();
  await expect(command).toHaveText(new RegExp(`--max-num-batched-tokens ${best.step_tokens} `));
  const load = page.locator("commcost-serving-load");
  await load.scrollIntoViewIfNeeded();
  await expect(field(page, "step_tokens")).toHaveAttribute("placeholder", String(best.step_tokens));
  await field(page, "step_tokens").fill("1024");
  const [cut] = engine.plan_serving({ ...asked, step_tokens: 1024 }).deployments;
  assert.ok(cut.first_token_ms > best.first_token_ms);
  await expect(said).toHaveText(/^At most 1,024\stokens/);
  await expect(command).toHaveText(/--max-num-batched-tokens 1024 /);
  await page.waitForFunction(() => location.hash.includes("step_tokens=1024"));
  await field(page, "step_tokens").fill("");
  await expect(said).toHaveText(new RegExp(`^At most ${best.step_tokens.toLocaleString("en")}\\stokens`));
  await page.done();
});

test("clean for axe, wide, in the dark and at 360 px, without nonsense", { tag: "@long" }, async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 800 } }]) {
    const page = await open("", options);
    assert.deepEqual(await axeFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.equal(nonsense(await shownText(page)), undefined);
    await page.done();
  }
});

test("the answer says TTFT and TPOT at P50 and P99, as serving_load plays them, and never those of another answer", async () => {
  const limits = "&v=2&most_token_ms=50&most_first_token_ms=1000";
  const page = await open(`&model=llama-3.1-70b&system=dgx-h200&serving_gpus=8${limits}`);
  const said = page.locator('commcost-serve [data-answer="percentiles"]');
  await said.waitFor();
  const [best] = engine.plan_serving({ model: "llama-3.1-70b", system: "dgx-h200", cluster_gpus: 8 }).deployments;
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = best;
  const played = (load) =>
    engine.serving_load({
      model: "llama-3.1-70b",
      system: "dgx-h200",
      ...{ tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens, requests: 10_000 },
      ...load,
    });
  const near = (text, pattern, ms) => {
    const [, value, unit] = new RegExp(`${pattern} ([\\d.]+)\\s(ms|s)`).exec(text);
    assert.ok(Math.abs((Number(value) * (unit === "s" ? 1000 : 1)) / ms - 1) < 0.006, `${text} for ${ms}`);
  };
  const steady = played({ requests_per_sec: Number((0.8 * best.requests_per_sec).toPrecision(3)) });
  const text = await said.innerText();
  near(text, "TTFT", steady.first_token.p50_ms);
  near(text, "TPOT", steady.token.p50_ms);
  near(text, "TPOT .*? at P50,", steady.token.p99_ms);
  assert.match(text, /80\s% of what it serves/);
  // A rate of the servers' own is lower where their steps are longer: no queue grows.
  assert.doesNotMatch(text, /or more|would still wait/);
  await unfold(page, folded);
  await field(page, "requests_per_sec").fill("4");
  await page.getByText(/At your 4 requests\/s: TTFT/).waitFor();
  near(await said.innerText(), "TTFT", played({ requests_per_sec: 4 }).first_token.p50_ms);
  const most = Number((0.95 * best.requests_per_sec).toPrecision(3));
  await field(page, "requests_per_sec").fill(String(most));
  await page
    .getByText(/TTFT [\d.]+\sm?s \([\d.]+\sm?s or more\) .* If every step took as long as its range allows/)
    .waitFor();
  await field(page, "requests_per_sec").fill("4000");
  await page.getByText(/It can’t keep up with your 4,?000 requests\/s/).waitFor();
  await page.done();
});

test("one link says why TP 8 is slower than TP 4, and another which of TP 2 × PP 2 and TP 4", async () => {
  const question =
    "&v=2&model=llama-3.2-1b&system=dgx-h100&serving_allreduce_kernel=nccl&serving_gpus=8&batch_size=1&sequence_length=1024&most_token_ms=50&most_first_token_ms=1000";
  const page = await open(`${question}&tensor_parallel=8`);
  // In the first screen, where the link is opened wide.
  const apart = page.locator('commcost-serve [data-answer="apart"]');
  await apart.waitFor();
  const within = async (place, height) => {
    const { y, height: tall } = await place.boundingBox();
    assert.ok(y >= 0 && y + tall <= height, `${y} and ${tall} of ${height}`);
  };
  await within(apart, 900);
  const step = (tensor_parallel, pipeline_parallel = 1) =>
    engine.serving_step({
      model: "llama-3.2-1b",
      allreduce_kernel: "nccl",
      system: "dgx-h100",
      tensor_parallel,
      pipeline_parallel,
      batch_size: 1,
      sequence_length: 1024,
    });
  const [eight, four] = [step(8), step(4)];
  const text = await apart.innerText();
  const [, by, way] = /^A token takes ([\d.]+)\s(?:ms|µs) (longer|less) at TP 8 than at TP 4/.exec(text);
  assert.equal(way === "longer", eight.step_time_ms > four.step_time_ms);
  assert.equal(way, "longer");
  const difference = Math.abs(eight.step_time_ms - four.step_time_ms);
  assert.ok(
    [difference, difference * 1000].some((ms) => Math.abs(Number(by) / ms - 1) < 0.01),
    `${by} for ${difference}`,
  );
  assert.match(text, /all-reduces [\d.]+\s(ms|µs) (more|less)/);
  assert.ok(text.includes(`${eight.allreduce_calls} all-reduces of`), text);
  assert.match(text, /TP 8: .* by (one-shot|two-shot|NVLS|NCCL).*, [\d.]+\s(µs|ms) each; TP 4: /i);
  assert.match(text, /TP 8 serves [\d.]+ requests\/s; TP 4 serves [\d.]+ requests\/s/);
  // The same lines where one step is shown in depth.
  assert.equal(await page.locator('commcost-serve [data-step="apart"]').innerText(), text);
  await page.done();
  const phone = await open(`${question}&tensor_parallel=8`, { viewport: { width: 360, height: 640 } });
  await within(phone.locator('commcost-serve [data-answer="apart"]'), 640);
  await phone.done();
  // A degree that is no slower needs no reason, and neither does one that was not given.
  for (const said of ["&tensor_parallel=4", ""]) {
    const other = await open(`&v=2&model=llama-3.1-70b&system=dgx-h200${said}`);
    await other.locator('commcost-serve [data-step="apart"]').waitFor();
    assert.equal(await other.locator('commcost-serve [data-answer="apart"]').count(), 0, said);
    await other.done();
  }
  // Stages are compared with as many GPUs without them, even in one link without a pinned scenario.
  const staged = await open(`${question}&tensor_parallel=2&pipeline_parallel=2`);
  const stages = staged.locator('commcost-serve [data-answer="apart"]');
  await stages.waitFor();
  await within(stages, 900);
  assert.match(await stages.innerText(), /at TP 2 × PP 2 than at TP 4: .* by NCCL, .* by NCCL/);
  await staged.done();
  const split = await open(
    `${question}&tensor_parallel=2&pipeline_parallel=2&pin.model=llama-3.2-1b&pin.system=dgx-h100&pin.serving_allreduce_kernel=nccl&pin.serving_gpus=8&pin.batch_size=1&pin.tensor_parallel=4`,
  );
  const other = split.locator('commcost-serve [data-answer="apart"]');
  await other.waitFor();
  const says = await other.innerText();
  assert.match(says, /at TP 2 × PP 2 than at TP 4/);
  assert.equal(/longer at/.test(says), step(2, 2).step_time_ms > four.step_time_ms);
  assert.match(says, /TP 2 × PP 2 serves [\d.]+ requests\/s; TP 4 serves/);
  await split.done();
});

test("at a percentile the answer is the deployment of most goodput, found next to a page that answers", async () => {
  const asked = { model: "llama-3.1-70b", system: "dgx-h200", weight_bytes_per_element: 1, matmul_precision: "fp8" };
  const page = await open(
    "&v=2&model=llama-3.1-70b&system=dgx-h200&requests=1000&weight_bytes_per_element=1&matmul_precision=fp8",
  );
  const near = async (name, value) =>
    expect.poll(async () => Math.abs((await shownNumber(page, name)) / value - 1)).toBeLessThan(0.006);
  const steady = engine.plan_serving(asked).deployments[0];
  await near("requests_per_sec", steady.requests_per_sec);
  const search = page.locator("commcost-serve [data-goodput]");
  const done = page.locator('commcost-serve [data-goodput="done"]');

  await field(page, "latency_percentile").selectOption("p99");
  await done.waitFor({ state: "attached", timeout: 60_000 });
  const { deployments, loads } = engine.plan_goodput({ ...asked, requests: 1000, latency_percentile: "p99" });
  await near("requests_per_sec", deployments[0].requests_per_sec);
  assert.ok(deployments[0].requests_per_sec < steady.requests_per_sec);
  const answer = page.locator("commcost-serve .answer");
  await expect(answer).toHaveText(/with P99 TPOT within 50\sms and P99 TTFT within 1\ss\./);
  await expect(answer).not.toHaveClass(/stale/);
  const unders = page.locator("commcost-serve .unders");
  const ms = (value) => (value < 1000 ? value : value / 1000).toPrecision(3).replace(".", "\\.");
  const told = ({ p50_ms, p99_ms }) => `${ms(p50_ms)}\\sm?s \\([^)]*\\) at P50, ${ms(p99_ms)}\\sm?s \\([^)]*\\) at P99`;
  await expect(unders).toHaveText(
    new RegExp(`At this rate: TTFT ${told(loads[0].first_token)}; TPOT ${told(loads[0].token)}`),
  );
  await expect(unders).toHaveText(/with Poisson arrivals, simulated/);
  await expect(page.locator('commcost-serve td[data-deployment="loads.token.p99_ms"]').first()).toHaveText(
    new RegExp(`^${ms(loads[0].token.p99_ms)}\\sm?s \\(${ms(loads[0].token.p99_low_ms)}`),
  );
  // One that could not win was not simulated, and says why.
  const skipped = loads.findIndex(({ simulated }) => !simulated);
  assert.ok(skipped > 0);
  await page
    .getByText(/not simulated: at most [\d.]+ requests\/s without a queue/)
    .first()
    .waitFor();
  await page.waitForFunction(() => location.hash.includes("latency_percentile=p99"));

  // While another is simulated the last answer stays, dimmed, in its own words.
  const older = await page.evaluate(async () => {
    const app = document.querySelector("commcost-app");
    const view = app.renderRoot.querySelector("commcost-serve");
    app.scenario.set({ most_token_ms: "45", prompt_tokens: "2048" });
    await view.updateComplete;
    const read = (selector) => view.renderRoot.querySelector(selector).textContent.replace(/\s+/g, " ");
    const dimmed = [".answer", ".unders", ".figure", ".rest"].every((part) =>
      view.renderRoot.querySelector(part).matches(".stale"),
    );
    return { dimmed, headline: read(".headline"), says: read(".sought"), under: read(".unders") };
  });
  assert.ok(older.dimmed);
  assert.match(older.headline, /with P99 TPOT within 50 ms/);
  assert.match(older.under, /1,?024 tokens in/);
  assert.match(
    older.says,
    /Below is the last answer: .*· 1,?024 tokens in, 256 out · .* · P99 TPOT within 50 ms and P99 TTFT within 1 s\./,
  );
  assert.doesNotMatch(older.says, /without a queue/);
  await expect(answer).toHaveText(/with P99 TPOT within 45\sms/, { timeout: 60_000 });
  await expect(answer).not.toHaveClass(/stale/);
  await expect(unders).toHaveText(/2,048\stokens\sin/);
  await field(page, "prompt_tokens").fill("1024");
  await field(page, "most_token_ms").fill("50");

  // The reader's own rate is about the same deployment.
  await unfold(page, folded);
  await field(page, "requests_per_sec").fill("5");
  await page.getByText(/At your 5 requests\/s: TTFT/).waitFor();
  const needed = engine.plan_goodput({ ...asked, requests: 1000, latency_percentile: "p99", requests_per_sec: 5 });
  const gpus = needed.deployments.map(({ needed_gpus }) => needed_gpus).filter((count) => count > 0);
  const fewest = Math.min(...gpus);
  await page
    .getByText(new RegExp(`Your 5 requests/s need ${fewest === 1 ? "one GPU" : `${fewest}\\sGPUs`}, as `))
    .waitFor();
  await page.getByRole("columnheader", { name: "GPUs for your rate" }).waitFor();
  await field(page, "latency_percentile").selectOption("");
  await expect(search).toHaveCount(0);
  await near("requests_per_sec", steady.requests_per_sec);
  await page.done();
});

test("a search at a percentile is cancelled, says so, and goes on; the page answers meanwhile", async () => {
  const page = await open("&v=2&model=llama-3.1-70b&system=dgx-h200&requests=20000&latency_percentile=p95");
  const search = page.locator("commcost-serve [data-goodput]");
  const answer = page.locator("commcost-serve .answer");
  await search.getByRole("button", { name: "Cancel" }).click();
  await expect(search).toHaveText(
    /Stopped (after \d+|before the first) deployments?\. This is the answer without a queue/,
  );
  await expect(answer).toHaveClass(/stale/);
  await expect(answer).toHaveText(/with TPOT within 50\sms/);
  assert.deepEqual(await axeFindings(page), []);
  await search.getByRole("button", { name: "Go on" }).click();
  await search.getByRole("button", { name: "Cancel" }).waitFor();
  // What is typed meanwhile is answered at once, and searched anew.
  await field(page, "most_token_ms").fill("40");
  await expect(answer).toHaveText(/with TPOT within 40\sms/);
  await field(page, "latency_percentile").selectOption("");
  await expect(answer).not.toHaveClass(/stale/);
  await page.done();
});
