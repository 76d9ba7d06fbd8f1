// Learn, "What it costs to split a model": what a first visit opens, and figures and numbers that can be held by mouse, finger
// and keyboard. That its sentences are true is learn-claims.test.mjs.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, nonsense, openPage, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";
import { engine } from "../wasm/support.mjs";

hosted();

/** The same pattern where no line may end at a space. */
const spaced = ({ source, flags }) => new RegExp(source.replaceAll(" ", "\\s"), flags);

const { chapters } = await load("views/learn/story.ts");
const { arrange, bestMoves, dayOf, mayFill } = await load("figures/layer-gaps.ts");
const { faultOf, isDone, knownWays, play } = await load("figures/sends.ts");
const figures = chapters.flatMap(({ figure }) => figure ?? []);
/** The example in old links. */
const plain = "#v=1&view=learn&model=llama-2-7b";
const open = (hash = "", options = {}) =>
  openPage(browser, host.address + hash, { ready: "commcost-learn", ...options });
const chapter = (page, id) => page.locator(`.chapter:has(commcost-figure[data-of="${id}"])`);
const told = (page, id) => chapter(page, id).locator("#told");
/** The group that the article speaks of. */
const group = (page) => page.locator(".under .held").getAttribute("aria-valuenow");

/** Brings a figure to the screen: it draws itself only there. */
async function seen(page, id) {
  await chapter(page, id).scrollIntoViewIfNeeded();
  await chapter(page, id).locator('svg[role="img"]').first().waitFor();
  return chapter(page, id);
}

/** Plants a flag on a division of the GPUs, and has it compared: only then is any time said. */
async function plantFlag(page, place = "8-1") {
  const board = await seen(page, "layout");
  await expect(told(page, "layout")).toHaveText(/^Which division of .+ is fastest\? Plant your flag\.$/);
  assert.equal(await board.locator(".tile", { hasText: /%|fastest|tie/ }).count(), 0);
  await board.locator(`[name="layout"][value="${place}"]`).check();
  await expect(told(page, "layout")).toHaveText(/^Your flag stands on/);
  assert.equal(await board.locator(".tile", { hasText: /%|fastest|tie/ }).count(), 0);
  await board.getByRole("button", { name: "Compare" }).click();
}

/** Says how many rounds a ring takes: only then does it turn. */
async function guessRounds(page) {
  const figure = await seen(page, "ring");
  await figure.getByRole("button", { name: "Compare" }).click();
  await figure.getByRole("slider", { name: "Round", exact: true }).waitFor();
}

/** Draws the bars that are asked for, by keyboard, and compares them. */
async function drawBars(page) {
  const figure = await seen(page, "volume");
  for (const group of [16, 32, 64])
    await figure.getByRole("slider", { name: `Sent by each of ${group} GPUs` }).press("End");
  await figure.getByRole("button", { name: "Compare" }).click();
  await figure.locator("commcost-line-chart svg[role=img]").waitFor();
}

test("a first visit opens Learn with its own example; every link opens what it always did", async () => {
  for (const hash of ["", "#", "?no-sw"]) {
    const page = await open(hash);
    assert.match(await page.locator(".headline").innerText(), /What it costs to split a model/);
    assert.match(await page.locator(".under").innerText(), /^Split Llama 3\.1 70B over 8 GPUs/);
    await page.done();
  }
  const old = await open("#view=start&tensor_parallel=4");
  assert.match(await old.locator(".under").innerText(), /^Split Llama 2 7B over 4 GPUs/);
  await old.done();
  for (const hash of ["#v=1&num_gpus=4", "#units=binary", "#colors=dark", "#pin=yes", "#view=nowhere", "?num_gpus=4"]) {
    const page = await openPage(browser, host.address + hash, { ready: "commcost-cost" });
    assert.equal(await page.locator("commcost-learn").count(), 0, hash);
    await page.done();
  }
});

test("the address says Learn or Cost only where it would open another, and Back leads from one to the other", async () => {
  const page = await open();
  await page.getByRole("link", { name: "Cost", exact: true }).click();
  await page.waitForFunction(() => /^#v=4&model=llama-3\.1-70b/.test(location.hash));
  await field(page, "tensor_parallel").fill("4");
  await page.waitForFunction(() => /tensor_parallel=4/.test(location.hash) && !/view=/.test(location.hash));
  await page.goBack();
  await page.locator("commcost-learn").waitFor();
  assert.equal(new URL(page.url()).hash, "");
  const number = page.locator(".under .held");
  await number.focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => /view=learn.*tensor_parallel=4/.test(location.hash));
  await page.reload();
  await page.locator("commcost-learn").waitFor();
  assert.equal(await group(page), "4");
  await page.done();
});

