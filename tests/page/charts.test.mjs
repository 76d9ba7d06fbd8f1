import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { openPage, settled } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

hosted();

const [format, units, ticks, drag, reading, { csv }] = await Promise.all(
  ["state/format", "charts/units", "charts/ticks", "charts/drag", "charts/reading", "elements/export"].map((name) =>
    load(`${name}.ts`),
  ),
);

const labels = (unitList, domain, kind, count = 6) => {
  const unit = units.unitOf(unitList, domain, kind);
  return [unit.name, ...ticks.tickValues(domain, kind, unit, count).map((value) => units.tickLabel(value, unit))];
};

test("an axis has one unit, with round ticks; time is never in minutes", () => {
  const { millisecondUnits, microsecondUnits, binaryByteUnits, decimalByteUnits } = format;
  assert.deepEqual(labels(millisecondUnits, [0, 167_000], "linear"), [
    "s",
    "0",
    "20",
    "40",
    "60",
    "80",
    "100",
    "120",
    "140",
    "160",
  ]);
  assert.deepEqual(labels(millisecondUnits, [0, 0.00042], "linear", 4), ["ns", "0", "100", "200", "300", "400"]);
  assert.deepEqual(labels(millisecondUnits, [0, 4 * 3600e3], "linear", 4), ["hours", "0", "1", "2", "3", "4"]);
  assert.deepEqual(labels(microsecondUnits, [8, 900_000], "log"), ["ms", "0.01", "0.1", "1", "10", "100"]);
  assert.deepEqual(labels(millisecondUnits, [2_000, 30_000], "log"), ["s", "2", "5", "10", "20"]);
  assert.deepEqual(labels(binaryByteUnits, [0, 3 * 2 ** 30], "linear", 3), ["GiB", "0", "1", "2", "3"]);
  assert.deepEqual(labels(decimalByteUnits, [0, 2.7e8], "linear", 3), ["MB", "0", "100", "200"]);
});

test("the cursor reads lines between their points, as the axes are scaled", () => {
  const axes = (kind) => ({ x: { scale: kind }, y: { scale: kind, format: (value) => `${value.toFixed(2)}` } });
  const points = [
    { x: 1, y: 1 },
    { x: 100, y: 100 },
  ];
  assert.equal(reading.pointAt(points, 10, axes("log")).y.toFixed(6), "10.000000");
  assert.equal(reading.pointAt(points, 10, axes("linear")).y.toFixed(6), "10.000000");
  assert.equal(
    reading
      .pointAt(
        [
          { x: 1, y: 1 },
          { x: 100, y: 10 },
        ],
        10,
        axes("log"),
      )
      .y.toFixed(4),
    "3.1623",
  );
  assert.equal(reading.pointAt(points, 0.5, axes("log")), undefined);
  const band = {
    name: "band",
    kind: "band",
    color: "expected",
    points: [
      { x: 1, y: NaN, low: 1, high: 3 },
      { x: 3, y: NaN, low: 3, high: 5 },
    ],
  };
  assert.equal(reading.readAt(band, 2, axes("linear"))[0].text, "band 2.00 to 4.00");
});

test("a marked point goes to the nearest value there is, by keys to the next", () => {
  const values = [1, 2, 4, 8, 16];
  assert.equal(drag.moved({ values }, "log", 5.5, [1, 16]), 4);
  assert.equal(drag.moved({ values }, "log", 5.8, [1, 16]), 8);
  assert.equal(drag.moved({ least: 2 }, "linear", 1, [0, 10]), 2);
  assert.equal(drag.keyed({ values }, "log", 4, "ArrowRight"), 8);
  assert.equal(drag.keyed({ values }, "log", 5, "ArrowRight"), 8);
  assert.equal(drag.keyed({ values }, "log", 5, "ArrowLeft"), 4);
  assert.equal(drag.keyed({ values }, "log", 16, "ArrowUp"), 16);
  assert.equal(drag.keyed({ values }, "log", 4, "Home"), 1);
  assert.equal(drag.keyed({ values }, "log", 4, "a"), undefined);
  assert.equal(drag.keyed({ least: 1, most: 64 }, "log", 8, "ArrowDown"), 4);
});

