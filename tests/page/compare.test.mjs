import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, choosePreset, field, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash = "", options = {}) =>
  openPage(browser, `${host.address}#${hash}`, { ready: "main > *", ...options });
const bar = (page) => page.locator("commcost-compare-bar section");
const line = (page) => page.locator(".beside-line").first();
const views = ["cost", "ring", "network", "overlap", "step", "plan", "serve"];
const bothDiffer = "num_gpus=16&bandwidth_gb_per_sec=450&data_parallel=16&ranks=8&pin=yes";

test("a pinned scenario stands beside the present one: what to expect first, and the ratio is the numbers'", {
  tag: "@long",
}, async () => {
  const page = await open("view=cost");
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await bar(page).getByText("Nothing differs yet").waitFor();
  await field(page, "tensor_parallel").fill("16");
  assert.match(await bar(page).innerText(), /TP 8 → 16/);
  assert.match(
    await line(page).innerText(),
    /predicted\t\d+ ms \(\d+–\d+ ms\)\t\d+ ms \(\d+–\d+ ms\)\t\+[\d.]+ % \(\+[\d.]+ to \+[\d.]+ %\)\s+textbook formula\t50\.11 ms\t53\.69 ms\t\+7\.1 %\s+bytes sent\t15\.03 GB\t16\.11 GB\t\+7\.1 %/,
  );
  const beside = await page.locator(".results [data-beside]").allInnerTexts();
  assert.deepEqual(beside, ["as in A", "1.07× A’s 234.9 MB", "1.07× A’s 15.03 GB", "1.07× A’s 50.11 ms"]);
  assert.match((53.6871 / 50.108).toPrecision(3), /^1\.07$/);
  await page.done();
});

test("the comparison goes the way that is expected, not the way of the ideal", { tag: "@long" }, async () => {
  // On DGX H100 a group of four sends less than one of eight, but takes longer: fewer links reduce in the switches.
  const page = await open("system=dgx-h100&tensor_parallel=4&pin.system=dgx-h100&pin.tensor_parallel=8");
  const told = await line(page).innerText();
  const range = /predicted\t[^\t]+\t[^\t]+\t.*?([+−][\d.]+) to ([+−][\d.]+) %/.exec(told).slice(1);
  const [low, high] = range.map((text) => Number(text.replace("−", "-")));
  assert.ok(low + high > 0, told);
  assert.match(told, /textbook formula\t[^\t]+\t[^\t]+\t−[\d.]+ %/);
  await page.done();
});

test("percentages are compared in points", { tag: "@long" }, async () => {
  const page = await open("view=step&tensor_parallel=4&pin=yes");
  assert.match(
    await line(page).innerText(),
    /MFU\t[\d.]+ % \([\d.]+–[\d.]+ %\)\t[\d.]+ % \([\d.]+–[\d.]+ %\)\t.*[+−][\d.]+ points?/,
  );
  await page.done();
});

test("answers of Serve are compared with their bands and the price of a million tokens, as the engine says of each", {
  tag: "@long",
}, async () => {
  const page = await open(
    "v=3&view=serve&model=llama-3.1-70b&system=dgx-h200&price_per_gpu_hour=2&pin.model=llama-3.1-70b&pin.system=dgx-b200&pin.price_per_gpu_hour=4",
  );
  const rows = await page
    .locator("commcost-serve .unders .beside-line tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.cells].map(({ textContent }) => textContent.replace(/\s+/g, " ").trim())),
    );
  const [then, now] = await page
    .locator("commcost-serve")
    .evaluate(({ scenario }) =>
      [scenario.pinned, scenario].map(
        (one) => scenario.engine.plan_serving(one.inputs("plan_serving").values).deployments[0],
      ),
    );
  assert.deepEqual(
    rows.map(([what]) => what),
    ["Requests/s", "Tokens/s/GPU", "TPOT", "TTFT, a prompt alone", "Price of a million output tokens"],
  );
  const near = (text, value) =>
    assert.ok(Math.abs(parseFloat(text.replace(",", "")) / value - 1) < 0.006, `${text} ${value}`);
  for (const [column, row, price] of [
    [1, then, 4],
    [2, now, 2],
  ]) {
    near(rows[0][column], row.requests_per_sec);
    near(rows[1][column], row.output_tokens_per_sec_per_gpu);
    near(rows[2][column], row.token_ms);
    assert.match(rows[2][column], /\([\d.]+–[\d.]+ ms\)$/);
    const dollars = (price * 1e6) / (row.output_tokens_per_sec_per_gpu * 3600);
    near(rows[4][column], dollars);
    // A price is the time's over again, and so is its range.
    const [low, high] = /\(([\d.]+)–([\d.]+)\)$/.exec(rows[4][column]).slice(1).map(Number);
    near(String(low), (dollars * row.token_low_ms) / row.token_ms);
    near(String(high), (dollars * row.token_high_ms) / row.token_ms);
  }
  const more = parseFloat(rows[0][3].replace("−", "-"));
  assert.ok(Math.abs(more - ((100 * now.requests_per_sec) / then.requests_per_sec - 100)) < 0.51, rows[0][3]);
  await page.done();
});

