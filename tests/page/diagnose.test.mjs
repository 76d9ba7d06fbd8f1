// Diagnose: files of a run dropped together, the answer in one sentence, the waterfall, causes with what to run next.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf, healthy, more } from "../support/diagnosis/cases.mjs";
import { axeFindings, dropFiles, field, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const engine = await loadEngine();
const caseOf = (name) =>
  filesOf(
    engine,
    [...before, ...healthy].find((one) => one.name === name),
  );

const address = (job) =>
  `${host.address}#view=diagnose&${Object.entries(job)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")}`;

const open = (job, options = {}) => openPage(browser, address(job), { ready: "commcost-diagnose", ...options });
const headline = (page) => page.locator('commcost-diagnose [data-result="verdict"]');

const drawnLog = (page) => page.locator("commcost-causes [data-log]").evaluate(({ spec }) => spec);

/** The curve next to a log is of the very times that its verdict is of, by what nccl-tests calls bus bandwidth. */
async function expectDrawnAsJudged(page, chart) {
  const [judged] = await page.locator("commcost-causes").evaluate(({ found }) =>
    found.networks.map((one) => ({
      ...one,
      ...Object.fromEntries(
        ["message_sizes_bytes", "expected_us", "low_us", "high_us"].map((name) => [name, [...one[name]]]),
      ),
    })),
  );
  const { message_sizes_bytes: sizes, expected_us, low_us, high_us, num_gpus } = judged;
  // doc/PERFORMANCE.md of nccl-tests: 2(n - 1)/n of the message for all-reduce, (n - 1)/n for all-gather.
  const passes = { all_reduce: 2, all_gather: 1 }[judged.collective];
  const near = (rate, size, time) =>
    assert.ok(Math.abs((rate * time * 1e3) / (((passes * (num_gpus - 1)) / num_gpus) * size) - 1) < 1e-9, `${size}`);
  const points = (of) => chart.series.find(({ name }) => name === of).points;
  assert.deepEqual(
    points("predicted").map(({ x }) => x),
    sizes,
  );
  points("predicted").forEach(({ y }, at) => near(y, sizes[at], expected_us[at]));
  for (const [at, { low, high }] of points("80 % of measurements").entries()) {
    near(low, sizes[at], high_us[at]);
    near(high, sizes[at], low_us[at]);
  }
}

test("files dropped together are answered in one sentence, cause by cause, and can be taken away", async () => {
  const { job, files } = caseOf("a power cap");
  const page = await open(job);
  await dropFiles(page, files);
  await expect(headline(page)).toContainText("clocks that are held down");
  const causes = page.locator("commcost-causes ol li");
  await expect(causes.first()).toContainText("MHz of at most 1,980 MHz");
  await expect(causes.first()).toContainText("nvidia-smi -q -d CLOCK");
  const spec = await page.locator("[data-waterfall]").evaluate((chart) => chart.spec);
  const [expected, ...rest] = spec.table.rows.map((row) => row[1]);
  const measured = rest.pop();
  const sum = rest.reduce((total, value) => total + value, expected);
  assert.ok(Math.abs(sum - measured) < 1e-6 * measured);
  assert.equal(spec.bars.length, spec.table.rows.length);
  await expect(page.locator(".given-files li")).toHaveCount(3);
  assert.deepEqual(await axeFindings(page), []);
  // The link says the job and holds no file.
  assert.ok(page.url().length < 2000);
  await page.getByRole("button", { name: "Take smi.csv away" }).click();
  await expect(headline(page)).toContainText("slow matrix products");
  await expect(page.locator(".given-files li")).toHaveCount(2);
  await page.done();
});

test("a healthy run is said to be as expected", async () => {
  const { job, files } = caseOf("a healthy pipeline");
  const page = await open(job);
  await dropFiles(page, files);
  await expect(headline(page)).toContainText("nothing to find");
  await expect(page.locator("commcost-causes ol")).toHaveCount(0);
  await page.done();
});

test("a network log alone is judged, and calibrates the network without moving the job", async () => {
  const { job, files } = caseOf("a network at an eighth");
  const page = await open(job);
  await dropFiles(page, [files.find(({ name }) => name === "nccl.log")]);
  await expect(headline(page)).toContainText("bits and bytes mistaken");
  const before = page.url();
  // The log's own dots next to what was published of such machines.
  const chart = await drawnLog(page);
  assert.equal(chart.series.find(({ name }) => name === "your log").points.length, 21);
  await expectDrawnAsJudged(page, chart);
  assert.match(chart.summary, /We know of no published run/);
  await page
    .locator("commcost-calibration [data-part=network_bandwidth_scale]")
    .getByRole("button", { name: "Use in every view" })
    .click();
  await page.waitForFunction(() => location.hash.includes("network_bandwidth_scale="));
  const degrees = (url) =>
    [...new URLSearchParams(new URL(url).hash.slice(1))].filter(([name]) => name.endsWith("_parallel"));
  assert.deepEqual(degrees(page.url()), degrees(before));
  // In force it is still judged against the machine as it is without it, and taken back with one click.
  await expect(page.locator("[data-part=network_bandwidth_scale]")).toContainText("It is in force");
  await expect(headline(page)).toContainText("bits and bytes mistaken");
  const hash = new URL(page.url()).hash;
  await expectDrawnAsJudged(page, await drawnLog(page));
  // Every view follows it: a collective between the nodes, the step, the search; none within a node.
  const times = (scaled) =>
    page.evaluate((scaled) => {
      const { scenario } = document.querySelector("commcost-app");
      const of = (calculation, more = {}) => {
        const { network_bandwidth_scale, ...values } = scenario.inputs(calculation).values;
        return scenario.engine[calculation]({ ...values, ...(scaled ? { network_bandwidth_scale } : {}), ...more });
      };
      const reduce = (num_gpus) => of("predict_collective", { num_gpus, message_size_bytes: 2 ** 30 }).time_us;
      const searched = { allowed_tensor_degrees: [1, 2, 4, 8], recipe: "megatron-core", sequence_parallel: undefined };
      return [
        reduce(32),
        of("training_step").step_time_ms,
        of("plan", { ...searched, cluster_gpus: 32 }).layouts[0].step_time_ms,
        reduce(8),
      ];
    }, scaled);
  const [plain, scaled] = [await times(false), await times(true)];
  assert.ok(scaled[0] > 3 * plain[0] && scaled[1] > 1.1 * plain[1] && scaled[2] > plain[2], `${plain} ${scaled}`);
  assert.equal(scaled[3], plain[3]);
  await page.getByRole("button", { name: "Stop using it" }).click();
  await page.waitForFunction(() => !location.hash.includes("network_bandwidth_scale="));
  await page.done();
  // The link carries it to readers without the file.
  const other = await openPage(browser, `${host.address}${hash.replace("view=diagnose", "view=network")}`, {
    ready: "commcost-network",
  });
  await other.getByText("bandwidth between nodes × 0.1").waitFor();
  await other.done();
});

test("a log of another GPU than the job's asks for its machine", async () => {
  const { job, files } = caseOf("a network at an eighth");
  const log = [files.find(({ name }) => name === "nccl.log")];
  for (const [system, gpu] of [
    ["dgx-a100", "A100 SXM 80 GB"],
    [job.system, undefined],
  ]) {
    const page = await open({ ...job, system });
    await dropFiles(page, log);
    const row = page.locator("commcost-diagnose .given-files li").filter({ hasText: "NVIDIA H100 80GB HBM3" });
    if (gpu) await expect(row).toContainText(`another GPU than the job’s ${gpu}: choose its machine`);
    else await expect(row).not.toContainText("another GPU");
    await page.done();
  }
});

test("a log of a node that others have published too stands next to theirs", async () => {
  const one = more.find(({ name }) => name === "slow links in the node");
  const { job, files } = filesOf(engine, one);
  const page = await open(job);
  await dropFiles(page, [files.find(({ name }) => name === "nccl.log")]);
  const chart = await drawnLog(page);
  const published = engine
    .measurements()
    .series.filter(
      ({ collective, num_gpus, accelerator }) =>
        collective === "all_reduce" && num_gpus === 8 && /^h(100|200)/.test(accelerator),
    );
  const drawn = chart.series.filter(({ color }) => color === "measured").flatMap(({ points }) => points);
  // Of each the sizes that the log has, from the smallest to the largest.
  const [own] = chart.series.filter(({ name }) => name === "your log");
  const [least, greatest] = [own.points[0].x, own.points.at(-1).x];
  const sizes = published.flatMap((series) => [...series.message_size_bytes]);
  assert.ok(published.length > 2 && drawn.length > 20);
  assert.equal(drawn.length, sizes.filter((size) => size >= least && size <= greatest).length);
  assert.match(chart.summary, /to \d+ published runs on such machines/);
  assert.equal(own.points.length, 21);
  await page.done();
});

test("while another layout is sought, the verdict of the last one is dimmed and named, and the search can be ended", async () => {
  const { job, files } = caseOf("a network at an eighth");
  const page = await openPage(
    browser,
    `${host.address}#v=3&view=diagnose&model=llama-3.1-70b&system=${job.system}&cluster_gpus=64&global_batch_size=1024`,
    { ready: "commcost-diagnose" },
  );
  await dropFiles(page, [files.find(({ name }) => name === "nccl.log")]);
  await expect(headline(page)).not.toContainText("Why is it slower");
  const view = page.locator("commcost-diagnose");
  await expect(view.locator(".answer")).not.toHaveClass(/stale/);
  const told = await headline(page).innerText();
  // Drawn before the search can have found anything.
  const says = await page.evaluate(async () => {
    const app = document.querySelector("commcost-app");
    const shown = app.renderRoot.querySelector("commcost-diagnose");
    const drawn = async () => {
      await app.updateComplete;
      await shown.updateComplete;
    };
    const seen = () => ({
      dimmed: [".answer", ".figure"].every((part) => shown.renderRoot.querySelector(part).matches(".stale")),
      sought: shown.renderRoot.querySelector(".sought")?.textContent.replace(/\s+/g, " ") ?? "",
    });
    app.take("model=llama-3.1-405b&cluster_gpus=512");
    await drawn();
    const searching = seen();
    shown.renderRoot.querySelector(".sought button").click();
    await drawn();
    return [searching, seen()];
  });
  for (const { dimmed, sought } of says) {
    assert.ok(dimmed, sought);
    assert.match(sought, /Below is the last answer: Llama\s3\.1\s70B\s·\s64\s×\sH100/);
  }
  assert.match(says[0].sought, /Searching for the fastest layout on 512 GPUs/);
  assert.match(says[1].sought, /Cancelled/);
  assert.equal(await headline(page).innerText(), told);
  await page.getByRole("button", { name: "Search again" }).click();
  await expect(view.locator(".answer")).not.toHaveClass(/stale/, { timeout: 120_000 });
  await page.done();
});

test("a part that predicts what it was not taken from no better is not offered, and says why", async () => {
  const one = more.find(({ name }) => name === "slow links in the node");
  const { job, files } = filesOf(engine, one);
  const page = await open(job);
  await dropFiles(page, [files.find(({ name }) => name === "nccl.log")]);
  const part = page.locator("[data-part=link_bandwidth_scale]");
  await expect(part).toHaveAttribute("data-verdict", "still_off");
  await expect(part).toContainText(
    /Not offered: on \d+ sizes that it was not taken from, predictions would still be off by \d+\s%/,
  );
  await expect(part.getByRole("button")).toHaveCount(0);
  await page.done();
});

test("a launch stands among the files, bound to the job whatever came first, and is taken away again", async () => {
  const { job, files } = caseOf("slow matrix products");
  const page = await open({ ...job, tensor_parallel: 8, data_parallel: 1 });
  const text = (name) => page.evaluate((name) => document.querySelector("commcost-app").scenario.text(name), name);
  // A log that does not say its model.
  await dropFiles(page, [{ ...files[0], text: files[0].text.replace(/^ +num_layers .*\n/m, "") }]);
  await expect(page.locator(".given-files li")).toHaveCount(1);
  await page.waitForFunction(() => location.hash.includes("plan_tensor_parallel=2"));
  const before = new URL(page.url()).hash;
  const sequence = await text("sequence_length");
  const expected = () => page.locator("[data-waterfall]").evaluate(({ spec }) => spec.table.rows[0][1]);
  const alone = await expected();
  await dropFiles(page, [
    {
      name: "run.sh",
      text: `torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 16 --hidden-size 4096 --num-attention-heads 32 --vocab-size 128256 \\
  --ffn-hidden-size 14336 --swiglu --group-query-attention --num-query-groups 8 --seq-length 4096 --micro-batch-size 1 --global-batch-size 32 \\
  --tensor-model-parallel-size 4 --sequence-parallel --bf16 --use-distributed-optimizer --data-path /data`,
    },
  ]);
  const given = page.locator(".given-files li");
  await expect(given).toHaveCount(2);
  await expect(given.filter({ hasText: "run.sh" })).toContainText(
    /launch of Megatron-LM, \d+ inputs; .*not understood: --data-path/,
  );
  // Diagnose stays: the launch is one of its files.
  assert.match(page.url(), /view=diagnose/);
  assert.equal(await text("num_layers"), "16");
  // The log says degrees and batch; the launch the model's layers, which are half: so is what is expected.
  await expect.poll(expected).toBeLessThan(0.6 * alone);
  await page.getByRole("button", { name: "Take run.sh away" }).click();
  await expect(given).toHaveCount(1);
  assert.equal(await text("sequence_length"), sequence);
  await expect.poll(() => new URL(page.url()).hash).toBe(before);
  assert.equal(await expected(), alone);
  await page.done();
});

const textOf = (page, name) =>
  page.evaluate((name) => document.querySelector("commcost-app").scenario.text(name), name);
const degreesOf = (page) =>
  Promise.all(["tensor_parallel", "pipeline_parallel", "batch_size"].map((name) => textOf(page, `plan_${name}`)));

test("a dropped log becomes the scenario: column, link, headline and file name one job, which is taken back with it", async () => {
  const { job, files } = caseOf("slow matrix products");
  const page = await open({ ...job, tensor_parallel: 8, data_parallel: 1, global_batch_size: 64 });
  const address = () => new URL(page.url()).hash;
  const before = address();
  assert.deepEqual(await degreesOf(page), ["8", "1", "1"]);
  await dropFiles(page, [files[0]]);
  await page.waitForFunction(() => location.hash.includes("plan_tensor_parallel=2"));
  // Of the very job that the log is of: so says the column, the line under the answer, and what is expected.
  assert.deepEqual(await degreesOf(page), ["2", "1", "1"]);
  assert.deepEqual(
    [await textOf(page, "global_batch_size"), await textOf(page, "cluster_gpus")],
    [String(job.global_batch_size), "8"],
  );
  await expect(page.locator("commcost-diagnose .under")).toContainText("TP 2 · DP 4, 16 × 8192");
  const expected = () => page.locator("[data-waterfall]").evaluate(({ spec }) => spec.table.rows[0][1]);
  const step = engine.training_step(job).step_time_ms;
  assert.ok(Math.abs((await expected()) / step - 1) < 1e-9, `${await expected()} for ${step}`);
  // Fields that are from the file say so, to the eye and to a screen reader; what it does not say does not.
  await expect(page.locator('commcost-scenario label[for="field-plan_tensor_parallel"] .from-file')).toBeVisible();
  await expect(field(page, "tensor_parallel")).toHaveAccessibleDescription(/From train\.log\./);
  await expect(field(page, "data_parallel")).toHaveAccessibleDescription(/From train\.log\./);
  await expect(page.locator('commcost-scenario label[for="field-nic_gb_per_sec"] .from-file')).toHaveCount(0);
  const row = page.locator(".given-files li");
  await expect(row).toContainText(/The job has \d+ inputs from it, marked ●/);
  await expect(row).not.toContainText("Changed since");
  // One step of undo, and what it took is said where the file is.
  await page.keyboard.press("Control+z");
  await page.waitForFunction((hash) => location.hash === hash, before);
  await expect(row).toContainText("TP is 8, 2 in the file");
  await page.getByRole("button", { name: "Use the file’s values" }).click();
  await expect(row).not.toContainText("Changed since");
  await expect.poll(() => degreesOf(page)).toEqual(["2", "1", "1"]);
  // What is typed over it is no longer the file's, and stays when the file goes.
  await page.evaluate(() => document.querySelector("commcost-app").scenario.set({ sequence_length: "4096" }));
  await expect(row).toContainText("Sequence length is 4096, 8192 in the file");
  await page.getByRole("button", { name: "Take train.log away" }).click();
  await expect(row).toHaveCount(0);
  assert.deepEqual(await degreesOf(page), ["8", "1", "1"]);
  assert.equal(await textOf(page, "global_batch_size"), "64");
  assert.equal(await textOf(page, "sequence_length"), "4096");
  await page.done();
});

// Llama 3 and 3.1 8B are of one shape: a log names the first, unless the other is chosen already.
test("a log alone says its model, and a job of another model is no longer the one that is judged", async () => {
  const { files, job } = caseOf("slow matrix products");
  const page = await open({ ...job, model: "llama-2-7b", tensor_parallel: 8, data_parallel: 1 });
  await dropFiles(page, [files[0]]);
  await expect(page.locator("commcost-diagnose .under")).toContainText("Llama 3 8B, TP 2 · DP 4");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveAccessibleDescription(/From train\.log\./);
  const expected = await page.locator("[data-waterfall]").evaluate(({ spec }) => spec.table.rows[0][1]);
  assert.ok(Math.abs(expected / engine.training_step(job).step_time_ms - 1) < 1e-9);
  await page.getByRole("button", { name: "Take train.log away" }).click();
  await expect.poll(() => textOf(page, "model")).toBe("llama-2-7b");
  await page.done();
});

test("by keyboard alone: files are chosen, and each line of the waterfall says its evidence and what to run next", async () => {
  const { job, files } = caseOf("a power cap");
  const page = await open(job, { viewport: { width: 1440, height: 900 } });
  const active = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.id || at?.getAttribute("class") || at?.tagName;
    });
  // Asked for beforehand: keys take another way to the page than the wish to see its chooser, and may be there first.
  const chooser = page.waitForEvent("filechooser");
  await page.locator("commcost-app .skip").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await active(), "run-files");
  await page.keyboard.press("Space");
  await (await chooser).setFiles(
    files.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
  );
  await expect(headline(page)).toContainText("clocks that are held down");
  await expect(page.locator(".given-files li")).toHaveCount(files.length);
  // The whole answer is in the first screen, from the very top of the page.
  await page.evaluate(() => scrollTo(0, 0));
  for (const part of ['[data-result="verdict"]', "[data-waterfall] svg.drawing"]) {
    const { y, height } = await page.locator(`commcost-diagnose ${part}`).boundingBox();
    assert.ok(y >= 0 && y + height <= 900, `${part}: ${y} to ${y + height}`);
  }
  const chart = page.locator("[data-waterfall] svg.drawing");
  for (let at = 0; at < 12 && (await active()) !== "drawing"; ++at) await page.keyboard.press("Tab");
  const { found } = await page.locator("commcost-causes").evaluate(({ found }) => ({
    found: { ...found, losses: found.losses.map((loss) => ({ ...loss })), networks: [] },
  }));
  const read = () => chart.getAttribute("aria-valuetext");
  assert.match(await read(), /^Expected: .* 80 % of such runs take/);
  assert.ok(found.losses.length > 0);
  for (const { title, command, where } of found.losses) {
    await page.keyboard.press("ArrowRight");
    await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`^${title}`));
    const says = await read();
    assert.ok(says.endsWith(`Run next: ${command}`) && says.includes(where), says);
    await expect(page.locator("[data-waterfall] .tip")).toContainText("Run next");
  }
  await page.keyboard.press("ArrowRight");
  assert.match(await read(), /unexplained|Nothing is left|less than these/);
  await page.keyboard.press("ArrowRight");
  assert.match(await read(), /^Measured: /);
  await page.done();
});

