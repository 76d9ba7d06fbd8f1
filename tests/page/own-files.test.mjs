// A reader's own files: dropped or pasted anywhere, kept over views and visits, removed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { dropFiles, goTo, openPage, seeAll } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const data = (name) => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

const drop = (page, name, text) => dropFiles(page, [{ name, text }]);
const paste = (page, text) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
  }, text);

// Sizes and times of a DGX A100's all-reduce, as nccl-tests prints them.
const log = `# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1073741824 step: 4(factor) warmup iters: 5 iters: 20
${Array.from({ length: 8 }, (_, rank) => `#  Rank  ${rank} Group  0 Pid  1 on node device  ${rank} [0x07] NVIDIA A100-SXM4-80GB\n`).join("")}#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
       16384          4096     float     sum      -1    30.10    0.54    0.95      0    30.00    0.55    0.96      0
     1048576        262144     float     sum      -1    48.52   21.61   37.82      0    48.02   21.84   38.21      0
     4194304       1048576     float     sum      -1    86.41   48.54   84.94      0    86.12   48.70   85.23      0
    16777216       4194304     float     sum      -1    170.3   98.52   172.4      0    169.9   98.75   172.8      0
    67108864      16777216     float     sum      -1    552.1   121.6   212.7      0    551.0   121.8   213.1      0
   268435456      67108864     float     sum      -1   2044.0   131.3   229.8      0   2041.0   131.5   230.2      0
  1073741824     268435456     float     sum      -1   8010.0   134.1   234.6      0   8003.0   134.2   234.8      0
`;

test("a configuration dropped anywhere is the model, until it is removed", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "config.json", data("model_configs/smollm2-135m.json"));
  await page.getByText("config.json is the model now.").waitFor();
  await page.waitForFunction(() => location.hash.includes("hidden_size=576"));
  await page.getByRole("button", { name: "Remove the model config.json" }).click();
  await page.waitForFunction(() => !location.hash.includes("hidden_size=576"));
  await page.done();
});

test("what of a model is not counted is said again after a reload, until another is chosen", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "config.json", data("model_configs/kimi-linear-48b-a3b.json"));
  const note = page.locator("[data-not-counted]");
  const says = "20 of 27 layers have linear attention; they are counted as full attention.";
  await expect(note).toContainText(says);
  await page.waitForFunction(() => location.hash.includes("left_out=linear_attention.20.27"));
  await page.reload();
  await expect(note).toContainText(says);
  await expect(note).toBeVisible();
  await page.evaluate(() => (location.hash = location.hash.replace("linear_attention.20.27", "made_up.1")));
  await expect(note).toContainText("left_out must be as read_model_config gives it; got made_up.1.");
  await page.evaluate(() => (location.hash = "#v=3&view=cost&model=llama-3-8b"));
  await expect(note).toHaveCount(0);
  await page.evaluate(() => (location.hash = "#v=3&view=cost&model=qwen3-next-80b-a3b"));
  await expect(note).toHaveText("Qwen3-Next 80B-A3B: linear attention counted as full.");
  await page.done();
});

test("what is no configuration is said to be none, with what to do", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "config.json", '{"model_type": "mamba"}');
  await page
    .getByText(
      "config.json lacks num_hidden_layers, hidden_size, vocab_size, num_attention_heads and intermediate_size. Drop the config.json that transformers wrote for a language model, or choose a similar model and type what differs under Shape.",
    )
    .waitFor();
  await drop(page, "config.json", '{"model_type": "llama", "num_hidden_layers": -3}');
  await page
    .getByText(
      "config.json: num_hidden_layers must be a whole number of at least 1, not -3. Correct the file and drop it again.",
    )
    .waitFor();
  await page.done();
});

test("a log pasted anywhere is fitted, and stays over views and visits", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await paste(page, log);
  await page.locator("commcost-diagnose [data-fit]").waitFor();
  await goTo(page, "cost");
  await page.locator("commcost-cost").waitFor();
  await page.reload();
  await goTo(page, "diagnose");
  await page.locator("commcost-diagnose [data-fit]").waitFor();
  await page.getByRole("button", { name: "Remove the nccl-tests log pasted" }).click();
  await page.locator("commcost-diagnose [data-fit]").waitFor({ state: "detached" });
  // The address follows a moment later.
  await page.waitForFunction(() => location.hash.includes("view=diagnose"));
  await page.reload();
  await page.locator("commcost-diagnose").waitFor();
  assert.equal(await page.locator("commcost-diagnose [data-fit]").count(), 0);
  await page.done();
});

test("a launch dropped or pasted anywhere becomes the scenario, with what was found and what was not", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await drop(
    page,
    "run.sh",
    `TP=4
