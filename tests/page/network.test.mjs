import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import {
  axeFindings,
  field,
  goTo,
  nonsense,
  openPage,
  outlast,
  settled,
  shownText,
  unfold,
} from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash = "", options = {}) =>
  openPage(browser, `${host.address}#view=network${hash}`, { ready: "commcost-network", ...options });
const figure = (page, name) => page.locator(`[data-network="${name}"]`);
const log = (rows) =>
  `# all_reduce_perf\nsome noise\n${rows
    .map(
      ([size, time]) =>
        `${size} ${size / 4} float sum -1 ${time} ${(size / time / 1e3).toFixed(2)} ${((size / time / 1e3) * 1.75).toFixed(2)} 0`,
    )
    .join("\n")}\n`;
const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => 2 ** (from + index));

test("a barrier has no size to enter: it carries none", async () => {
  const page = await open("&collective=barrier&num_gpus=16");
  assert.equal(await field(page, "message_size_bytes").count(), 0);
  await field(page, "collective").selectOption("all_gather");
  await field(page, "message_size_bytes").waitFor();
  await page.done();
});

test("answers for the Cost view's own message before anything is touched", async () => {
  const page = await open();
  assert.match(
    await page.locator("commcost-network .headline").innerText(),
    /all-reduce of 128 MiB over 8 GPUs of one DGX A100 node takes about .* A ring at line rate would take 783 µs/s,
  );
  assert.equal(await figure(page, "textbook_us").innerText(), "783 µs");
  assert.match(await figure(page, "measured").innerText(), /ms$/);
  assert.match(await shownText(page), /off by [\d.]+ % in the median/);
  await page.done();
});

test("follows the Cost view's message until a size is typed", async () => {
  const page = await open("&batch_size=1");
  assert.match(await page.locator(".headline").innerText(), /of 16 MiB/);
  await field(page, "message_size_bytes").fill("1 KiB");
  assert.match(await page.locator(".headline").innerText(), /of 1 KiB/);
  await field(page, "message_size_bytes").fill("-1");
  assert.match(await page.locator("#field-message_size_bytes-note").innerText(), /Message size: enter/);
  await field(page, "message_size_bytes").fill("");
  assert.match(await page.locator(".headline").innerText(), /of 16 MiB/);
  await page.done();
});

test("every system, collective and launch mode gives a time, a chart and no nonsense", { tag: "@long" }, async () => {
  const page = await open();
  const machine = page.getByRole("combobox", { name: "Machine", exact: true });
  await machine.click();
  const ids = await page
    .locator("[role=option]")
    .evaluateAll((options) => options.map((option) => option.dataset.preset).filter(Boolean));
  assert.ok(ids.length >= 25);
  for (const id of ids) {
    await machine.click();
    await page.locator(`[data-preset="${id}"]`).click();
    assert.match(await figure(page, "time_us").innerText(), /^[\d.]+ (ns|µs|ms)$/, id);
  }
  const collectives = await field(page, "collective")
    .locator("option")
    .evaluateAll((options) => options.map((option) => option.value));
  for (const collective of collectives) {
    await field(page, "collective").selectOption(collective);
    assert.equal(nonsense(await shownText(page)), undefined, collective);
    await page.locator("commcost-network commcost-line-chart svg").first().waitFor();
  }
  await page.done();
});

test("a machine is described; wrong inputs are named and the last answer stays", async () => {
  const page = await open("&gpus_per_node=5");
  const time = await figure(page, "time_us").innerText();
  await field(page, "nic_gb_per_sec").fill("fast");
  assert.match(await page.locator("#field-nic_gb_per_sec-note").innerText(), /: enter a bandwidth/);
  assert.equal(await figure(page, "time_us").innerText(), time);
  await field(page, "nic_gb_per_sec").fill("25");
  await unfold(page, "GPU, node and network");
  await field(page, "launch").selectOption("process_per_gpu");
  assert.match(page.url(), /view=network/);
  await page.done();
});

test("the chart names each measurement's source to cursor and keyboard", async () => {
  const page = await open();
  const chart = page.getByRole("slider", { name: /Time against message size/ });
  await chart.focus();
  const text = await chart.getAttribute("aria-valuetext");
  assert.match(
    text,
    /^128 MiB message: 80 % of measurements .* to .*; ring at line rate 783 µs; NCCL’s model .*; predicted .*; measured .*github\.com/,
  );
  await page.keyboard.press("Home");
  assert.match(await chart.getAttribute("aria-valuetext"), /^4 B|^8 B/);
  assert.ok(
    await page
      .locator("commcost-line-chart circle title")
      .first()
      .evaluate((title) => /github|public/.test(title.textContent)),
  );
  await page.done();
});