test("both scenarios stand readable in the link and survive a reload; swapping and unpinning", {
  tag: "@long",
}, async () => {
  const page = await open("view=cost");
  await choosePreset(page, "Machine", "dgx h100");
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await choosePreset(page, "Machine", "dgx b200");
  await field(page, "tensor_parallel").fill("16");
  assert.match(await bar(page).innerText(), /Machine DGX H100 → DGX B200, TP 8 → 16\./);
  await page.waitForFunction(() => location.hash.includes("tensor_parallel=16"));
  assert.equal(new URL(page.url()).hash, "#v=4&system=dgx-b200&cluster_gpus=64&tensor_parallel=16&pin.system=dgx-h100");
  const figures = await line(page).innerText();
  await page.reload();
  await line(page).waitFor();
  assert.equal(await line(page).innerText(), figures);
  await page.getByRole("button", { name: "Swap" }).click();
  assert.equal(await field(page, "tensor_parallel").inputValue(), "8");
  assert.match(await bar(page).innerText(), /Machine DGX B200 → DGX H100, TP 16 → 8/);
  await page.getByRole("button", { name: "Unpin A" }).click();
  assert.equal(await bar(page).count(), 0);
  assert.equal(await page.locator("[data-beside]").count(), 0);
  await page.waitForFunction(() => !location.hash.includes("pin"));
  await page.done();
});

test("a precision that differs is said once, by its name; what is within error is not in bold", async () => {
  const page = await open(
    "v=3&view=serve&model=llama-3.1-70b&system=dgx-h200&weight_bytes_per_element=1&serving_matmul_precision=fp8&kv_bytes_per_element=1&pin.model=llama-3.1-70b&pin.system=dgx-h200",
  );
  await line(page).waitFor();
  assert.match(
    await bar(page).innerText(),
    /^Compared with A \(pinned\)\.\sServing precision BF16 → FP8, FP8 KV cache\.\s/,
  );
  const cells = await page
    .locator(".beside-line tbody td:last-child")
    .evaluateAll((all) => all.map((cell) => [cell.textContent.trim(), cell.querySelector("b") !== null]));
  assert.ok(cells.length > 4);
  for (const [text, bold] of cells) {
    const [low, high] = (/\((.*) to (\S+) %\)$/.exec(text) ?? []).slice(1).map((end) => Number(end.replace("−", "-")));
    assert.equal(bold, low > 0 || high < 0, text);
    assert.equal(text.startsWith("within error"), low <= 0 && high >= 0, text);
  }
  await page.done();
});

test("what differs is said once, though a degree is pinned as well", async () => {
  const page = await openPage(browser, `${host.address}#view=overlap&num_gpus=16&pin=yes`, {
    ready: "commcost-overlap",
  });
  const differs = await bar(page).innerText();
  assert.equal(differs.match(/TP\s8\s→\s16/g)?.length, 1, differs);
  await page.done();
});

test("every view compares: headline, figures and charts", { tag: "@long" }, async () => {
  for (const view of views) {
    const page = await open(`view=${view}&${bothDiffer}`);
    await line(page).waitFor();
    assert.match(await line(page).innerText(), /A\tB, as shown\tDifference\n[\s\S]*\t.*[+−][\d.]+ (%|points)/, view);
    assert.ok((await page.locator("[data-beside]").count()) > (view === "plan" ? 0 : 1), view);
    // A chart further down is drawn in an idle moment.
    await page
      .locator("figcaption, .legend li, svg text")
      .filter({ hasText: /^\s*A: / })
      .first()
      .waitFor({ state: "attached" });
    const captions = await page.locator("figcaption").allTextContents();
    assert.ok(!captions.some((text) => /^\s*A: /.test(text)), `${view}: A has no chart of its own`);
    if (view === "ring")
      assert.match(await page.locator(".message-then").first().getAttribute("d"), /^M[\d.]+ [\d.]+L/);
    assert.equal(nonsense(await shownText(page)), undefined, view);
    await page.done();
  }
});

test("a chart's table holds both scenarios", { tag: "@long" }, async () => {
  const page = await open("num_gpus=16&bandwidth_gb_per_sec=450&pin=yes");
  await page.getByText("Table").first().click();
  const first = page.locator("commcost-line-chart").first().locator("tbody tr td:first-child");
  await first.first().waitFor();
  const rows = await first.allInnerTexts();
  assert.deepEqual([...new Set(rows)], ["present", "A"]);
  await page.done();
});

test("a pinned scenario without an answer is said; its bad parts are named and left out", {
  tag: "@long",
}, async () => {
  const page = await open(
    "pin.hidden_size=9007199254740991&pin.num_gpus=many&pin.link=none&pin.nonsense=1&pin.num_layers=16",
  );
  assert.match(await line(page).innerText(), /A has no answer here/);
  const named = await page.locator(".unknown").innerText();
  for (const part of ["pin.num_gpus cannot be “many”", "There is no link “none” to compare with", "pin.nonsense"])
    assert.ok(named.includes(part), named);
  assert.match(await bar(page).innerText(), /Layers 16 → 32/);
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in a comparison, ${colorScheme}; 360 px and 200 % lose nothing`, {
    tag: "@long",
  }, async () => {
    for (const view of views) {
      const page = await open(`view=${view}&${bothDiffer}`, { colorScheme });
      await line(page).waitFor();
      assert.deepEqual(await axeFindings(page), [], view);
      for (const width of [360, 640]) {
        await page.setViewportSize({ width, height: 800 });
        await settled(page);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
          false,
          `${view} at ${width} px`,
        );
      }
      await page.done();
    }
  });
}

// A plan prints its answer on one page by its record; all that the view says of it takes three.
test("each view prints on at most two pages, a plan and what is compared on three", { tag: "@long" }, async () => {
  for (const view of views) {
    for (const [hash, most] of [
      ["", 2],
      [bothDiffer, 3],
    ]) {
      const page = await open(`view=${view}&${hash}`);
      await page.locator(".headline").first().waitFor();
      if (view === "plan") await page.getByText(/on this machine/).waitFor();
      if (hash) await line(page).waitFor();
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      const pages = (pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length;
      assert.ok(pages <= (view === "plan" ? 3 : most), `${view}${hash && ", compared"}: ${pages} pages`);
      await page.done();
    }
  }
});
