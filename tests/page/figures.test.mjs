// One figure in somebody's article: its size, its caption, its one control, and the link to the page with the same numbers.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, openPage, serve } from "./support/browser.mjs";
import { hostPage } from "./support/host.mjs";

let browser, site;
const others = [];
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  site = await serve();
});
test.afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});
test.afterAll(async () => {
  await site.stop();
});

const names = ["matrices", "ring", "volume", "ideal", "cliff", "layout", "cost", "timeline", "front"];

async function openArticle(body, options = {}) {
  const other = await hostPage(site.address, body, `await import("${site.address}commcost-element.js");`);
  others.push(other);
  return openPage(browser, other.address, {
    ready: "commcost-figure",
    hosts: [new URL(site.address).host],
    ...options,
  });
}

test("every figure stands alone: 300 to 420 px high in an article's column, one control, clean for axe", async () => {
  const body = names.map((name) => `<commcost-figure of="${name}"></commcost-figure>`).join("");
  const page = await openArticle(body, { viewport: { width: 700, height: 900 } });
  for (const name of names) {
    const figure = page.locator(`commcost-figure[of="${name}"]`);
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('svg[role="img"]').first().waitFor();
    await expect(figure.locator("#told")).not.toBeEmpty();
    if (["layout", "front"].includes(name)) await expect(figure.locator("#told")).toHaveText(/quickest/i);
    const { height } = await figure.boundingBox();
    assert.ok(height >= 300 && height <= 420, `${name}: ${height} px`);
    assert.notEqual(await figure.locator("figcaption").first().innerText(), "");
    assert.equal(await figure.locator('input[type="range"]').count(), 1, name);
    assert.equal(await figure.getByRole("link").count(), 0, `${name}: no link without a base`);
  }
  assert.deepEqual(
    (await axeFindings(page)).filter((finding) => !finding.startsWith("region")),
    [],
  );
  await page.setViewportSize({ width: 360, height: 640 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  // This host's policy has no place for workers: the search of layouts runs in the page.
  assert.deepEqual(
    page.complaints().filter((complaint) => !/worker/i.test(complaint)),
    [],
  );
  await page.context().close();
});

test("its inputs are attributes, its control moves it, its link opens the page with these numbers", async () => {
  const page = await openArticle(`<commcost-figure of="volume" num_gpus="4" base="${site.address}"></commcost-figure>`);
  const told = page.locator("#told");
  await expect(told).toHaveText(/^With 4 GPUs each sends 201 MB/);
  await page.getByRole("slider", { name: "GPUs in the group" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(told).toHaveText(/^With 2 GPUs each sends 134 MB/);
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: /^Open with these numbers/ }).click(),
  ]);
  await opened.locator("commcost-cost").waitFor();
  assert.equal(await field(opened, "tensor_parallel").inputValue(), "2");
  await page.locator("commcost-figure").evaluate((figure) => figure.setAttribute("num_gpus", "16"));
  await expect(told).toHaveText(/^With 16 GPUs/);
  await page.done();
});

test("an unknown figure says what is allowed, and what was likely meant", async () => {
  const page = await openArticle(`<commcost-figure of="rign"></commcost-figure>`);
  const said = page.getByRole("alert");
  await expect(said).toHaveText(
    "There is no figure “rign”; did you mean ring? There are matrices, ring, volume, ideal, cliff, layout, cost, timeline or front.",
  );
  await page.locator("commcost-figure").evaluate((figure) => (figure.of = "layer"));
  await expect(page.locator("#told")).toHaveText(/^On 8 GPUs a layer takes/);
  await page.locator("commcost-figure").evaluate((figure) => figure.removeAttribute("of"));
  await expect(page.getByRole("alert")).toHaveText(/^Say which figure: of="ring"/);
  await page.done();
});