test("filled dots are runs that were launched as the curve assumes; others are hollow and named", async () => {
  const page = await open("&system=dgx-h100");
  const titles = (dots) => page.locator(`commcost-network svg g.${dots} circle title`).allTextContents();
  const words = { process_per_gpu: "process per GPU", thread_per_gpu: "thread per GPU", one_thread: "one thread" };
  await unfold(page, "GPU, node and network");
  for (const launch of Object.keys(words)) {
    await field(page, "launch").selectOption(launch);
    const others = Object.keys(words).filter((other) => other !== launch);
    const hollow = await titles("hollow");
    for (const title of await titles("fill-measured")) assert.ok(title.includes(words[launch]), title);
    for (const title of hollow)
      assert.ok(
        /^measured, (in doubt|switches not reducing): /.test(title) ||
          others.some((other) => title.startsWith(`measured, ${words[other]}`)),
        title,
      );
    assert.ok(hollow.length > 0);
  }
  // Runs whose switches reduced are no measure of a curve whose switches do not, nor the other way round.
  const runs = async (system, reduction) => {
    const page = await open(`&system=${system}&launch=one_thread&in_network_reduction=${reduction}`);
    const of = async (dots) =>
      (await page.locator(`commcost-network svg g.${dots} circle title`).allTextContents()).map((title) => ({
        kept: title.includes("NCCL_NVLS_ENABLE=0"),
        named: /^measured, switches (not )?reducing: /.exec(title),
      }));
    const both = { full: await of("fill-measured"), hollow: await of("hollow") };
    await page.done();
    return both;
  };
  const usual = await runs("dgx-h200", "usual");
  assert.ok(usual.full.length > 0 && usual.full.every(({ kept }) => !kept));
  assert.ok(usual.hollow.some(({ kept, named }) => kept && named?.[1] === "not "));
  const off = await runs("dgx-h200", "off");
  assert.ok(off.full.length > 0 && off.full.every(({ kept }) => kept));
  assert.ok(off.hollow.some(({ kept, named }) => !kept && named?.[1] === undefined && named));
  await page.done();
});

test("a collective is NCCL's, whichever stack trains, until another kernel is chosen", async () => {
  for (const recipe of ["", "&recipe=torchtitan"]) {
    const page = await open(`&system=dgx-h100${recipe}`);
    assert.equal(await field(page, "allreduce_kernel").inputValue(), "nccl");
    assert.ok((await page.locator("commcost-network svg g.fill-measured circle").count()) > 0);
    await page.done();
  }
});

test("runs of NCCL are hollow beside the curve of another kernel", async () => {
  const page = await open("&system=dgx-h100&message_size_bytes=65536&allreduce_kernel=best");
  const caption = page.locator("commcost-network commcost-line-chart figcaption").first();
  assert.match(await caption.innerText(), /Hollow dots: measured in another way/);
  assert.doesNotMatch(await caption.innerText(), /Full dots/);
  assert.equal(await page.locator("commcost-network svg g.fill-measured circle").count(), 0);
  await field(page, "allreduce_kernel").selectOption("nccl");
  assert.match(await caption.innerText(), /Full dots( were measured|: published measurements, taken) in the same way/);
  await page.done();
});

test("a name at a line's end is never cut off", async () => {
  const page = await open("&system=dgx-h100");
  const beyond = () =>
    page
      .locator("commcost-network svg.chart")
      .evaluateAll((charts) =>
        charts.flatMap((chart) =>
          [...chart.querySelectorAll("text")]
            .filter((text) => text.getBoundingClientRect().right > chart.getBoundingClientRect().right + 0.5)
            .map((text) => text.textContent),
        ),
      );
  for (const width of [1440, 1024, 760]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(100);
    assert.deepEqual(await beyond(), []);
  }
  await page.done();
});

test("time and bus bandwidth; the choice travels in the link", async () => {
  const page = await open("&show=bandwidth&system=dgx-h100");
  await page.getByRole("slider", { name: /Bus bandwidth against message size/ }).waitFor();
  await page.getByLabel("Time", { exact: true }).check();
  await page.getByRole("slider", { name: /Time against message size/ }).waitFor();
  await page.done();
});

test("converts bandwidths both ways and explains the one above the wire", async () => {
  const page = await open("&rate_gb_per_sec=350");
  const row = page.getByRole("row", { name: /^all-reduce/ });
  await expect(row.getByRole("cell")).toHaveText(["1.75", "612.5", "200"]);
  assert.match(await shownText(page), /carries only 225 GB\/s/);
  await page.done();
});