torchrun --nproc-per-node 8 --nnodes 4 pretrain_gpt.py \\
  --num-layers 24 --hidden-size 2048 --num-attention-heads 16 --vocab-size 50304 --seq-length 4096 \\
  --micro-batch-size 2 --global-batch-size 64 --tensor-model-parallel-size $TP --bf16 --data-path /data`,
  );
  await page
    .getByText(
      /^run.sh is read as a launch of Megatron-LM \(options of commit \w+\): \d+ inputs found. Not understood: --data-path\./,
    )
    .waitFor();
  await page.waitForFunction(() => location.hash.includes("view=plan"));
  for (const [name, value] of [
    ["num_layers", "24"],
    ["plan_tensor_parallel", "4"],
    ["cluster_gpus", "32"],
    ["plan_batch_size", "2"],
  ])
    assert.equal(
      await page.evaluate((name) => document.querySelector("commcost-app").scenario.text(name), name),
      value,
    );
  // A launch that can't start keeps its cluster, and says which degree would divide it.
  await paste(
    page,
    `torchrun --nproc-per-node 8 --nnodes 8 pretrain_gpt.py --num-layers 80 --hidden-size 8192 \\
  --num-attention-heads 64 --ffn-hidden-size 28672 --seq-length 8192 --micro-batch-size 1 --global-batch-size 512 \\
  --tensor-model-parallel-size 8 --pipeline-model-parallel-size 3 --bf16`,
  );
  await expect(page.locator("commcost-plan")).toContainText(
    "TP × PP (8 × 3 = 24) must divide GPUs (64); try PP 2 or 4",
  );
  // A line of a server is its own stack's.
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const told = "--max-num-batched-tokens 2048 --no-enable-chunked-prefill --gpu-memory-utilization 0.95";
    clipboardData.setData("text", `vllm serve Qwen/Qwen2.5-7B -tp 2 --max-num-seqs 32 --max-model-len 4096 ${told}`);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
  });
  await page.getByText(/^pasted is read as a launch of vLLM/).waitFor();
  await page.waitForFunction(() => location.hash.includes("view=serve"));
  for (const [name, value] of [
    ["serving_tensor_parallel", "2"],
    ["step_tokens", "2048"],
    ["chunked_prefill", "false"],
    ["memory_share", "0.95"],
  ])
    assert.equal(
      await page.evaluate((name) => document.querySelector("commcost-app").scenario.text(name), name),
      value,
    );
  // A file of a year ago, and a checkpoint that says its precision.
  await drop(
    page,
    "llama3_70b.toml",
    '[model]\nname = "llama3"\nflavor = "70B"\n[training]\nlocal_batch_size = 8\nseq_len = 8192\n[parallelism]\ntensor_parallel_degree = 8\n',
  );
  await page.getByText(/^llama3_70b.toml is read as a launch of torchtitan.*Not understood: TOML/).waitFor();
  await page.waitForFunction(() => location.hash.includes("view=plan") && location.hash.includes("llama-3.1-70b"));
  await drop(page, "serve.sh", "python -m sglang.launch_server --model-path nvidia/DeepSeek-R1-FP4 --tp 8");
  await page.getByText(/^serve.sh is read as a launch of SGLang/).waitFor();
  await page.waitForFunction(() => location.hash.includes("view=serve") && location.hash.includes("nvfp4"));
  // A configuration on one line is one too, and other text is answered.
  const config = {
    model_type: "llama",
    hidden_size: 512,
    num_hidden_layers: 3,
    num_attention_heads: 8,
    vocab_size: 99,
  };
  await paste(page, JSON.stringify(config));
  await page.waitForFunction(() => document.querySelector("commcost-app").scenario.text("num_layers") === "3");
  await paste(page, "nothing of ours");
  await page.getByText("This is not a file that we can read").waitFor();
  await page.done();
});

test("a launch says its rank among the families of the plan, and why it has none", async () => {
  const engine = await loadEngine();
  const job = {
    model: "llama-3.1-8b",
    system: "dgx-h100",
    cluster_gpus: 16,
    global_batch_size: 64,
    sequence_length: 8192,
  };
  const layout = { tensor_parallel: 8, sequence_parallel: true, pipeline_parallel: 2, batch_size: 1, zero_stage: 1 };
  const launch = (more) => engine.export_layout({ ...job, ...layout, ...more, format: "megatron_lm" }).text;
  const page = await openPage(browser, `${host.address}#view=plan&system=dgx-h100`, { ready: "commcost-plan" });
  await drop(page, "run.sh", launch({ recompute: "full" }));
  const rank = page.locator('[data-result="rank"]');
  await expect(rank).toHaveText(
    /^run\.sh: (\d+(st|nd|rd|th) of \d+ families|Slower than all \d+ families listed): the fastest, .+ takes [\d.]+\s% less\./,
    {
      timeout: 60_000,
    },
  );
  const inputs = await page.evaluate(() => {
    const { scenario } = document.querySelector("commcost-app");
    return scenario.inputs("plan").values;
  });
  const searched = Object.fromEntries(
    Object.entries(inputs).filter(
      ([name]) => !(name in layout) && !/_parallel$|^(recompute|virtual_stages|pipeline_schedule)$/.test(name),
    ),
  );
  const free = engine.plan(searched);
  const pinned = engine.plan(inputs);
  const said = Number(/takes ([\d.]+) % less/.exec(await rank.textContent())[1]);
  const less = 100 * (1 - free.fastest[0].step_time_ms / pinned.layouts[0].step_time_ms);
  assert.ok(Math.abs(said - less) < 0.06 * less, `${said} for ${less}`);
  // For one that does not fit, the message says what does.
  await drop(
    page,
    "run.sh",
    launch({ sequence_parallel: false, tensor_parallel: 1, pipeline_parallel: 1, data_parallel: 16, zero_stage: 0 }),
  );
  await expect(rank).toHaveText(/^run\.sh: Doesn’t fit: each GPU needs .+ more\. Of the layouts that fit, .+ takes /, {
    timeout: 60_000,
  });
  await page.done();
});

