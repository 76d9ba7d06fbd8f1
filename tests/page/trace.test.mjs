import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { openPage, serve, site } from "./support/browser.mjs";
import { writeTrace } from "./support/trace.mjs";

const root = new URL("../../", import.meta.url).pathname;
const sample = `${root}tests/data/pytorch_trace.json`;

let browser, host, reading;
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  host = await serve();
  const entry = `export { readTrace } from "./trace.ts"; export { EventReader } from "./events.ts"; export { piecesOf } from "./pieces.ts"; export { readProfile } from "./devices.ts";`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: `${root}web/state/reader` },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  reading = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
});
test.afterAll(async () => {
  await host.stop();
});

/** A kernel of a device, as PyTorch writes it. */
const kernelOn = (device, start, name, duration) =>
  JSON.stringify({
    ph: "X",
    cat: "kernel",
    name,
    ts: start,
    dur: duration,
    pid: device,
    args: { device, stream: 7 },
  });

const read = (...parts) => reading.readTrace(reading.piecesOf(new Blob(parts), () => {}));

/** The sample's kernels as the core's test takes them. */
const expected = readFileSync(`${root}tests/data/pytorch_trace_kernels.csv`, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",").map(Number));
const rowsOf = ({ start_us, duration_us, stream, communication }) =>
  [...start_us]
    .map((start, index) => [start, duration_us[index], stream[index], Math.min(1, communication[index])])
    .sort((a, b) => a[0] - b[0]);

for (const [what, bytes] of [
  ["plain", readFileSync(sample)],
  ["gzipped", gzipSync(readFileSync(sample))],
]) {
  test(`a profile in PyTorch's form, ${what}: its kernels, and nothing that is none`, { tag: "@long" }, async () => {
    assert.deepEqual(rowsOf(await read(bytes)), expected);
  });
}

test("wherever a piece of the text ends, the kernels are the same", { tag: "@long" }, () => {
  const text = readFileSync(sample, "utf8");
  for (const size of [1, 2, 7, 64, 1000]) {
    const reader = new reading.EventReader();
    for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size));
    assert.deepEqual(rowsOf(reader.kernels.take()), expected, `pieces of ${size}`);
  }
});

test("kernels of every library that communicates count as communication, and only they", { tag: "@long" }, () => {
  const kind = (name) => {
    const reader = new reading.EventReader();
    reader.read(JSON.stringify([{ ph: "X", cat: "kernel", name, ts: 1, dur: 1, args: { stream: 7 } }]));
    return reader.kernels.take().communication[0];
  };
  for (const name of [
    "ncclDevKernel_SendRecv(ncclDevComm*)",
    "ncclKernel_AllGather_RING_LL_Sum_int8_t",
    "rcclGenericKernel",
    "oneccl_allreduce_large",
    "void mscclKernel<1>",
    "mscclpp::allreduceKernel",
    "vllm::cross_device_reduce_all_reduce",
  ])
    assert.equal(kind(name), 1, name);
  for (const name of ["ampere_bf16_gemm", "Cijk_Ailk_Bljk", "void at::native::reduce_kernel<512>", "flash_fwd_kernel"])
    assert.equal(kind(name), 0, name);
});

test("a file that is cut short, and kernels that are broken, are told from a whole one", { tag: "@long" }, async () => {
  const text = readFileSync(sample, "utf8");
  const { isCut, broken } = await read(text);
  assert.deepEqual([isCut, broken], [false, 0]);
  const kernel = (rest) => `{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, ${rest}}`;
  const good = kernel(`"ts": 1, "dur": 2`);
  const cut = await read(`{"traceEvents": [${good}, ${good}, {"ph": "X", "cat": "ker`);
  assert.deepEqual([cut.isCut, cut.broken, cut.start_us.length], [true, 0, 2]);
  const spoiled = [kernel(`"ts": "soon", "dur": 2`), kernel(`"ts": 1, "dur": -2`), kernel(`"ts": 1,, "dur": 2`)];
  const others = [`{"ph": "X", "cat": 5, "args": {"is": "kernel"}}`, `{"ph": "i", "cat": "kernel"}`];
  const whole = await read(`{"traceEvents": [${[good, ...spoiled, ...others].join(", ")}]}`);
  assert.deepEqual([whole.isCut, whole.broken, whole.start_us.length], [false, 3, 1]);
});

test("what is missing of a profile stands beside it", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  const text = readFileSync(sample, "utf8");
  const give = (content) =>
    page
      .getByLabel("Trace", { exact: true })
      .setInputFiles({ name: "trace.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await give(text.slice(0, text.lastIndexOf("}", text.length - 40)));
  await page.getByText("The file ends in the middle: what stands before that is shown.").waitFor();
  await give(text);
  await page.getByText("The file ends in the middle").waitFor({ state: "detached" });
  await page.done();
});