test("every figure says what it shows, draws it, and leads to its view with the present scenario", async () => {
  const page = await open("#view=start&tensor_parallel=4");
  const says = {
    fit: /^3 of 32 layers of Llama 2 7B: 1\.26 GB of 80 GB on one A100\. More fit\.$/,
    knife: /^Cut between the layers: 4 stretches, one on each GPU\. In a forward pass 128 MiB cross each of the 3 cuts/,
    cells: /^One GPU: 1·1 \+ 2·\(−2\) \+ 3·1 \+ −1·2 = −2\. Cut the matrix/,
    guess: /^Each of 4 GPUs has a sheet of its own/,
    switch: /^The switch only passes on: each of 8 GPUs on DGX H100 sends 1\.75 times 128 MiB/,
    matrices: /^4 GPUs share a layer’s 202 million weights, and each has a result\. Lift sheets off, or lay more on\.$/,
    ring: /^4 GPUs, one chunk of 1\/4 to the next GPU in every round: after how many rounds/,
    volume:
      /^With 2, 4 and 8 GPUs each sends 1, 1\.5 and 1\.75 times the message\. Draw the bars of 16, 32 and 64 GPUs\.$/,
    ideal: /^1 MB over 4 GPUs: the textbook formula says [\d.]+ µs\. Drag the mark/,
    cliff: /^On 2 GPUs a layer’s forward pass takes .* ms, [\d.]+ % of it waiting\. Drag down to pull more GPUs in\.$/,
    hide: /^4 GPUs: without overlap a layer takes .* forward and backward, and for .* compute waits\. Drag work into the gaps\.$/,
    layout:
      /^Predicted fastest on 32 GPUs: .* a training step\. Your flag: TP 8 · DP 4 takes .*, [\d.]+ % longer\. GPUs wait .* for TP’s sums/,
  };
  for (const id of figures) {
    await seen(page, id);
    if (id === "layout") await plantFlag(page);
    await expect(told(page, id)).toHaveText(spaced(says[id]));
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
    await (await seen(page, id)).getByRole("link", { name: /^Open in/ }).click();
    await page.locator(`commcost-${view}`).waitFor();
    assert.equal(
      await page.evaluate(() => document.querySelector("commcost-app").scenario.text("tensor_parallel")),
      "4",
      id,
    );
    // The address follows a moment later.
    await page.waitForFunction(() => !/view=(start|learn)/.test(location.hash));
  }
  await page.done();
});

test("each pair of TP and PP is shown with its best layout: none is slower than the scenario’s own, and the flag’s is what Train opens", async () => {
  const page = await open("#view=start&tensor_parallel=4");
  await plantFlag(page, "4-2");
  await expect(told(page, "layout")).toHaveText(/^Predicted fastest on/);
  const board = await seen(page, "layout");
  assert.match(await board.locator(".tile", { hasText: "fastest" }).first().innerHTML(), /fastest/);
  const { times, own } = await page.locator("commcost-layout-figure").evaluate(({ found, scenario }) => ({
    times: found.layouts.map((row) => [row.tensor_parallel, row.pipeline_parallel, row.step_time_ms]),
    own: scenario.engine.training_step(scenario.inputs("training_step").values),
  }));
  const same = times.filter(([tensor]) => tensor === 4).map(([, , time]) => time);
  assert.ok(Math.min(...same) <= own.step_time_ms * (1 + 1e-9));
  await chapter(page, "layout")
    .getByRole("link", { name: /^Open in/ })
    .click();
  await page.locator("commcost-plan").waitFor();
  const opened = (name) => page.evaluate((field) => document.querySelector("commcost-app").scenario.text(field), name);
  assert.deepEqual([await opened("plan_tensor_parallel"), await opened("plan_pipeline_parallel")], ["4", "2"]);
  await page.done();
});