test("a profile dropped anywhere is taken apart in Diagnose", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.locator("commcost-own-files").waitFor();
  await drop(page, "trace.json", data("pytorch_trace.json"));
  await page.locator("commcost-diagnose commcost-trace commcost-stacked-bars").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Remove the profile trace.json" }).click();
  await page.locator("commcost-diagnose commcost-trace commcost-stacked-bars").waitFor({ state: "detached" });
  await page.done();
});

/** What a chart draws of the reader's own. */
const ownOf = (page, chart) =>
  page.locator(chart).evaluate((element) => {
    const { series, bars } = element.spec;
    return (series ?? bars).filter(({ name, color }) => name === "your log" || color === "own");
  });

test("a log stands in the charts of every view where its collective is, over tabs and visits, until it is removed", {
  tag: "@long",
}, async () => {
  const page = await openPage(browser, `${host.address}#view=network`, { ready: "commcost-network" });
  await page.locator("commcost-own-files").waitFor();
  await paste(page, log);
  await page.getByText("all-reduce on 8 GPUs").first().waitFor();
  const points = [...log.matchAll(/^ +(\d+) +\d+ +float +sum +-1 +([\d.]+)/gm)].map(([, size, time]) => [
    Number(size),
    Number(time),
  ]);

  await goTo(page, "network");
  // Network, without its being used as a calibration: sizes and times as they stand in the log.
  const [dots] = await ownOf(page, "commcost-network .figure commcost-line-chart");
  assert.deepEqual(
    dots.points.map(({ x, y }) => [x, y]),
    points,
  );
  // Its fit is another number of GPUs' in nothing: a group of 4 has no dots of it, and says so.
  await page.evaluate(() => document.querySelector("commcost-app").scenario.set({ tensor_parallel: "4" }));
  await page.getByText("Your log is of an all-reduce on 8 GPUs.").waitFor();
  assert.deepEqual(await ownOf(page, "commcost-network .figure commcost-line-chart"), []);
  await page.getByRole("button", { name: "Show that" }).click();
  await expect.poll(() => ownOf(page, "commcost-network .figure commcost-line-chart")).toHaveLength(1);

  // Cost: 64 all-reduces of 128 MiB, half way between 64 and 256 MiB on both logarithms.
  await goTo(page, "cost");
  await page.locator("commcost-cost [data-own]").waitFor();
  // The address follows a moment later.
  await page.waitForFunction(() => location.hash.includes("view=cost"));
  await page.reload();
  await page.locator("commcost-cost [data-own]").waitFor();
  const expected = (Math.sqrt(552.1 * 2044.0) * 64) / 1e3;
  const [there] = await ownOf(page, "commcost-cost .figure commcost-line-chart");
  assert.equal(there.points[0].x, 8);
  assert.ok(Math.abs(there.points[0].y / expected - 1) < 1e-12);

  // Overlap: the layer's all-reduces, each where it begins and as long as the log has it.
  await page.evaluate(() =>
    document.querySelector("commcost-app").scenario.set({
      plan_tensor_parallel: "8",
      plan_pipeline_parallel: "1",
      plan_context_parallel: "1",
      plan_sequence_parallel: "false",
      plan_batch_size: "8",
    }),
  );
  await goTo(page, "overlap");
  const bars = await ownOf(page, "commcost-overlap commcost-lane-chart");
  assert.equal(bars.length, 4);
  for (const { lane, duration } of bars) {
    assert.equal(lane, 2);
    assert.ok(Math.abs(duration / Math.sqrt(552.1 * 2044.0) - 1) < 1e-12);
  }
  await page.getByLabel("Communication of").selectOption("data_parallel");
  const heat = () => page.locator("commcost-overlap commcost-heat-map").evaluate((element) => element.spec.own?.ratio);
  // 6.48 billion weights of 2 bytes in buckets of 256 MB, on 8 replicas.
  await expect.poll(heat).toBeGreaterThan(0);

  // Serve: one sum of the layer, beside what the kernels take, where its step is of as many ranks.
  await goTo(page, "serve");
  await page.evaluate(() => document.querySelector("commcost-app").scenario.set({ serving_tensor_parallel: "8" }));
  const kernels = page.locator("commcost-serve commcost-bar-chart");
  await expect
    .poll(() => kernels.evaluateAll((all) => all.flatMap(({ spec }) => spec.bars.map(({ name }) => name))))
    .toContain("your log");

  // Ring: the same dots over the algorithms' curves; Step: a column of the ledger.
  await goTo(page, "ring");
  await expect.poll(() => ownOf(page, "commcost-ring .charts commcost-line-chart >> nth=0")).toHaveLength(1);
  await goTo(page, "step");
  await seeAll(page);
  await page.locator("commcost-step .ledger th", { hasText: "Your log" }).waitFor();

  await page.getByRole("button", { name: "Remove the nccl-tests log pasted" }).click();
  await page.locator("commcost-step .ledger th", { hasText: "Your log" }).waitFor({ state: "detached" });
  await goTo(page, "cost");
  assert.deepEqual(await ownOf(page, "commcost-cost .figure commcost-line-chart"), []);
  await page.done();
});