test("a link holds no file: elsewhere it names the job and asks for the files", async () => {
  const { job, files } = caseOf("slow matrix products");
  const page = await open(job);
  await dropFiles(page, files);
  await expect(headline(page)).toContainText("slow matrix products");
  await expect(page.locator("commcost-diagnose .under")).toContainText("TP 2 · DP 4");
  const { hash } = new URL(page.url());
  for (const { name } of files) assert.ok(!decodeURIComponent(hash).includes(name), name);
  await page.done();
  const other = await openPage(browser, `${host.address}${hash}`, { ready: "commcost-diagnose" });
  await expect(headline(other)).toContainText("Why is it slower");
  await expect(other.locator("commcost-diagnose .under")).toContainText(
    "The job: Llama 3.1 8B, TP 2 · DP 4, 16 × 8192. Drop the files of its run here: a link holds none.",
  );
  await expect(other.locator(".given-files li")).toHaveCount(0);
  await other.done();
});

test("a later visit that names no job has that of the kept files", async () => {
  const { job, files } = caseOf("slow matrix products");
  const page = await open(job);
  await dropFiles(page, [files[0]]);
  await expect(page.locator(".given-files li")).toContainText("train.log");
  await page.goto("about:blank");
  await page.goto(`${host.address}#view=diagnose`);
  await expect(page.locator(".given-files li")).toContainText("train.log");
  await expect.poll(() => degreesOf(page)).toEqual(["2", "1", "1"]);
  await expect(page.locator("commcost-diagnose .under")).toContainText("TP 2 · DP 4, 16 × 8192");
  await page.getByRole("button", { name: "Take train.log away" }).click();
  await expect.poll(() => degreesOf(page)).toEqual(["8", "1", "8"]);
  await page.done();
});