test("by keyboard: a range moves the group of all figures, one the message, one the ring", async () => {
  const page = await open(plain);
  await drawBars(page);
  for (const id of ["matrices", "volume", "cliff", "hide"]) {
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
  const ideal = await seen(page, "ideal");
  await ideal.getByRole("slider", { name: "Your guess" }).press("ArrowRight");
  await ideal.getByRole("button", { name: "Compare" }).click();
  await expect(told(page, "ideal")).toHaveText(/^You guessed [\d.]+\sµs\. 1\sMB on 8\sGPUs: .* textbook formula/);
  const message = ideal.getByRole("slider", { name: "Message" });
  await message.focus();
  await page.keyboard.press("Home");
  await expect(told(page, "ideal")).toHaveText(/^4\sKiB on 8\sGPUs/);
  await chapter(page, "ideal")
    .getByRole("link", { name: /^Open in/ })
    .click();
  await page.locator("commcost-network").waitFor();
  assert.equal(await field(page, "message_size_bytes").inputValue(), "4 KiB");
  await page.waitForFunction(() => location.hash.includes("view=network"));
  await page.goBack();
  await page.locator("commcost-learn").waitFor();
  await guessRounds(page);
  const ring = chapter(page, "ring").getByRole("slider", { name: "Round", exact: true });
  await ring.focus();
  await page.keyboard.press("End");
  await expect(chapter(page, "ring").locator("svg.ring .sent")).toHaveText("14/8");
  await page.done();
});

test("by mouse and by finger: the ring is turned, the curves are moved, a row is chosen", async () => {
  for (const hasTouch of [false, true]) {
    const page = await open(plain, { hasTouch });
    const tap = async (x, y) => (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    await drawBars(page);
    const volume = chapter(page, "volume").locator("commcost-line-chart .hold");
    await volume.scrollIntoViewIfNeeded();
    const curve = await volume.boundingBox();
    await tap(curve.x + 75, curve.y + curve.height / 2);
    assert.ok(Number(await group(page)) <= 2, await group(page));
    const row = (await seen(page, "cliff")).locator(".rows .row", { hasText: "TP 16" });
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    await tap(box.x + 20, box.y + box.height / 2);
    assert.equal(await group(page), "16");
    await page.done();
  }
  const page = await open(plain);
  await guessRounds(page);
  const picture = chapter(page, "ring").locator("svg.ring");
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
  await guessRounds(page);
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
    // On the first screen there is something to drag: the first picture, or on a phone a number.
    const held = width > 400 ? chapter(page, "fit").locator('svg[role="img"]') : page.locator(".under .held");
    const first = await held.first().boundingBox();
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
  assert.equal(await page.locator("commcost-learn :is(.hand, .again, .handle)").filter({ visible: true }).count(), 0);
  // It cannot be asked there: figures show their answers, and ask again afterwards.
  const questions = {
    fit: [/ 45 of 80 layers| No more fit\.$/, / More fit\.$/],
    cells: [/^Rows: /, /^One GPU: /],
    guess: [/^Every GPU has the total/, /^Each of 8 GPUs/],
    ring: [/^8 GPUs: 2 · \(8 − 1\) = 14 rounds/, /after how many rounds/],
    volume: [/^With 8 GPUs each sends .* stays below twice the message/, /Draw the bars/],
    ideal: [/^128 MiB on 8 GPUs: /, /Drag the mark/],
    cliff: [/^On 8 GPUs a layer’s forward pass/, /Drag down to pull/],
    hide: [/ hidden: the layer takes .* Nothing that is ready could fill more of it\.$/, /Drag work into the gaps\.$/],
  };
  for (const [id, [answer]] of Object.entries(questions)) await expect(told(page, id)).toHaveText(spaced(answer));
  assert.equal(await chapter(page, "switch").getByText("?", { exact: true }).count(), 0);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  for (const [id, [, question]] of Object.entries(questions)) await expect(told(page, id)).toHaveText(spaced(question));
  await page.done();
});

test("a figure that still asks is saved with its answer, and goes on asking", async () => {
  const page = await open();
  for (const [id, answer] of [
    ["fit", "No more fit."],
    ["volume", "stays below twice the message"],
    ["hide", "Nothing that is ready could fill more of it."],
  ]) {
    const figure = await seen(page, id);
    const before = await told(page, id).innerText();
    const still = await figure.locator("commcost-figure").evaluate((one) => one.still("light"));
    assert.ok(still.includes(answer), `${id}: ${still.slice(0, 400)}`);
    assert.equal(await told(page, id).innerText(), before);
  }
  await page.done();
});

test("where no layout fits there is no flag to plant: the figure says how much memory is missing", async () => {
  const page = await open("#view=learn&model=mixtral-8x7b&system=dgx-h100&tensor_parallel=8&cluster_gpus=8");
  await chapter(page, "layout").scrollIntoViewIfNeeded();
  await expect(told(page, "layout")).toHaveText(
    /^Nothing fits on 8\sGPUs: even the best layout needs .+ more per GPU\.$/,
  );
  assert.equal(await chapter(page, "layout").getByRole("button", { name: "Compare" }).count(), 0);
  await page.done();
});

test("one GPU, a group across nodes and inputs that make no layer have sentences of their own", async () => {
  const page = await open("#view=start&tensor_parallel=1");
  assert.match(await page.locator(".under").first().innerText(), /on one GPU sends nothing/);
  await seen(page, "matrices");
  assert.match(await told(page, "matrices").innerText(), /One GPU does all/);
  await seen(page, "ideal");
  await expect(told(page, "ideal")).toHaveText(/^1\sMB over 8\sGPUs: the textbook formula/);
  await seen(page, "ring");
  await expect(told(page, "ring")).toHaveText(/^Drawn with 8\sGPUs, one chunk of 1\/8/);
  await page.goto(`${host.address}#view=learn&tensor_parallel=64&num_heads=64`);
  await seen(page, "ring");
  await expect(told(page, "ring")).toHaveText(/^Drawn with 6\sGPUs, one chunk of 1\/6 to the next/);
  await guessRounds(page);
  await expect(told(page, "ring")).toHaveText(/ Drawn with 6\sGPUs instead of your 64/);
  // More replicas than sequences: what the model takes is said all the same.
  await page.goto(`${host.address}#view=learn&model=llama-3.1-405b&cluster_gpus=16384`);
  await expect(page.getByText(/Training needs more\..*each parameter takes\s16\sbytes/)).toBeVisible();
  await seen(page, "matrices");
  await expect(told(page, "matrices")).toHaveText(/share a layer’s 3\.\d+ billion weights/);
  await page.goto(`${host.address}#view=learn&hidden_size=abc`);
  await chapter(page, "matrices").scrollIntoViewIfNeeded();
  await expect(told(page, "matrices")).toHaveText(/don’t make a layer/);
  assert.equal(nonsense(await shownText(page)), undefined);
  await page.done();
});

test("numbers in the text are dragged and moved by keys; the text and the figures follow", async () => {
  const page = await open();
  const number = page.locator(".under .held");
  assert.equal(await number.getAttribute("aria-label"), "GPUs that share each matrix");
  const box = await number.boundingBox();
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 20, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(number).toHaveText("4 GPUs");
  await number.press("ArrowLeft");
  await expect(number).toHaveText("2 GPUs");
  await expect(page.locator('[data-chapter="ring"]')).toContainText("2 · (2 − 1) = 2 rounds");
  const tokens = page.getByRole("slider", { name: "Tokens in a sequence" });
  await tokens.press("ArrowRight");
  await expect(page.locator('[data-chapter="sum"]')).toContainText("256 MiB");
  await page.done();
});

test("layers are poured into a GPU until they overflow, by mouse and by keyboard", async () => {
  const page = await open();
  const said = told(page, "fit");
  const picture = chapter(page, "fit").locator("svg.fit");
  const { x, y, width, height } = await picture.boundingBox();
  await page.mouse.move(x + width * 0.7, y + height * 0.8);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.7, y + 2, { steps: 4 });
  await page.mouse.up();
  await expect(said).toHaveText(/^80 of 80\slayers .* on one H100\. 35 too many\.$/);
  await page.getByRole("slider", { name: "Layers on one GPU" }).press("Home");
  await expect(said).toHaveText(/^0 of 80\slayers/);
  await page.done();
});

test("a GPU that a tenth of the layers would overfill begins with room for more", async () => {
  const page = await open("#view=learn&model=llama-3.1-405b&system=dgx-h100");
  await seen(page, "fit");
  await expect(told(page, "fit")).toHaveText(spaced(/^6 of 126 layers .+ More fit\.$/));
  await page.done();
});

test("a matrix is cut by its knives and by keyboard, and each of its numbers can be followed", async () => {
  const page = await open();
  const figure = await seen(page, "cells");
  await expect(told(page, "cells")).toHaveText(/^One GPU: 1·1 \+ 2·\(−2\) \+ 3·1 \+ −1·2 = −2\./);
  await figure.locator(".knife circle").nth(1).click();
  await expect(told(page, "cells")).toHaveText(
    "Rows: GPU 0 gets 1·1 + 2·(−2) = −3, GPU 1 gets 3·1 + −1·2 = 1. Neither is −2; their sum is.",
  );
  await figure.locator(".knife circle").nth(0).click();
  await figure.locator(".result").nth(3).click();
  await expect(told(page, "cells")).toHaveText(
    "Columns: GPU 1 has the whole column, and its number is done: 0·2 + 1·1 + −1·0 + 2·1 = 3.",
  );
  await page.getByRole("slider", { name: "The cut" }).press("ArrowRight");
  await expect(told(page, "cells")).toHaveText(
    /^Rows: GPU 0 gets 0·2 \+ 1·1 = 1, GPU 1 gets −1·0 \+ 2·1 = 2\. Neither is 3/,
  );
  await page.done();
});

test("the knife is turned by mouse and by keyboard", async () => {
  const page = await open();
  const picture = (await seen(page, "knife")).locator("svg.cut");
  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await picture.boundingBox();
  await page.mouse.move(x + width / 2 + 80, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 5, y + height - 30, { steps: 4 });
  await page.mouse.up();
  await expect(told(page, "knife")).toHaveText(/^Cut through every layer: 8\sGPUs .* add up 128\sMiB 160\stimes\.$/);
  await page.getByRole("slider", { name: "Knife" }).press("ArrowLeft");
  await expect(told(page, "knife")).toHaveText(/^Cut between the layers: 8 stretches/);
  await page.done();
});

test("sends are drawn by dragging, by tapping and by keyboard; a part is never counted twice", async () => {
  for (const hasTouch of [false, true]) {
    const page = await open(plain, { hasTouch });
    const table = await seen(page, "guess");
    await table.locator(".table").scrollIntoViewIfNeeded();
    const said = told(page, "guess");
    const gpu = (index) => table.locator(".table button").nth(index);
    if (hasTouch) for (const index of [1, 0]) await gpu(index).tap();
    else {
      const [from, to] = await Promise.all([gpu(1), gpu(0)].map((one) => one.boundingBox()));
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
      await page.mouse.up();
    }
    await expect(said).toHaveText("1 send so far: the time of one sheet. No GPU has the total yet.");
    for (const index of [0, 2]) await gpu(index).press("Enter");
    for (const index of [1, 2]) await gpu(index).press("Enter");
    await expect(said).toHaveText("GPU 2 already has all that GPU 1 could send.");
    for (const index of [3, 1, 1, 2]) await gpu(index).press("Enter");
    await expect(said).toHaveText(/^GPU 2 already has a part of what GPU 1 would send: it would be counted twice\.$/);
    await table.getByRole("button", { name: "Clear" }).click();
    const ways = table.getByRole("slider", { name: "Or see how it goes" });
    await ways.press("ArrowRight");
    await expect(said).toHaveText(/^Every GPU has the total, in the time of 14 sheets\. .* 1\.75\.$/);
    await ways.press("End");
    await expect(said).toHaveText(/^Every GPU has the total, in the time of 6 sheets\./);
    await table.getByRole("button", { name: "Take back" }).click();
    await expect(said).toHaveText(/^7 of 8\sGPUs have the total/);
    await page.done();
  }
});

test("known ways of adding end with every total, in the time that they are said to take", () => {
  for (let gpus = 2; gpus <= 8; gpus++) {
    const times = knownWays.slice(1).map(({ name, sends }) => {
      const all = sends(gpus);
      all.forEach((send, index) => assert.equal(faultOf(play(gpus, all.slice(0, index)), send), undefined, name));
      assert.ok(isDone(play(gpus, all)), name);
      return play(gpus, all).end;
    });
    assert.deepEqual(times, [2 * (gpus - 1), 2 * (gpus - 1), 2 * Math.ceil(Math.log2(gpus))]);
  }
});

test("the switch is told to add, by mouse and by keyboard", async () => {
  const page = await open();
  const fabric = (await seen(page, "switch")).locator("svg.fabric");
  // The saving is not shown before it is asked for.
  assert.equal(await fabric.getByText(/ µs$/).count(), 1);
  await fabric.getByText("?", { exact: true }).waitFor();
  await fabric.click();
  assert.equal(await fabric.getByText(/ µs$/).count(), 2);
  await expect(told(page, "switch")).toHaveText(/^The switch adds: each of 8\sGPUs on DGX H100 sends 128\sMiB up/);
  await page.getByRole("slider", { name: "The switch" }).press("ArrowLeft");
  await expect(told(page, "switch")).toHaveText(/^The switch only passes on/);
  await page.done();
});

test("sheets are lifted by hand; sliders of figures that are moved themselves show for the keyboard", async () => {
  const page = await open();
  const figure = await seen(page, "matrices");
  await expect(told(page, "matrices")).toHaveText(/^8\sGPUs share .+ and each has a result\. Lift sheets off/);
  const size = figure.getByText(/^128\sMiB each$/);
  await expect(size).toHaveCount(0);
  const box = await figure.locator(".sheets").boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 30, y, { steps: 3 });
  await page.mouse.up();
  await expect(told(page, "matrices")).toHaveText(/^4\sGPUs share .+ still 128\sMiB on each GPU/);
  await expect(size).toBeVisible();
  const hand = figure.locator(".hand");
  await expect(hand).toHaveCSS("opacity", "0");
  await hand.getByRole("slider").focus();
  await expect(hand).toHaveCSS("opacity", "1");
  await page.done();
});

