// Diagnose: files of a run dropped together, the answer in one sentence, the waterfall, causes with what to run next.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf, healthy } from "../support/diagnosis/cases.mjs";
import { axeFindings, openPage } from "./support/browser.mjs";
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

/** Drops files on the page, all at once. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of files) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true }));
  }, files);

const open = (job, options = {}) => openPage(browser, address(job), { ready: "commcost-diagnose", ...options });
const headline = (page) => page.locator('commcost-diagnose [data-result="verdict"]');

test("files dropped together are answered in one sentence, cause by cause, and can be taken away", async () => {
  const { job, files } = caseOf("a power cap");
  const page = await open(job);
  await drop(page, files);
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
  await drop(page, files);
  await expect(headline(page)).toContainText("nothing to find");
  await expect(page.locator("commcost-causes ol")).toHaveCount(0);
  await page.done();
});

test("a network log alone is judged, and calibrates the network without moving the job", async () => {
  const { job, files } = caseOf("a network at an eighth");
  const page = await open(job);
  await drop(page, [files.find(({ name }) => name === "nccl.log")]);
  await expect(headline(page)).toContainText("bits and bytes mistaken");
  const before = page.url();
  await page.locator("commcost-causes").getByRole("button", { name: "Use in every view" }).first().click();
  await page.waitForFunction(() => location.hash.includes("network_scale="));
  const degrees = (url) =>
    [...new URLSearchParams(new URL(url).hash.slice(1))].filter(([name]) => name.endsWith("_parallel"));
  assert.deepEqual(degrees(page.url()), degrees(before));
  await page.done();
});

test("a broken, a foreign and an empty file say what to do", async () => {
  const { job } = caseOf("a healthy pipeline");
  const page = await open(job);
  const says = (text) => expect(page.locator("commcost-own-files [role=status]")).toContainText(text);
  await drop(page, [{ name: "empty.log", text: "" }]);
  await says("This file is empty");
  await drop(page, [{ name: "notes.txt", text: "hello\nworld\n" }]);
  await says("This is not a file that we can read: we take a PyTorch profile");
  await drop(page, [
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
    await drop(page, files);
    await expect(headline(page)).toContainText("slow attention");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}