test("a table as CSV: what it is of as comments, what cannot be empty, no formulas", () => {
  assert.equal(
    csv(
      ["a", "b"],
      [
        [1, NaN],
        ["=1+1", 'x "y"'],
      ],
      ["Title.", "A name\nof two lines,\r\nand more"],
    ),
    '# Title.\r\n# A name\r\n# of two lines,\r\n# and more\r\na,b\r\n1,\r\n\'=1+1,"x ""y"""\r\n',
  );
});

/** Gives the first line chart of the page a spec of its own. */
const show = (page, spec) =>
  page.evaluate(async (given) => {
    const deep = (root) =>
      root.querySelector("commcost-line-chart") ??
      [...root.querySelectorAll("*")].map((one) => one.shadowRoot && deep(one.shadowRoot)).find(Boolean);
    const template = deep(document);
    const chart = document.createElement("commcost-line-chart");
    const words = (value) => `${value} units`;
    chart.spec = {
      ...given,
      x: { ...given.x, format: words },
      y: { ...given.y, format: words },
      ...(given.here && { here: { ...given.here, drag: { ...given.here.drag, format: words } } }),
    };
    chart.id = "own";
    globalThis.moves = [];
    chart.addEventListener("change", (event) => {
      globalThis.moves.push(event.detail.x);
      chart.spec = { ...chart.spec, here: { ...chart.spec.here, x: event.detail.x } };
    });
    template.ownerDocument.querySelector("main, body").prepend(chart);
    await chart.updateComplete;
  }, spec);

const spec = {
  id: "own",
  title: "Own.",
  summary: "A line.",
  table: { header: ["x", "y"], rows: [] },
  x: { label: "things", scale: "log" },
  y: { label: "Size", scale: "linear" },
  series: [
    { name: "one", color: "expected", points: [1, 2, 4, 8].map((x) => ({ x, y: x })) },
    { name: "two", color: "measured", kind: "dots", points: [{ x: 2, y: 5, note: "a source" }] },
  ],
  here: { x: 2, y: 2, label: "here", drag: { label: "Things", values: [1, 2, 4, 8] } },
};

test("hover and keys read every series; the marked point is dragged, and moved by keys", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.locator("commcost-line-chart").first().waitFor();
  await show(page, spec);
  const chart = page.locator("#own");
  const drawing = chart.locator("svg.drawing");
  await drawing.focus();
  assert.equal(await drawing.getAttribute("aria-valuetext"), "2 units things: one 2 units; two 5 units (a source)");
  assert.match(await chart.locator(".tip").textContent(), /2 units things\s*one 2 units\s*two 5 units \(a source\)/);
  await page.keyboard.press("ArrowRight");
  assert.equal(await drawing.getAttribute("aria-valuetext"), "4 units things: one 4 units");
  const handle = chart.getByRole("slider", { name: "Things" });
  await handle.press("ArrowRight");
  assert.deepEqual(await page.evaluate(() => globalThis.moves), [4]);
  assert.equal(await handle.getAttribute("aria-valuetext"), "4 units");
  await settled(page);
  const [from, plot] = [await handle.boundingBox(), await drawing.boundingBox()];
  const y = from.y + from.height / 2;
  await page.mouse.move(from.x + from.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(plot.x + 60, y, { steps: 4 });
  await page.mouse.up();
  assert.equal((await page.evaluate(() => globalThis.moves)).at(-1), 1);
  await page.done();
});