test("a broken, a foreign and an empty file say what to do", async () => {
  const { job } = caseOf("a healthy pipeline");
  const page = await open(job);
  const says = (text) => expect(page.locator("commcost-app .news")).toContainText(text);
  await dropFiles(page, [{ name: "empty.log", text: "" }]);
  await says("This file is empty");
  await dropFiles(page, [{ name: "notes.txt", text: "hello\nworld\n" }]);
  await says("This is not a file that we can read: we take a PyTorch profile");
  await dropFiles(page, [
    { name: "trace.json", text: '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm"}]}' },
  ]);
  await expect(page.locator("commcost-app .news")).toHaveClass(/refused/);
  // It is said in the first screen, over the answer; what is listed below it needs no words over it.
  const { y, height } = await page.locator("commcost-app .news").boundingBox();
  assert.ok(y >= 0 && y + height < 300, `${y} ${height}`);
  await dropFiles(page, [caseOf("a healthy pipeline").files[0]]);
  await expect(page.locator(".given-files li")).toHaveCount(1);
  await expect(page.locator("commcost-app .news")).toHaveClass(/visually-hidden/);
  await dropFiles(page, [
    { name: "trace.json", text: '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm"}]}' },
  ]);
  await says("was the profile taken with the accelerator's activities?");
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`at 360 px nothing scrolls sideways, ${colorScheme}`, async () => {
    const { job, files } = caseOf("slow attention, and stalls");
    const page = await open(job, { colorScheme });
    await page.setViewportSize({ width: 360, height: 640 });
    await dropFiles(page, files);
    await expect(headline(page)).toContainText("slow attention");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}
