// Start, "The price of a layer": what a first visit opens, and six figures that can be held by mouse, finger and keyboard.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

hosted();

const figures = (await load("views/start/story.ts")).chapters.map(({ figure }) => figure);
const open = (hash = "", options = {}) =>
  openPage(browser, host.address + hash, { ready: "commcost-start", ...options });
const chapter = (page, id) => page.locator(`[data-chapter="${id}"]`);
const told = (page, id) => chapter(page, id).locator("#told");
const group = (page) => field(page, "tensor_parallel").inputValue();

/** Brings a figure to the screen: it draws itself only there. */
async function seen(page, id) {
  await chapter(page, id).scrollIntoViewIfNeeded();
  await chapter(page, id).locator('svg[role="img"]').first().waitFor();
  return chapter(page, id);
}

test("a first visit opens Start; every link opens what it always did", async () => {
  for (const hash of ["", "#", "?no-sw"]) {
    const page = await open(hash);
    assert.match(await page.locator(".headline").innerText(), /The price of a layer/);
    await page.done();
  }
  for (const hash of ["#v=1&num_gpus=4", "#units=binary", "#colors=dark", "#pin=yes", "#view=nowhere", "?num_gpus=4"]) {
    const page = await openPage(browser, host.address + hash, { ready: "commcost-cost" });
    assert.equal(await page.locator("commcost-start").count(), 0, hash);
    await page.done();
  }
});

test("the address says Start or Cost only where it would open another, and Back leads from one to the other", async () => {
  const page = await open();
  await page.getByRole("link", { name: "Cost", exact: true }).click();
  await page.waitForFunction(() => location.hash === "#v=1&view=cost");
  await field(page, "tensor_parallel").fill("4");
  await page.waitForFunction(() => /tensor_parallel=4/.test(location.hash) && !/view=/.test(location.hash));
  await page.goBack();
  await page.locator("commcost-start").waitFor();
  assert.equal(new URL(page.url()).hash, "");
  await field(page, "tensor_parallel").fill("2");
  await page.waitForFunction(() => /view=start.*tensor_parallel=2/.test(location.hash));
  await page.reload();
  await page.locator("commcost-start").waitFor();
  assert.equal(await group(page), "2");
  await page.done();
});

test("every figure says what it shows, draws it, and leads to its view with the present scenario", async () => {
  const page = await open("#view=start&tensor_parallel=4");
  const says = {
    matrices: /^4 GPUs share a layer’s 202 million weights.*128 MiB on each GPU/,
    ring: /^4 GPUs: 2 · \(4 − 1\) = 6 rounds of 1\/4 of the message/,
    volume: /^With 4 GPUs each sends 201 MB, 1\.5 times the message/,
    ideal: /^128 MiB on 4 GPUs: .* where the line rate promises 670 µs/,
    cliff: /^On 4 GPUs a layer takes .* ms forward; for \d+ % of it compute waits\. 16 GPUs, in 2 nodes/,
    layout:
      /^Quickest on 32 GPUs: .* a training step\. A tensor degree of 4 (takes at least [\d.]+ % longer|does as well)/,
  };
  for (const id of figures) {
    await seen(page, id);
    await expect(told(page, id)).toHaveText(says[id]);
  }
  assert.equal(nonsense(await shownText(page)), undefined);
  for (const [id, view] of [
    ["volume", "cost"],
    ["ring", "ring"],
    ["ideal", "network"],
    ["cliff", "overlap"],
    ["layout", "plan"],
  ]) {
    await page.goto(`${host.address}#view=start&tensor_parallel=4`);
    await (await seen(page, id)).getByRole("link").click();
    await page.locator(`commcost-${view}`).waitFor();
    assert.equal(await group(page), "4", id);
    // The address follows a moment later.
    await page.waitForFunction(() => !location.hash.includes("view=start"));
  }
  await page.done();
});

test("each tensor degree is shown with its best layout: none is slower than the scenario's own", async () => {
  const page = await open("#view=start&tensor_parallel=4");
  await seen(page, "layout");
  await expect(told(page, "layout")).toHaveText(/^Quickest on/);
  const times = await page
    .locator("commcost-layout-figure")
    .evaluate(({ found }) => found.map((one) => [one.group, one.found.layouts[0]?.step_time_ms]));
  const own = await page.evaluate(() => {
    const { scenario: present } = document.querySelector("commcost-app").renderRoot.querySelector("commcost-scenario");
    return present.engine.training_step(present.inputs("training_step").values).step_time_ms;
  });
  assert.ok(times.find(([group]) => group === 4)[1] <= own * (1 + 1e-9));
  await page.done();
});