test("what an axis has no place for is not drawn, and read all the same", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.locator("commcost-line-chart").first().waitFor();
  const at = (ys) => ys.map((y, index) => ({ x: 2 ** index, y }));
  await show(page, {
    ...spec,
    y: { ...spec.y, scale: "log" },
    series: [
      { name: "one", color: "expected", points: [...at([0, 2, 4, NaN]), { x: 0, y: 1 }] },
      { name: "two", color: "measured", kind: "dots", points: at([5, 0, 6]) },
      {
        name: "span",
        color: "expected",
        kind: "band",
        points: at([1, 2, 4]).map((p) => ({ ...p, low: p.x - 1, high: p.y + 1 })),
      },
    ],
    rules: [
      { axis: "y", at: 0, label: "nothing" },
      { axis: "x", at: 0, label: "nowhere" },
    ],
    here: { ...spec.here, x: 1, y: 0 },
  });
  const chart = page.locator("#own");
  const drawing = chart.locator("svg.drawing");
  await drawing.focus();
  assert.match(await drawing.getAttribute("aria-valuetext"), /^1 units things: one 0 units; two 5 units/);
  await page.keyboard.press("ArrowRight");
  assert.match(await drawing.getAttribute("aria-valuetext"), /^2 units things: one 2 units; two 0 units/);
  assert.equal(
    await drawing.locator("circle:not(.on-screen):not(pattern circle)").count(),
    2 + 1,
    "dots, and their name's",
  );
  assert.equal(await drawing.locator(".rule, .here").count(), 0);
  assert.equal(await chart.getByRole("slider", { name: "Things" }).count(), 0);
  assert.doesNotMatch(await drawing.innerHTML(), /NaN|Infinity/);
  await page.done();
});

test("a chart without anything to show says so, and draws no axes", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.locator("commcost-line-chart").first().waitFor();
  const { here, ...rest } = spec;
  await show(page, { ...rest, series: [], nothing: "Nothing fits." });
  assert.equal(await page.locator("#own svg").count(), 0);
  assert.match(await page.locator("#own figcaption").textContent(), /Own\.\s*Nothing fits\./);
  await page.done();
});

/** Of Train’s step: a limit, and every kind of chart whose bars or curves an edit moves; those of what is sure lie about the prediction. */
const moving = ["limit", "stacked-bars", "lane-chart", "bar-chart", "line-chart", "roofline-chart", "histogram"];

for (const reducedMotion of ["no-preference", "reduce"])
  test(`bars and curves move from what was to what is, with motion ${reducedMotion}`, async () => {
    const page = await openPage(
      browser,
      `${host.address}#view=step&tensor_parallel=8&pipeline_parallel=2&data_parallel=4`,
      { ready: "commcost-step", reducedMotion, viewport: { width: 1280, height: 6000 } },
    );
    const chart = (kind) => page.locator(`commcost-step commcost-${kind}`).first();
    for (const kind of moving.filter((one) => one !== "limit")) await chart(kind).locator("svg.drawing").waitFor();
    await settled(page);
    const bar = chart("stacked-bars").locator("rect.bar").first();
    const before = await bar.getAttribute("width");
    await page.evaluate(() => {
      globalThis.moved = new Set();
      const listen = (root) => {
        for (const one of root.querySelectorAll("*"))
          if (one.shadowRoot) {
            one.shadowRoot.addEventListener("transitionrun", ({ target }) => {
              if (target.closest("svg.drawing")) moved.add(one.localName.replace("commcost-", ""));
              if (target.querySelector(".limit")) moved.add("limit");
            });
            listen(one.shadowRoot);
          }
      };
      listen(document);
      document.querySelector("commcost-app").take("sequence_length=8192");
    });
    await expect.poll(() => bar.getAttribute("width")).not.toBe(before);
    const moved = () => page.evaluate(() => [...globalThis.moved]);
    if (reducedMotion === "reduce") {
      await settled(page);
      assert.deepEqual(await moved(), []);
    } else await expect.poll(async () => (await moved()).sort()).toEqual(expect.arrayContaining(moving));
    await page.done();
  });