test("a layer’s day is pulled to more GPUs, and no row tells its time before", async () => {
  const page = await open();
  const figure = await seen(page, "cliff");
  const row = (tp) => figure.locator(".rows .row", { hasText: `TP ${tp}` }).first();
  const unknown = figure.locator(".rows .row", { hasText: "?" });
  const hidden = await unknown.count();
  assert.ok(hidden >= 3, `${hidden} rows wait`);
  await expect(told(page, "cliff")).toHaveText(/^On 2\sGPUs/);
  const [first, last] = [await row(2).boundingBox(), await row(8).boundingBox()];
  await page.mouse.move(first.x + 90, first.y + first.height / 2);
  await page.mouse.down();
  await page.mouse.move(last.x + 90, last.y + last.height / 2, { steps: 6 });
  await page.mouse.up();
  await expect(told(page, "cliff")).toHaveText(/^On 8\sGPUs a layer’s forward pass takes/);
  assert.equal(await group(page), "8");
  assert.equal(await unknown.count(), hidden - 2);
  await page.done();
});

test("a time is guessed before it is shown, by dragging a mark to it", async () => {
  const page = await open();
  const figure = await seen(page, "ideal");
  assert.equal(await figure.locator("commcost-line-chart").count(), 0);
  const axis = await figure.locator("svg.guessing").boundingBox();
  await page.mouse.move(axis.x + axis.width * 0.3, axis.y + 60);
  await page.mouse.down();
  await page.mouse.move(axis.x + axis.width / 2, axis.y + 60, { steps: 4 });
  await page.mouse.up();
  await figure.locator("svg.guessing").getByText("100 µs").first().waitFor();
  await figure.getByRole("button", { name: "Compare" }).click();
  await figure.locator("commcost-line-chart").waitFor();
  await expect(told(page, "ideal")).toHaveText(/^You guessed 100\sµs\. 1\sMB on 8\sGPUs: /);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("the ring’s rounds are guessed before it turns, and the guess is compared", async () => {
  const page = await open();
  const figure = await seen(page, "ring");
  assert.equal(await figure.getByRole("button", { name: "Play" }).count(), 0);
  // By mouse: a quarter of a turn is two of eight rounds. The slider is for the keyboard alone.
  const ring = figure.locator("svg.ring");
  await ring.getByText("?", { exact: true }).waitFor();
  await expect(figure.locator(".hand")).toHaveCSS("opacity", "0");
  const { x, y, width, height } = await ring.boundingBox();
  const at = (turn) => {
    const radius = 0.35 * width;
    return [
      x + width / 2 + radius * Math.sin(2 * Math.PI * turn),
      y + height / 2 - radius * Math.cos(2 * Math.PI * turn),
    ];
  };
  await page.mouse.move(...at(0.05));
  await page.mouse.down();
  for (let part = 1; part <= 5; part++) await page.mouse.move(...at(0.05 + part / 20));
  await page.mouse.up();
  await expect(ring.locator("text.sent")).toHaveText("2");
  await figure.getByRole("slider", { name: "Rounds", exact: true }).focus();
  await page.keyboard.press("Home");
  for (let more = 1; more < 8; more++) await page.keyboard.press("ArrowRight");
  await figure.getByRole("button", { name: "Compare" }).click();
  await expect(told(page, "ring")).toHaveText(
    /^You guessed 8\srounds; it takes 14\srounds\. 8\sGPUs: 2 · \(8 − 1\) = 14/,
  );
  await figure.getByRole("button", { name: "Play" }).waitFor();
  // A guess is of the ring that it was made for.
  await page.locator(".under .held").press("ArrowLeft");
  await chapter(page, "ring").scrollIntoViewIfNeeded();
  await expect(told(page, "ring")).toHaveText(/^4\sGPUs: 2 · \(4 − 1\) = 6\srounds/);
  await page.done();
});

test("what more GPUs send is drawn before it is shown, by mouse, by finger and by keyboard", async () => {
  const page = await open();
  const figure = await seen(page, "volume");
  assert.equal(await figure.locator("commcost-line-chart").count(), 0);
  const compare = figure.getByRole("button", { name: "Compare" });
  await expect(compare).toBeDisabled();
  const box = await figure.locator(".drawing svg").boundingBox();
  const at = (column, height) => [box.x + (box.width * (column + 0.5)) / 6, box.y + box.height * height];
  await page.mouse.move(...at(3, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(4, 0.35), { steps: 8 });
  await page.mouse.up();
  await expect(compare).toBeDisabled();
  const last = figure.getByRole("slider", { name: "Sent by each of 64 GPUs" });
  await last.press("End");
  await last.press("ArrowLeft");
  await expect(last).toHaveAttribute("aria-valuetext", "3.95 times the message");
  await expect(told(page, "volume")).toHaveText(/ Compare what you have drawn/);
  await compare.click();
  await expect(told(page, "volume")).toHaveText(
    /^For 16, 32 and 64\sGPUs you drew [\d.]+, [\d.]+ and 3\.95\stimes the message; it is 1\.88, 1\.94 and 1\.97\. With 8\sGPUs/,
  );
  await figure.getByText("as you drew it").first().waitFor();
  await page.done();
});

/** Every layer that the article may describe, as the figure takes it. */
function days() {
  const shapes = ["llama-3.1-70b", "llama-2-7b", "mixtral-8x7b", "deepseek-v3"];
  const layers = [{}, { sequence_parallel: true }, { recompute: "full" }, { recompute: "selective" }];
  return shapes.flatMap((model) =>
    layers.flatMap((more) =>
      [1, 2, 8].map((tensor_parallel) => ({
        system: "dgx-h100",
        model,
        tensor_parallel,
        sequence_length: 4096,
        batch_size: 1,
        chunks: 1,
        ...more,
      })),
    ),
  );
}

test("work in gaps: nothing is lost, the engine’s own overlap comes out, and no other way waits less", () => {
  let filled = 0;
  for (const inputs of days()) {
    const plain = engine.layer_timeline({ ...inputs, overlap_tensor: false });
    const day = dayOf(plain);
    const still = arrange(day, new Map());
    const near = (one, other, what) =>
      assert.ok(Math.abs(one - other) < 1e-6 * plain.compute_us, `${JSON.stringify(inputs)}: ${what}: ${one} ${other}`);
    near(still.us, plain.forward_us + plain.backward_us, "unmoved");
    day.work.forEach((bar, index) => near(still.work[index], bar.start_us, bar.operation));
    day.sends.forEach((bar, index) => near(still.sends[index], bar.start_us, bar.operation));
    // As the engine overlaps: each input matrix’s weight gradient goes to the gap before it.
    const engines = engine.layer_timeline({ ...inputs, overlap_tensor: true });
    const moves = new Map();
    day.work.forEach((bar, index) => {
      const gap = day.gaps.findIndex(({ before }) => before === index);
      if (bar.pass === "weight_gradient" && gap >= 0) moves.set(index, gap);
    });
    const gathers = inputs.sequence_parallel === true;
    if (!gathers) near(arrange(day, moves).us, engines.forward_us + engines.backward_us, "overlapped");
    const best = arrange(day, bestMoves(day));
    near(best.us, day.work.reduce((sum, { duration_us }) => sum + duration_us, 0) + best.waiting, "all work");
    assert.ok(best.waiting <= arrange(day, moves).waiting + 1e-6 && best.waiting <= still.waiting);
    for (const [piece, gap] of bestMoves(day)) assert.ok(mayFill(day, piece, gap));
    // The forward pass has nothing to fill its gaps with.
    day.gaps.forEach(({ start }, gap) => {
      if (start < day.forward) assert.ok(day.work.every((_, piece) => !mayFill(day, piece, gap)));
    });
    filled += bestMoves(day).size;
  }
  assert.ok(filled > 40, `${filled}`);
});

test("work is dragged into a layer’s gaps; what can’t be moved says why", async () => {
  const page = await open();
  const figure = await seen(page, "hide");
  const said = told(page, "hide");
  await figure.locator(".day").scrollIntoViewIfNeeded();
  const middle = async (of) => {
    const { x, y, width, height } = await of.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const gap = (index) => figure.locator(".day .gap").nth(index);
  const piece = (name) => figure.locator(".day .free", { hasText: name });
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 6 });
    await page.mouse.up();
  };
  await drag(piece("MLP in"), gap(2));
  await expect(said).toHaveText(
    /^571\sµs of 2\.28\sms hidden: the layer takes .* For 1\.71\sms compute still waits\. More can be hidden\.$/,
  );
  await drag(piece("MLP out"), gap(3));
  await expect(said).toHaveText(/^1\.14\sms of 2\.28\sms hidden: .* Nothing that is ready could fill more of it\.$/);
  // Back to its own place.
  const { x, y } = await figure.locator(".day").boundingBox();
  await page.mouse.move(...(await middle(piece("MLP out"))));
  await page.mouse.down();
  await page.mouse.move(x + 5, y + 5, { steps: 6 });
  await page.mouse.up();
  await expect(said).toHaveText(/^571\sµs of 2\.28\sms hidden/);
  await drag(piece("MLP in"), gap(0));
  await expect(said).toHaveText("The weight gradient of MLP in can’t go there: what it is made of isn’t ready yet.");
  await drag(figure.locator(".day .fixed", { hasText: "MLP in" }).first(), gap(0));
  await expect(said).toHaveText(
    "The forward pass of MLP in can’t move: the next step waits for it, and it waits for the step before.",
  );
  await page.done();
});

test("work is moved into a layer’s gaps by keyboard, and every move is said", async () => {
  const page = await open();
  const figure = await seen(page, "hide");
  const said = told(page, "hide");
  const block = figure.getByRole("button", { name: /^The weight gradient of MLP in/ });
  await expect(block).toHaveAttribute("aria-label", "The weight gradient of MLP in, in its own place");
  await block.press("ArrowLeft");
  await expect(block).toHaveAttribute("aria-label", "The weight gradient of MLP in, in gap 3 of 4");
  await expect(said).toHaveText(/^571\sµs of 2\.28\sms hidden/);
  await expect(said).toHaveAttribute("aria-live", "polite");
  await block.press("ArrowLeft");
  await expect(said).toHaveText(/isn’t ready yet\.$/);
  await block.press("ArrowRight");
  await expect(block).toHaveAttribute("aria-label", /in its own place$/);
  await block.press("ArrowRight");
  await expect(block).toHaveAttribute("aria-label", /in gap 4 of 4$/);
  await block.press("Enter");
  await expect(said).toHaveText(/Drag work into the gaps\.$/);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("a chapter’s question is asked in place, judged, and leads to more of its kind", async () => {
  const page = await open();
  const turn = page.locator("#try-ring");
  assert.equal(await page.locator("commcost-track-exercise").count(), 0, "no visit pays for what nobody opened");
  await turn.locator("summary").click();
  const posed = engine.pose_exercise({ track: "ring_rounds", seed: 6, level: 1, edition: 2 });
  await turn.getByText(posed.question).waitFor();
  for (const { name, expected } of posed.asked) await turn.locator(`input#${name}`).fill(String(expected));
  await turn.getByRole("button", { name: "Check" }).click();
  await turn.getByText("All right").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await turn.getByRole("link", { name: "More of these" }).click();
  await page.locator("commcost-practice #lesson [aria-current]", { hasText: "Rounds of a ring" }).waitFor();
  await page.done();
});

test("every chapter asks in place; the card is copied", async () => {
  const page = await open("", { permissions: ["clipboard-read", "clipboard-write"] });
  // Each chapter has its question: an exercise, or one that is answered in a sentence; three lead to the four numbers besides.
  assert.equal(await page.locator(".chapter h3[id] a").count(), 13);
  assert.equal(await page.locator("details.question").count(), 13);
  assert.equal(await page.locator("p.question").count(), 3);
  // After the guess: a question with its answer folded away.
  await page.locator("#try-guess summary").click();
  await page.locator("#try-guess", { hasText: "always fewer than two" }).waitFor();
  const links = await page.locator("p.question a").evaluateAll((all) => all.map((link) => link.href));
  for (const link of links) assert.match(link, /\/practice\.html(#track=\w+)?$/);
  await page.getByRole("button", { name: "Copy the card" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^Message: batch × sequence × hidden × bytes = 1 × 8,192 × 8,192 × 2 = 128 MiB\nSent by each GPU: /);
  await page.getByText("Cite this").click();
  assert.match(await page.locator("commcost-learn pre").innerText(), /title = \{What it costs to split a model\}/);
  await page.getByRole("button", { name: "Change the model" }).click();
  await page.getByRole("dialog", { name: "Scenario" }).waitFor();
  await page.done();
});

test("a link leads to a chapter, told with the numbers that it says", async () => {
  const inSight = (page, id) =>
    expect
      .poll(() => page.locator(`#chapter-${id}`).evaluate((heading) => Math.abs(heading.getBoundingClientRect().top)))
      .toBeLessThan(120);
  const first = await open("#chapter=day");
  await inSight(first, "day");
  assert.match(await first.locator(".margin").innerText(), /Llama 3\.1 70B/);
  await first.done();
  const page = await open("#v=3&view=learn&model=llama-3.1-8b&chapter=links");
  await inSight(page, "links");
  assert.match(await page.locator(".margin").innerText(), /Llama 3\.1 8B/);
  // By keyboard: each heading is the link to its chapter.
  const heading = page.locator("#chapter-switch a");
  await heading.focus();
  await page.keyboard.press("Enter");
  await inSight(page, "switch");
  assert.match(await page.locator(".margin").innerText(), /Llama 3\.1 8B/);
  assert.match(await heading.getAttribute("href"), /^#v=4&view=learn&.*model=llama-3\.1-8b.*&chapter=switch$/);
  await page.done();
});

test("a figure says how to use it elsewhere, and names the tab that shows more", async () => {
  const { viewNamed, tabs } = await load("app/views.ts");
  const { figures: kinds } = await load("figures/catalog.ts");
  for (const { id, view, tab } of kinds) assert.equal(tab, tabs[viewNamed(view).tab], id);
  const page = await open();
  const figure = await seen(page, "knife");
  await figure.getByRole("link", { name: "Open in Train" }).waitFor();
  await figure.getByRole("button", { name: /^Use this figure/ }).click();
  const panel = page.locator("commcost-embed-code");
  await expect(panel.getByLabel("Show")).toHaveValue("knife");
  await expect(panel.getByLabel("Show")).toBeFocused();
  await panel.getByText('<commcost-figure of="knife"').waitFor();
  const other = await seen(page, "cells");
  await other.getByRole("button", { name: /^Use this figure/ }).click();
  await expect(panel.getByLabel("Show")).toHaveValue("cells");
  await page.done();
});