test("cost, timeline and front show what their views show, over the same numbers", async () => {
  const inputs = 'model="llama-3.1-70b" system="dgx-h100" tensor_parallel="8"';
  const body = ["cost", "timeline", "front"].map(
    (name) => `<commcost-figure of="${name}" ${inputs}></commcost-figure>`,
  );
  const page = await openArticle(body.join(""), { viewport: { width: 700, height: 900 } });
  const told = (name) => page.locator(`commcost-figure[of="${name}"] #told`);
  const view = async (name) => {
    const link = `${site.address}#view=${name}&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=8`;
    return openPage(browser, link, { ready: `commcost-${name} figure` });
  };
  await expect(told("cost")).toHaveText(
    /^8 GPUs, 160 all-reduces a forward pass: about .* \(.*\) on one DGX H100 node/,
  );
  const cost = await view("cost");
  const [, expected] = (await told("cost").innerText()).match(/about (.*?) \(/);
  await expect(cost.locator(".headline")).toContainText(`about ${expected}`);
  await cost.done();

  const timeline = page.locator('commcost-figure[of="timeline"]');
  await timeline.scrollIntoViewIfNeeded();
  await expect(told("timeline")).toHaveText(/^8 GPUs: a layer takes .* compute waits for .* \(\d+ %\)\.$/);
  const overlap = await view("overlap");
  const bars = (where) => where.locator("commcost-lane-chart svg.drawing .bar").count();
  assert.ok((await bars(timeline)) > 10);
  assert.equal(await bars(timeline), await bars(overlap));
  await overlap.done();

  const front = page.locator('commcost-figure[of="front"]');
  await front.scrollIntoViewIfNeeded();
  await expect(told("front")).toHaveText(/^The quickest: .* of each of 64 GPUs, as tensor \d/, { timeout: 20_000 });
  const dots = (where) => where.locator("commcost-scatter-chart svg.drawing .fill-expected circle").count();
  const plan = await view("plan");
  await expect(async () => assert.equal(await dots(plan), await dots(front))).toPass();
  await plan.done();
  await page.context().close();
});

test("the front is walked by its slider: less memory, a longer step, and the link takes that layout along", async () => {
  const page = await openArticle(
    `<commcost-figure of="front" base="${site.address}" model="llama-3.1-70b"></commcost-figure>`,
  );
  const told = page.locator("#told");
  await expect(told).toHaveText(/^The quickest/, { timeout: 20_000 });
  const slider = page.getByRole("slider", { name: "Memory to use" });
  const gib = async () => Number.parseFloat(await slider.getAttribute("aria-valuetext"));
  const most = await gib();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(told).toHaveText(/% longer than the quickest layout\.$/);
  assert.ok((await gib()) < most);
  const tensor = /tensor (\d+)/.exec(await told.innerText())?.[1] ?? "1";
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: /^Open with these numbers/ }).click(),
  ]);
  await opened.locator("commcost-plan").waitFor();
  assert.equal(await field(opened, "tensor_parallel").inputValue(), tensor);
  await page.context().close();
});

test("the Embed panel gives the tag of one figure with the present numbers", async () => {
  const page = await openPage(browser, `${site.address}#view=start&tensor_parallel=4`, { ready: "commcost-start" });
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Embed" }).click();
  const panel = page.locator("commcost-embed-code");
  await panel.locator('select[name="figure"]').selectOption("cliff");
  assert.match(
    await panel.getByLabel("One figure").innerText(),
    /<commcost-figure of="cliff" base="http:[^"]*"[^>]* tensor_parallel="4"[^>]*><\/commcost-figure>/,
  );
  await page.done();
});

test("an author says how many hints there are to an exercise", async () => {
  const exercise = (attributes) =>
    `<commcost-calculator exercise seed="3" level="1" ${attributes}></commcost-calculator>`;
  const script = `window.hints = []; addEventListener("hint", ({ detail }) => hints.push(detail.hints));`;
  for (const [attributes, allowed] of [
    ['hints="off"', 0],
    ['hints="2"', 2],
    ['hints="1" track="ring_rounds"', 1],
  ]) {
    const other = await hostPage(
      site.address,
      exercise(attributes),
      `${script} await import("${site.address}commcost-element.js");`,
    );
    others.push(other);
    const page = await openPage(browser, other.address, {
      ready: "commcost-calculator form",
      hosts: [new URL(site.address).host],
    });
    const hint = page.getByRole("button", { name: "Hint" });
    for (let given = 0; given < allowed; given++) await hint.click();
    await expect(hint).toHaveCount(0);
    assert.deepEqual(
      await page.evaluate(() => window.hints),
      Array.from({ length: allowed }, (_, index) => index + 1),
      attributes,
    );
    await page.done();
  }
});
