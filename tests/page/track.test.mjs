// The track: kinds of exercise, judged together, with hints and progress.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, openPage } from "./support/browser.mjs";
import { browser, hosted, host as site } from "./support/hosted.mjs";
import { engine } from "../wasm/support.mjs";
import { load } from "./support/source.mjs";

hosted();

const { boardOf, judgeLayout, cellOf } = await load("exercise/layout-grade.ts");
const valuesOf = ({ given }) => Object.fromEntries(given.map(({ name, value }) => [name, value]));

const open = (hash, options = {}) =>
  openPage(browser, `${site.address}#view=exercise&${hash}`, { ready: "commcost-exercise form", ...options });
const kinds = engine.describe().pose_exercise.inputs.find(({ name }) => name === "track").choices;
/** On the path, to a kind. */
const choose = (page, track) => page.locator(`#lesson [data-track="${track}"]`).click();
const entry = (page, name) => page.locator(`commcost-track-exercise #${name}`);
/** Types a number, or chooses the answer of a judgement. */
const give = (page, { name, choices }, value) =>
  choices === ""
    ? entry(page, name).fill(String(value))
    : page.locator(`commcost-track-exercise [name="${name}"][value="${value}"]`).check();
const listen = (page) =>
  page.evaluate(() => {
    window.heard = [];
    for (const type of ["exercise", "hint", "answer", "progress"])
      addEventListener(type, ({ detail }) => window.heard.push({ type, ...detail }));
  });

test("every kind is posed and solved, at both levels, and progress stays on the device", {
  tag: "@long",
}, async () => {
  assert.ok(kinds.length >= 8);
  const page = await open("seed=3&level=1&edition=2");
  await listen(page);
  for (const track of kinds) {
    await choose(page, track);
    for (const level of [1, 2]) {
      await page.locator('[name="level"]').selectOption(String(level));
      const posed = engine.pose_exercise({ track, seed: 3, level, edition: 2 });
      await page.getByText(posed.question).waitFor();
      // Each is drawn from its own numbers before it is answered.
      await page.locator("commcost-track-exercise :is(svg.kind, pre.line, commcost-lanes)").first().waitFor();
      for (const asked of posed.asked) await give(page, asked, asked.expected);
      if (posed.choice_tolerance_percent > 0) {
        const { tensor, pipeline } = boardOf(engine, valuesOf(posed)).fastest;
        await page.locator(`[name="layout"][value="${tensor}-${pipeline}"]`).check();
      }
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText("All right").waitFor();
    }
  }
  const heard = await page.evaluate(() => window.heard);
  const progress = heard.filter(({ type }) => type === "progress");
  assert.deepEqual(
    progress.map(({ track, level, solved }) => [track, level, solved]),
    kinds.flatMap((track) => [1, 2].map((level) => [track, level, 1])),
  );
  await page.reload();
  await page.locator("commcost-track-exercise form").waitFor();
  await page.getByText("Solved on this device, at this level: 1.").waitFor();
  assert.equal(await page.locator("#lesson .done").count(), kinds.length);
  await page.done();
});

test("where two slips give a number it is asked which, and one alone is said; questions set digits apart", async () => {
  const page = await open("track=partition&seed=3&level=2&edition=2");
  const { question, given, asked } = engine.pose_exercise({ track: "partition", seed: 3, level: 2, edition: 2 });
  const hidden = given.find(({ name }) => name === "h").value;
  assert.ok(hidden >= 1000 && question.includes(`h = ${hidden.toLocaleString("en")} `), question);
  await page.getByText(question).waitFor();
  const [weights, between] = asked;
  await give(page, weights, weights.expected / 2);
  await give(page, between, between.expected / 2);
  await page.getByRole("button", { name: "Check" }).click();
  await page
    .getByText(
      "Two slips give this number. Which was yours: “there are two matrices”, or “elements were counted, not bytes”?",
    )
    .waitFor();
  await page.getByText("✗ Elements were counted, not bytes.").waitFor();
  await page.done();
});