test("a pasted log is fitted, its bad lines named, and re-prices every view", async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-calibrate" });
  await page
    .getByLabel("Log of nccl-tests, or an exported calibration")
    .fill(log(powers(3, 30).map((size) => [size, 100 + size / 60e3])));
  assert.match(
    await page.locator("[data-fit]").innerText(),
    /28 sizes of an all-reduce on 8 GPUs: latency 100 µs, bandwidth 60/,
  );
  await page.getByText("Line 2: ").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await goTo(page, "network");
  const before = await figure(page, "time_us").innerText();
  await goTo(page, "diagnose");
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await page.getByRole("button", { name: "Keep, and use in every view" }).click();
  await goTo(page, "network");
  assert.notEqual(await figure(page, "time_us").innerText(), before);
  await page.getByText("Calibrated by mine").waitFor();
  await goTo(page, "diagnose");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export mine" }).click(),
  ]);
  const chunks = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk);
  const file = Buffer.concat(chunks).toString();
  assert.deepEqual(await axeFindings(page), []);
  await goTo(page, "cost");
  await page.locator("commcost-cost").getByText("Calibrated by mine").waitFor();
  await goTo(page, "diagnose");
  await page.getByRole("button", { name: "Forget mine" }).click();
  await goTo(page, "network");
  assert.equal(await figure(page, "time_us").innerText(), before);
  await goTo(page, "diagnose");
  await page.getByLabel("Log of nccl-tests, or an exported calibration").fill(file);
  await page.getByText("“mine” was read and is in force").waitFor();
  await goTo(page, "network");
  assert.notEqual(await figure(page, "time_us").innerText(), before);
  await goTo(page, "diagnose");
  await outlast(page, 300);
  await page.reload();
  await page.getByText("Kept on this machine").waitFor();
  // Scales found when predictions were twice as quick no longer give what the log measured.
  await page.getByText("28 sizes on 8 GPUs").waitFor();
  assert.equal(await page.getByText("out of date").count(), 0);
  const { scales, ...rest } = JSON.parse(file);
  const older = {
    ...rest,
    scales: Object.fromEntries(Object.entries(scales).map(([name, value]) => [name, value / 2])),
  };
  await page.getByLabel("Log of nccl-tests, or an exported calibration").fill(JSON.stringify(older));
  await page.getByText("out of date: predictions have changed since").waitFor();
  await page.done();
});

test("a log that cannot be fitted says why; storage may be refused", async () => {
  const page = await openPage(browser, "about:blank", { ready: "", hosts: [new URL(host.address).host] });
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    }),
  );
  await page.goto(`${host.address}#view=diagnose`);
  await page.locator("commcost-calibrate").waitFor();
  const area = page.getByLabel("Log of nccl-tests, or an exported calibration");
  await area.fill("8 2 float sum 20.00\nhello\n");
  await page.getByRole("alert").getByText("log line 1").waitFor();
  await page.getByRole("button", { name: "Try an example" }).click();
  await page.getByRole("button", { name: "Keep, and use in every view" }).click();
  await goTo(page, "network");
  await page.getByText("Calibrated by Example of 8 A100").waitFor();
  await page.done();
});

test("a file can be dropped in", async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-calibrate" });
  await page.locator("#log-file").setInputFiles({
    name: "node7.log",
    mimeType: "text/plain",
    buffer: Buffer.from(log(powers(10, 30).map((size) => [size, 30 + size / 90e3]))),
  });
  await page.locator("[data-fit]").waitFor();
  assert.equal(await page.getByLabel("Name", { exact: true }).getAttribute("placeholder"), "node7");
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}; no width scrolls`, async () => {
    const page = await open("", { colorScheme });
    assert.deepEqual(await axeFindings(page), []);
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${width} px`);
    }
    await page.done();
  });
}

test("prints on at most two pages", async () => {
  const page = await open();
  await page.emulateMedia({ media: "print" });
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  assert.ok((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length <= 2);
  await page.done();
});

test("a range without measurements is not called one of measurements", async () => {
  const page = await open("&v=2&system=alibaba-hpn&collective=all_to_all&tensor_parallel=2048");
  const view = page.locator("commcost-network");
  await view.getByText("No measurement of this kind is public").waitFor();
  await view.getByText("range, without measurements").first().waitFor();
  assert.equal(await view.getByText("80 % of measurements").count(), 0);
  await page.done();
});

test("pods, rails and where ranks lie decide what the spine leaves", async () => {
  const page = await openPage(
    browser,
    `${host.address}#view=network&system=dgx-h100&tensor_parallel=64&rank_stride=8&pod_gpus=32&oversubscription=8`,
    { ready: "commcost-network" },
  );
  const view = page.locator("commcost-network");
  await view
    .getByText(
      "The 64 GPUs are in 16 pods, 4 in each, so the collective crosses the spine. While every group of this kind sends, it leaves each network card 50 % of its rate.",
    )
    .waitFor();
  await page.evaluate(() => document.querySelector("commcost-app").take("rails=8"));
  await view.getByText("32 in each").waitFor();
  await page.evaluate(() => document.querySelector("commcost-app").take("pod_gpus=512"));
  await view.getByText("All 64 GPUs are in one pod").waitFor();
  await page.evaluate(() =>
    document
      .querySelector("commcost-app")
      .take("pod_gpus=32&rails=1&superpod_gpus=512&core_oversubscription=3&rank_stride=64"),
  );
  await view
    .getByText("The 64 GPUs are in 64 pods, 1 in each, and in 8 superpods, so the collective crosses spine and core.")
    .waitFor();
  assert.match(await view.locator('[data-network="link_utilization_percent"]').textContent(), /^[\d.]+ %$/);
  await page.done();
});