test("what is no trace is refused, and what it lacks is said", { tag: "@long" }, async () => {
  await assert.rejects(read("hello"), /no list of events/);
  await assert.rejects(read('[{"ph": "X", "cat": "cpu_op"}]'), /None of 1 events is a kernel/);
  await assert.rejects(read(Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2)));
  const endless = `[{"name": "${"x".repeat(17 * 2 ** 20)}`;
  await assert.rejects(read(endless), /one of its events does not end/);
});

for (const [where, address] of [
  ["hosted", () => host.address],
  ["in one file", () => `file://${site}commcost.html`],
]) {
  test(`the page, ${where}, takes the sample apart as the core does`, { tag: "@long" }, async () => {
    const page = await openPage(browser, `${address()}#view=diagnose`, { ready: "commcost-trace" });
    await page.getByLabel("Trace", { exact: true }).setInputFiles(sample);
    await page.getByText("8 kernels on 3 streams; communication is exposed for 23.5 % of the time.").waitFor();
    const { steps, devices } = await page.locator("commcost-trace").evaluate((element) => element.trace);
    const { breakdown, kernels } = devices[0];
    assert.deepEqual(
      [breakdown.compute_only_us, breakdown.overlapped_us, breakdown.communication_only_us, breakdown.idle_us],
      [135.5, 105.875, 76.625, 8.5],
    );
    // ProfilerStep#3, marked for the host and for the device.
    assert.equal(steps, 1);
    assert.equal(
      kernels.reduce((sum, { time_us }) => sum + time_us, 0),
      expected.reduce((sum, [, duration]) => sum + duration, 0),
    );
    const bars = await page.locator("commcost-trace commcost-stacked-bars").evaluate((chart) => chart.spec.bars);
    assert.deepEqual(
      bars.map(({ label }) => label),
      ["predicted", "measured"],
    );
    const step = await page.evaluate(() => {
      const { scenario } = document.querySelector("commcost-app");
      return scenario.engine.training_step(scenario.inputs("training_step").values).step_time_ms;
    });
    const sum = (parts) => parts.reduce((all, { value }) => all + value, 0);
    assert.ok(Math.abs(sum(bars[0].parts) / step - 1) < 1e-9, "what is predicted adds up to the step");
    assert.ok(Math.abs(sum(bars[1].parts) - breakdown.total_us / 1e3) < 1e-9);
    await page.done();
  });
}

// Two GPUs that used streams of one number; three steps marked.
test("each device of a profile stands apart, with the kernels that took most of a step", { tag: "@long" }, async () => {
  const gemm = "void cutlass::Kernel2<cutlass_80_tensorop>(Params)";
  const events = [
    ...[4, 5, 6].map((step) =>
      JSON.stringify({ ph: "X", cat: "user_annotation", name: `ProfilerStep#${step}`, ts: 1, dur: 9 }),
    ),
    kernelOn(0, 0, gemm, 60),
    kernelOn(0, 60, "ncclDevKernel_AllReduce_Sum(ncclDevComm*)", 30),
    kernelOn(1, 0, gemm, 90),
    kernelOn(1, 30, gemm, 30),
  ];
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  await page.getByLabel("Trace", { exact: true }).setInputFiles({
    name: "trace.json",
    mimeType: "application/json",
    buffer: Buffer.from(`{"traceEvents": [${events.join(",")}]}`),
  });
  await page.getByText("4 kernels on 2 streams of 2 GPUs").waitFor();
  const spec = await page.locator("commcost-trace commcost-stacked-bars").evaluate((chart) => chart.spec);
  assert.deepEqual(
    spec.bars.slice(1).map(({ label, parts }) => [label, ...parts.map(({ value }) => Number(value.toFixed(9)))]),
    [
      ["measured, GPU 0", 0.02, 0, 0.01, 0],
      ["measured, GPU 1", 0.03, 0, 0, 0],
    ],
  );
  const rows = await page.locator("commcost-trace .kernels tbody tr").allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split("\t").map((cell) => cell.trim())),
    [
      ["cutlass::Kernel2", "compute", "20 µs", "0.333", "40 µs", "0.667"],
      ["ncclDevKernel_AllReduce_Sum", "communication", "10 µs", "0.333", "", ""],
    ],
  );
  // The reader knows better how many steps it was; it is kept.
  await page.getByLabel("Steps in the profile").fill("1");
  await page.getByLabel("Steps in the profile").press("Enter");
  await page.reload();
  await expect(page.locator("commcost-trace .kernels tbody tr").first()).toContainText("60 µs");
  await page.done();
});