test("by keyboard: a range moves the group of all figures, one the message, one the ring", async () => {
  const page = await open();
  for (const id of ["matrices", "volume", "cliff", "layout"]) {
    const range = (await seen(page, id)).getByRole("slider", { name: "GPUs in the group" });
    const before = await group(page);
    await range.focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(Number(await group(page)), Number(before) / 2, id);
    await page.keyboard.press("ArrowRight");
    assert.equal(await group(page), before, id);
    assert.equal(await told(page, id).getAttribute("aria-live"), "polite", `${id} speaks while it is held`);
    assert.equal(await range.getAttribute("aria-valuetext"), "8 GPUs");
  }
  const message = (await seen(page, "ideal")).getByRole("slider", { name: "Message" });
  await message.focus();
  await page.keyboard.press("Home");
  await expect(told(page, "ideal")).toHaveText(/^4 KiB on 8 GPUs/);
  await chapter(page, "ideal").getByRole("link").click();
  await page.locator("commcost-network").waitFor();
  assert.equal(await field(page, "message_size_bytes").inputValue(), "4 KiB");
  await page.waitForFunction(() => location.hash.includes("view=network"));
  await page.goBack();
  await page.locator("commcost-start").waitFor();
  const ring = (await seen(page, "ring")).getByRole("slider", { name: "Round" });
  await ring.focus();
  await page.keyboard.press("End");
  await expect(chapter(page, "ring").locator("svg.ring .sent")).toHaveText("14/8");
  await page.done();
});

test("by mouse and by finger: the ring is turned, the curves are moved, a row is chosen", async () => {
  for (const hasTouch of [false, true]) {
    const page = await open("", { hasTouch });
    const tap = async (x, y) => (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    const volume = (await seen(page, "volume")).locator("commcost-line-chart .hold");
    await volume.scrollIntoViewIfNeeded();
    const curve = await volume.boundingBox();
    await tap(curve.x + 75, curve.y + curve.height / 2);
    assert.ok(Number(await group(page)) <= 2, await group(page));
    const row = (await seen(page, "cliff")).locator(".rows .row", { hasText: "TP 16" });
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    await tap(box.x + 20, box.y + box.height / 2);
    assert.equal(await group(page), "16");
    await field(page, "tensor_parallel").fill("8");
    await page.done();
  }
  const page = await open();
  const picture = (await seen(page, "ring")).locator("svg.ring");
  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await picture.boundingBox();
  const at = (turn) => [x + width / 2 + 90 * Math.sin(turn), y + height / 2 - 90 * Math.cos(turn)];
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let step = 1; step <= 12; step++) await page.mouse.move(...at((step / 12) * (Math.PI / 2)));
  await page.mouse.up();
  await expect(chapter(page, "ring").locator("svg.ring .sent")).toHaveText("2/8");
  await page.done();
});

test("stands still where less motion is asked for: chunks are never between two places", async () => {
  const page = await open("", { reducedMotion: "reduce" });
  await seen(page, "ring");
  const flying = await page.evaluate(async () => {
    const find = (root) =>
      [...root.querySelectorAll("*")].flatMap((element) => [
        ...(element.localName === "commcost-playback" ? [element] : []),
        ...(element.shadowRoot ? find(element.shadowRoot) : []),
      ]);
    const [playback] = find(document);
    let count = 0;
    new MutationObserver(() => (count += playback.renderRoot.querySelectorAll(".flying").length)).observe(
      playback.renderRoot,
      { childList: true, subtree: true },
    );
    playback.renderRoot.querySelector(".play").click();
    while (playback.position < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    return count;
  });
  assert.equal(flying, 0);
  await page.done();
});

for (const [width, colorScheme] of [
  [1280, "light"],
  [360, "dark"],
]) {
  test(`clean for axe at ${width} px, ${colorScheme}; nothing lies beyond the edge`, async () => {
    const page = await open("", { viewport: { width, height: width > 400 ? 900 : 640 }, colorScheme });
    // The first picture stands on the first screen.
    const first = await chapter(page, "matrices").locator('svg[role="img"]').first().boundingBox();
    assert.ok(first.y + first.height <= page.viewportSize().height, `${first.y + first.height}`);
    for (const id of figures) await seen(page, id);
    await settled(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}

test("on paper every figure is drawn, without its control", async () => {
  const page = await open();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  for (const id of figures) await chapter(page, id).locator('svg[role="img"]').first().waitFor();
  assert.equal(await page.locator("commcost-start .hand").filter({ visible: true }).count(), 0);
  await page.done();
});

test("one GPU, a group across nodes and inputs that make no layer have sentences of their own", async () => {
  const page = await open("#view=start&tensor_parallel=1");
  assert.match(await page.locator(".under").first().innerText(), /on one GPU pays nothing/);
  assert.match(await told(page, "matrices").innerText(), /One GPU does all/);
  await chapter(page, "ideal").scrollIntoViewIfNeeded();
  await expect(told(page, "ideal")).toHaveText(/nobody to send to/);
  await seen(page, "ring");
  await field(page, "tensor_parallel").fill("64");
  await expect(told(page, "ring")).toHaveText(/^A ring of 6 stands for your 64 GPUs/);
  await field(page, "hidden_size").fill("abc");
  await chapter(page, "matrices").scrollIntoViewIfNeeded();
  await expect(told(page, "matrices")).toHaveText(/do not make a layer/);
  assert.equal(nonsense(await shownText(page)), undefined);
  await page.done();
});