for (const [colorScheme, width] of [
  ["light", 1100],
  ["dark", 360],
]) {
  test(`a mistake is named once, what follows is said to, hints are counted, ${colorScheme}, ${width} px wide`, {
    tag: "@long",
  }, async () => {
    const page = await open("track=overlap&seed=1", { colorScheme, viewport: { width, height: 800 } });
    await listen(page);
    const { given, asked } = engine.pose_exercise({ track: "overlap", seed: 1 });
    const [compute, gather, reduce, layers] = given.map(({ value }) => value);
    assert.equal(asked[0].expected, reduce + Math.max(0, gather - compute));
    // All communication added up, and carried on.
    const exposed = gather + reduce;
    await entry(page, "exposed_us").fill(`${gather} + ${reduce}`);
    await entry(page, "layer_us").fill(String(compute + exposed));
    await entry(page, "forward_ms").fill(String(((compute + exposed) * layers) / 1000));
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("that adds up all communication").waitFor();
    assert.equal(await page.getByText("correct, given your earlier answer").count(), 2);
    const answer = (await page.evaluate(() => window.heard)).find(({ type }) => type === "answer");
    assert.deepEqual(answer.verdicts, { exposed_us: "mistaken", layer_us: "follows", forward_ms: "follows" });
    assert.deepEqual([answer.correct, answer.attempt, answer.hints, answer.track], [false, 1, 1, "overlap"]);
    await page.getByRole("button", { name: "Show the solution" }).click();
    await page.locator("[part~=solution]").waitFor();
    assert.deepEqual(await axeFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    await page.done();
  });
}

test("a judgement is chosen, and a wrong one is told what to compare", { tag: "@long" }, async () => {
  const page = await open("track=latency&seed=3&level=1&edition=2");
  const { asked } = engine.pose_exercise({ track: "latency", seed: 3, level: 1, edition: 2 });
  const judged = asked.at(-1);
  assert.deepEqual(judged.choices.split("|"), ["waiting for latency", "moving bytes"]);
  await give(page, judged, 3 - judged.expected);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("Compare the two times that you have worked out.").waitFor();
  await give(page, judged, judged.expected);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("1 of 4 right").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("a line of nccl-tests is shown as it is printed, its last columns lost", { tag: "@long" }, async () => {
  const page = await open("track=utilization&seed=3&level=1&edition=2");
  const { given } = engine.pose_exercise({ track: "utilization", seed: 3, level: 1, edition: 2 });
  const of = (name) => given.find((row) => row.name === name).value;
  const rows = (await page.locator("pre.line").innerText()).split("\n");
  assert.deepEqual(rows[0].replace("#", " ").trim().split(/\s+/), [
    "size",
    "count",
    "type",
    "redop",
    "root",
    "time",
    "algbw",
    "busbw",
    "#wrong",
  ]);
  const bytes = of("s") * 2 ** 20;
  assert.deepEqual(rows[2].trim().split(/\s+/), [
    String(bytes),
    String(bytes / 2),
    "bfloat16",
    "sum",
    "-1",
    of("t").toFixed(2),
    "?",
    "?",
    "0",
  ]);
  await page.done();
});

test("bars are dragged on two lanes, which refuse what cannot be, by mouse and by keyboard", {
  tag: "@long",
}, async () => {
  const page = await open("track=overlap&seed=1&level=1&edition=2");
  const { asked, given } = engine.pose_exercise({ track: "overlap", seed: 1, level: 1, edition: 2 });
  const of = (name) => given.find((row) => row.name === name).value;
  const said = page.locator("commcost-lanes [role=status]");
  const bar = (name) => page.locator(`[data-bar="${name}"]`);
  const start = (name) => bar(name).getAttribute("aria-valuenow").then(Number);
  assert.equal(await start("0-g"), of("c"), "one after the other at first");
  // The layer's own all-reduces need what it computes.
  const box = await bar("0-r").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 2000, box.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  await said.getByText("can’t start while it computes").waitFor();
  assert.ok((await start("0-r")) >= of("c"));
  // As early as it goes, the pass ends when the exercise says.
  for (let presses = 0; presses < 4; presses++) await bar("0-g").press("ArrowLeft");
  assert.equal(await start("0-g"), 0);
  for (let presses = 0; presses < 4; presses++) await bar("0-r").press("ArrowLeft");
  assert.equal((await start("0-r")) + of("r"), of("c") + asked[0].expected);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("another exercise is another one, and the four numbers are one choice away", { tag: "@long" }, async () => {
  const page = await open("track=layout&seed=1");
  const question = (seed, edition) => engine.pose_exercise({ track: "layout", seed, edition }).question;
  await page.getByText(question(1, 1)).waitFor();
  await page.getByRole("button", { name: "New exercise" }).click();
  await page.getByText(question(2, 2)).waitFor();
  await page.waitForFunction(() => location.hash.includes("track=layout"));
  await choose(page, "four_numbers");
  await page.locator("#answer_message_size_bytes").waitFor();
  await page.waitForFunction(() => !location.hash.includes("track="));
  await page.done();
});

test("once solved, a kind shows the figure of its topic with the exercise's numbers", { tag: "@long" }, async () => {
  const page = await open("track=ring_rounds&seed=3&level=1");
  const posed = engine.pose_exercise({ track: "ring_rounds", seed: 3, level: 1 });
  assert.equal(await page.locator("commcost-figure").count(), 0);
  for (const { name, expected } of posed.asked) await entry(page, name).fill(String(expected));
  await page.getByRole("button", { name: "Check" }).click();
  const { value: gpus } = posed.given.find(({ name }) => name === "n");
  await page.locator("commcost-figure").scrollIntoViewIfNeeded();
  await page.locator("#told", { hasText: `${gpus} GPUs: 2 · (${gpus} − 1)` }).waitFor();
  await choose(page, "partition");
  assert.equal(await page.locator("commcost-figure").count(), 0, "another exercise is not solved");
  await page.done();
});

for (const [colorScheme, width] of [
  ["light", 1100],
  ["dark", 360],
]) {
  test(`a layout is chosen before any time is shown, then told how much slower it is, ${colorScheme}, ${width} px wide`, {
    tag: "@long",
  }, async () => {
    const which = { track: "layout", seed: 1, level: 1, edition: 2 };
    const page = await open(new URLSearchParams(which).toString(), { colorScheme, viewport: { width, height: 800 } });
    await listen(page);
    const posed = engine.pose_exercise(which);
    const board = boardOf(engine, valuesOf(posed));
    const { tensor, pipeline, step } = board.fastest;
    const slow = board.cells.find(({ slower }) => slower > 20);
    const plant = (cell) => page.locator(`[name="layout"][value="${cell.tensor}-${cell.pipeline}"]`);
    const shown = page.locator("commcost-layout-board .tile", { hasText: /%|fastest|GiB/ });
    await plant(slow).check();
    assert.equal(await shown.count(), 0, "nothing is given away");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText(judgeLayout(board, slow, posed.choice_tolerance_percent).words).waitFor();
    assert.equal(await shown.count(), 1, "only what was tried");
    // Arrows walk the board as they walk every choice of one.
    await plant(slow).press("ArrowRight");
    assert.equal(await page.locator("#layout-verdict").innerText(), "", "no verdict outlives its flag");
    for (let hint = 0; hint < 3 * posed.asked.length; hint++) await page.getByRole("button", { name: "Hint" }).click();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByText("Memory says how finely the model must be split.").waitFor();
    await plant(cellOf(board, tensor, pipeline)).check();
    for (const asked of posed.asked) await give(page, asked, asked.expected);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("All right").waitFor();
    const possible = board.cells.filter(({ impossible }) => !impossible).length;
    assert.equal(await shown.count(), possible, "then the whole landscape");
    const answers = (await page.evaluate(() => window.heard)).filter(({ type }) => type === "answer");
    const degrees = { tensor_parallel: tensor, pipeline_parallel: pipeline };
    assert.deepEqual(answers[0].answers, { tensor_parallel: slow.tensor, pipeline_parallel: slow.pipeline });
    assert.deepEqual(answers[0].expected, degrees);
    assert.deepEqual([answers[0].right, answers[0].correct], [{ layout: false }, false]);
    assert.ok(Math.abs(answers[0].slower_percent - slow.slower) < 1e-9);
    assert.deepEqual([answers[1].verdicts.layout, answers[1].slower_percent, answers[1].correct], ["right", 0, true]);
    assert.ok(step.fits);
    assert.deepEqual(await axeFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    await page.done();
  });
}

test("an exercise of layouts from before keeps its three numbers", { tag: "@long" }, async () => {
  const page = await open("track=layout&seed=1");
  await page.getByText(engine.pose_exercise({ track: "layout", seed: 1 }).question).waitFor();
  assert.equal(await page.locator("commcost-layout-board").count(), 0);
  await page.done();
});