test("where there can be no worker, the page's own thread reads", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  await page.addInitScript(() => {
    globalThis.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });
  // What reads a trace is in the engine's last part, which may come after the file.
  let release;
  const chosen = new Promise((resolve) => (release = resolve));
  await page.route(/\/rest-[^/]*\.wasm$/, async (route) => {
    await chosen;
    await route.continue();
  });
  const training = page.waitForResponse(/\/training-[^/]*\.wasm$/);
  await page.reload();
  await page.getByLabel("Trace", { exact: true }).setInputFiles(sample);
  await (await training).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
  release();
  await page.getByText("8 kernels on 3 streams; communication is exposed for 23.5 % of the time.").waitFor();
  await page.done();
});

test("32 MB: read beside the page; can be cancelled", { tag: "@long" }, async () => {
  const { path, bytes, kernels } = await writeTrace(32e6);
  assert.ok(bytes >= 32e6 && statSync(path).size < bytes);
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  const file = page.getByLabel("Trace", { exact: true });

  // Clicked by the page itself as soon as there is a button: a click from here could come when all is read.
  const cancelled = page.locator("commcost-trace").evaluate(async (element) => {
    const found = (part) => element.renderRoot.querySelector(part);
    // Some of it is read: before that there may be no worker yet.
    while (!(found("progress[aria-label=Read]")?.value > 0)) await new Promise(requestAnimationFrame);
    found("progress[aria-label=Read]").closest("p").querySelector("button").click();
  });
  const worker = page.waitForEvent("worker");
  await file.setInputFiles(path);
  await worker;
  await cancelled;
  await page.getByText("Reading was cancelled.").waitFor();
  assert.equal(await page.getByRole("progressbar", { name: "Read" }).count(), 0);
  await expect.poll(() => page.workers().length, "the worker still runs").toBe(0);

  await file.setInputFiles([]);
  await file.setInputFiles(path);
  await page
    .getByText(`${kernels.toLocaleString("en")} kernels on 2 streams; communication is exposed for 40 % of the time.`)
    .waitFor();
  await page.done();
});

/** An operator of the host, and a launch in it, as PyTorch writes them. */
const operator = (id, name, duration) =>
  JSON.stringify({ ph: "X", cat: "cpu_op", name, pid: 9, tid: 9, ts: 0, dur: duration, args: { "External id": id } });
const launch = (id, correlation) =>
  JSON.stringify({
    ph: "X",
    cat: "cuda_driver",
    name: "cuLaunchKernelEx",
    ts: 0,
    dur: 1,
    args: { "External id": id, correlation },
  });
const launched = (start, duration, args) =>
  JSON.stringify({
    ph: "X",
    cat: "kernel",
    name: "gemm",
    ts: start,
    dur: duration,
    pid: 0,
    args: { device: 0, stream: 7, ...args },
  });

/** Two kernels of one operator, one of which its launch names; a pause of 30 before another's; one of none. */
const withOperators = [
  operator(1, "aten::mm", 12.5),
  operator(2, "aten::add_", 40),
  operator(3, "aten::never", 99),
  launched(0, 60, { "External id": 1 }),
  launched(60, 10, { correlation: 77 }),
  launched(100, 5, { "External id": 2 }),
  launched(103, 7, { "External id": 5e9 }),
  launch(1, 77),
];

test("operators: whose kernels took how long, how long the host was in them, and the pauses before", async () => {
  const { devices } = await reading.readProfile(
    reading.piecesOf(new Blob([`{"traceEvents": [${withOperators.join(",")}]}`]), () => {}),
  );
  assert.deepEqual(devices[0].operators, [
    { name: "aten::mm", kernels: 2, time_us: 70, host_us: 12.5, pause_us: 0 },
    { name: "", kernels: 1, time_us: 7, host_us: 0, pause_us: 0 },
    { name: "aten::add_", kernels: 1, time_us: 5, host_us: 40, pause_us: 30 },
  ]);
  const kernels = devices[0].totals.reduce((sum, { time_us }) => sum + time_us, 0);
  assert.equal(kernels, 82);
  // Of many, the last are summed up; a profile of the device alone has none.
  const many = Array.from({ length: 40 }, (_, at) => [
    operator(at + 1, `aten::op_${at}`, 1),
    launched(10 * at, 9, { "External id": at + 1 }),
  ]).flat();
  const of = async (events) =>
    (await reading.readProfile(reading.piecesOf(new Blob([`[${events.join(",")}]`]), () => {}))).devices[0].operators;
  const summed = await of(many);
  assert.equal(summed.length, 13);
  assert.deepEqual(summed.at(-1), { name: "28 other operators", kernels: 28, time_us: 252, host_us: 28, pause_us: 28 });
  assert.equal(await of([kernelOn(0, 0, "gemm", 60)]), undefined);
});

test("the operators of a profile stand next to its kernels, in a step, and are kept", async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  await page.getByLabel("Trace", { exact: true }).setInputFiles({
    name: "trace.json",
    mimeType: "application/json",
    buffer: Buffer.from(`{"traceEvents": [${withOperators.join(",")}]}`),
  });
  const rows = page.locator("commcost-trace .operators tbody tr");
  for (const visit of ["given", "kept"]) {
    await expect(rows, visit).toHaveText([
      /^aten::mm70\s*µs212\.5\s*µs0/,
      /^no operator named7\s*µs1/,
      /^aten::add_5\s*µs140\s*µs30\s*µs$/,
    ]);
    await page.reload();
  }
  await page.done();
});

/** As PyTorch writes it for each allocation, under `profile_memory=True`. */
const allocated = (device, ts, bytes, reserved, type = 1) =>
  JSON.stringify({
    ph: "i",
    cat: "cpu_instant_event",
    s: "t",
    name: "[memory]",
    pid: 7,
    tid: 7,
    ts,
    args: {
      "Total Reserved": reserved,
      "Total Allocated": bytes,
      Bytes: 512,
      Addr: 1,
      "Device Id": device,
      "Device Type": type,
    },
  });

test("memory of a profile: the most in each stretch, in bounded room, of GPUs alone", async () => {
  const events = [kernelOn(0, 0, "gemm", 60), allocated(0, 5, 9e9, 0, 0), '{"name": "[memory]", "ts": null}'];
  const peaks = Array.from({ length: 5000 }, (_, index) => 1e9 + (index % 1000) * 1e6);
  peaks.forEach((bytes, index) => events.push(allocated(0, 1000 + 10 * index, bytes, 3e9)));
  events.push(allocated(1, 4, 7e9, 8e9));
  const { memory } = await read(`{"traceEvents": [${events.join(",")}]}`);
  const { at_us, allocated_bytes, peak_bytes, reserved_bytes } = memory.of(0);
  assert.equal(peak_bytes, 1.999e9);
  assert.equal(reserved_bytes, 3e9);
  assert.ok(at_us.length > 100 && at_us.length <= 256, `${at_us.length} stretches`);
  // Each stretch has the most of the events in it.
  const width = at_us[1] - at_us[0];
  at_us.forEach((at, place) =>
    assert.equal(
      allocated_bytes[place],
      Math.max(...peaks.filter((_, index) => 10 * index >= at && 10 * index < at + width)),
    ),
  );
  assert.deepEqual(memory.of(1), {
    at_us: [0],
    allocated_bytes: [7e9],
    reserved_at_bytes: [8e9],
    peak_bytes: 7e9,
    reserved_bytes: 8e9,
  });
  assert.equal(memory.of(2), undefined);
});

test("memory of a profile stands next to what the step is predicted to need", async () => {
  const gib = 1024 ** 3;
  const events = [
    kernelOn(0, 0, "gemm", 60),
    ...[10, 40, 30].map((each, index) => allocated(0, 10 * index, each * gib, 44 * gib)),
  ];
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-trace" });
  await page.getByLabel("Trace", { exact: true }).setInputFiles({
    name: "trace.json",
    mimeType: "application/json",
    buffer: Buffer.from(`{"traceEvents": [${events.join(",")}]}`),
  });
  const chart = page.locator("commcost-memory commcost-line-chart");
  await chart.locator("svg.drawing").waitFor();
  const { summary, rules } = await chart.evaluate(({ spec }) => JSON.parse(JSON.stringify(spec)));
  const [, predicted, off, which] =
    /^PyTorch allocated up to 40 GiB, of 44 GiB that its allocator reserved\. A step is predicted to need ([\d.]+) GiB: the run held ([\d.]+) % (more|less)\.$/.exec(
      summary,
    );
  assert.ok(Math.abs(rules[0].at / predicted - 1) < 0.01);
  assert.equal(which, predicted < 40 ? "more" : "less");
  assert.ok(Math.abs(off - 100 * Math.abs(40 / rules[0].at - 1)) <= 0.051 * off);
  // It is kept.
  await page.reload();
  await chart.locator("svg.drawing").waitFor();
  await page.done();
});
