import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, openPage } from "./support/browser.mjs";
import { written } from "./support/functions.mjs";
import { browser, hosted, host as site, others } from "./support/hosted.mjs";
import { hostPage } from "./support/host.mjs";
import { engine } from "../wasm/support.mjs";

hosted();

for (const [colorScheme, width] of [
  ["light", 1100],
  ["dark", 360],
]) {
  test(`the practice page poses, checks and leads back to the site, ${colorScheme}, ${width} px wide`, async () => {
    const page = await openPage(browser, `${site.address}practice.html`, {
      ready: "commcost-exercise form",
      colorScheme,
      viewport: { width, height: 800 },
    });
    await page.locator("#answer_message_size_bytes").fill("1");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("0 of 4 right").waitFor();
    assert.equal(await page.locator("header [aria-current]").innerText(), "Practice");
    for (const link of await page.locator("header a").evaluateAll((links) => links.map(({ href }) => href)))
      assert.match(link, /\/practice\.html$|\/index\.html#view=\w+$/);
    await page.getByRole("button", { name: "New exercise" }).click();
    await page.getByText("Exercise 2, level 1").waitFor();
    await page.locator('[name="level"]').selectOption("2");
    await page.getByText("Exercise 2, level 2").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}

test("the practice page works without a network once the site has been visited", async () => {
  const page = await openPage(browser, `${site.address}#view=cost`, { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated",
  );
  await page.context().setOffline(true);
  await page.goto(`${site.address}practice.html`);
  await page.locator("commcost-exercise form").waitFor();
  await page.done();
});

/** Answers the exercise of the four numbers that is shown. */
async function solve(frame, seed) {
  const { inputs } = engine.draw_exercise({ seed, level: 1, edition: 2 });
  const right = engine.tensor_parallel_allreduce_cost(inputs);
  for (const [name, value] of Object.entries(right)) await frame.locator(`#answer_${name}`).fill(String(value));
  await frame.getByRole("button", { name: "Check" }).click();
  await frame.getByText("All four are right").waitFor();
}

test("the kinds are a path: what is done, what comes next, and all of them to choose from", async () => {
  const page = await openPage(browser, `${site.address}practice.html`, { ready: "commcost-exercise form" });
  const steps = page.locator("#lesson li");
  const shown = page.locator("#lesson [aria-current]");
  const kinds = [
    "four_numbers",
    ...engine.describe().pose_exercise.inputs.find(({ name }) => name === "track").choices,
    "function",
  ];
  assert.equal(await steps.count(), kinds.length);
  assert.equal(await page.getByRole("button", { name: "Next: " }).isVisible(), false);
  await solve(page, 1);
  await page.getByText(`1 of ${kinds.length} solved`).waitFor();
  await page.getByRole("button", { name: "Next: " }).click();
  await page.locator("commcost-track-exercise").waitFor();
  await page.locator("#lesson li:nth-child(2) [aria-current]").waitFor();
  // A link's kind is the one that is shown, and the address names what is shown.
  await page.evaluate(() => (location.hash = "track=partition&seed=7&level=2&edition=2"));
  await shown.getByText("Columns, then rows").waitFor();
  await page.getByText(engine.pose_exercise({ track: "partition", seed: 7, level: 2, edition: 2 }).question).waitFor();
  await page.evaluate(() => (location.hash = "seed=1&level=1&edition=2"));
  await page.locator("#answer_message_size_bytes").waitFor();
  assert.match(await shown.innerText(), /^The four numbers\s+✓$/);
  await page.locator('[name="level"]').selectOption("2");
  await page.getByText("Exercise 1, level 2").waitFor();
  await page.waitForFunction(() => location.hash === "#seed=1&level=2&edition=2");
  await page.reload();
  await page.getByText("Exercise 1, level 2").waitFor();
  await page.getByText(`1 of ${kinds.length} solved`).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("the function is the path’s last step and a lesson’s: unfolded, and done once all its cases are right", async () => {
  const page = await openPage(browser, `${site.address}practice.html`, { ready: "commcost-exercise form" });
  await page.evaluate(() => (window.heard = []));
  await page.evaluate(() => addEventListener("progress", ({ detail }) => window.heard.push(detail)));
  const last = page.locator("#lesson li").last();
  await last.getByRole("button").click();
  await page.locator("#code").waitFor();
  assert.equal(await last.getByRole("button").getAttribute("aria-current"), "step");
  assert.deepEqual(await axeFindings(page), []);
  const run = async (code) => {
    await page.locator("#code").fill(code);
    await page.getByRole("button", { name: "Run" }).click();
  };
  await run("def tensor_parallel_allreduce_cost(**inputs):\n    return {}\n");
  await page.getByText("0 of 31 cases are right").waitFor();
  assert.equal(await last.getAttribute("class"), "");
  await run(written());
  await page.getByText("All 31 cases are right").waitFor();
  await page.getByText(`1 of ${await page.locator("#lesson li").count()} solved`).waitFor();
  assert.match(await last.innerText(), /^Write the function\s+✓$/);
  assert.deepEqual(await page.evaluate(() => window.heard), [{ track: "function", level: 1, solved: 1 }]);
  // What comes next is the first that is left; with it the editor goes.
  await page.getByRole("button", { name: "Next: The four numbers" }).click();
  await page.locator("#code").waitFor({ state: "hidden" });
  await page.locator('#lesson [data-track="function"]').click();
  await page.locator("#code").waitFor();
  await page.evaluate(() => (location.hash = "track=partition&seed=7&level=2&edition=2"));
  await page.locator("#lesson [aria-current]").getByText("Columns, then rows").waitFor();
  await page.goto(`${site.address}practice.html?lesson=function:1:1,function:2:5&edition=2`);
  await page.getByText("Exercise 5, level 2").waitFor();
  await page.getByText("1 of 2 solved").waitFor();
  await run(written());
  await page.getByText("2 of 2 solved").waitFor();
  await page.done();
});

const lesson = "lesson=four_numbers:1:3,ring_rounds:2:7,four_numbers:1:4&edition=2";

test("on a phone the first screen has words and a picture, and inputs come after both", async () => {
  const kinds = [
    "four_numbers",
    ...engine.describe().pose_exercise.inputs.find(({ name }) => name === "track").choices,
  ];
  const page = await openPage(browser, `${site.address}practice.html`, {
    ready: "commcost-exercise form",
    viewport: { width: 360, height: 640 },
  });
  for (const kind of kinds) {
    await page.evaluate(
      (hash) => (location.hash = hash),
      `track=${kind}&seed=1&level=1&edition=2`.replace(/track=four_numbers&/, ""),
    );
    await page.locator(`#lesson [data-track="${kind}"][aria-current="step"]`).waitFor({ state: "attached" });
    const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
    const exercise = kind === "four_numbers" ? "commcost-exercise" : "commcost-track-exercise";
    const words = await top(`${exercise} .headline`);
    const picture = page.locator(`${exercise} :is(svg.kind, pre.line, commcost-lanes)`).first();
    const box = await picture.boundingBox();
    assert.ok(words < box.y, `${kind}: words first`);
    assert.ok(box.y + Math.min(box.height, 100) <= 640, `${kind}: the picture begins at ${box.y}`);
    assert.ok(box.y + box.height <= (await top(`${exercise} .given`)), `${kind}: then what is given`);
    assert.ok((await top(`${exercise} .given`)) < (await top(`${exercise} input`)), `${kind}: then the inputs`);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.done();
});

test("the function has an address: of the page of its own, and of the tab", async () => {
  const own = `${site.address}practice.html#track=function&seed=3&level=2&edition=2`;
  for (const address of [own, `${site.address}#view=exercise&show=function&seed=3&level=2&edition=2`]) {
    const page = await openPage(browser, address, { ready: "commcost-exercise form" });
    await page.locator('[data-track="function"][aria-current="step"]').waitFor();
    await page.locator("commcost-own-function details[open]").first().waitFor();
    // What is chosen next is in the address, and back again.
    await page.locator('[data-track="ring_rounds"]').click();
    await page.waitForFunction(() => location.hash.includes("track=ring_rounds"));
    assert.doesNotMatch(await page.evaluate(() => location.hash), /function/);
    await page.locator('[data-track="function"]').click();
    await page.waitForFunction(() => /track=function|show=function/.test(location.hash));
    assert.equal(await page.locator(".unknown, .author").count(), 0, "nothing of the link is refused");
    await page.done();
  }
});

test("the tab Practice is the same path, in the same words", async () => {
  const said = async (address) => {
    const page = await openPage(browser, address, { ready: "commcost-exercise form" });
    const steps = await page.locator("#lesson li").allInnerTexts();
    const main = await page.locator("commcost-exercise form").innerText();
    await page.done();
    return [steps, main];
  };
  const [own, tab] = [`${site.address}practice.html`, `${site.address}#view=practice&seed=1&edition=2`];
  assert.deepEqual(await said(tab), await said(own));
});

test("a lesson fixes a sequence of exercises, leads to the next and remembers what is solved", async () => {
  const page = await openPage(browser, `${site.address}practice.html?${lesson}`, { ready: "commcost-exercise form" });
  const steps = page.locator("#lesson li");
  const posed = () => page.locator("#lesson [aria-current]").innerText();
  await page.getByText("Exercise 3, level 1").waitFor();
  assert.deepEqual(await steps.allInnerTexts(), [
    "The four numbers, level 1",
    "Rounds of a ring, level 2",
    "The four numbers, level 1",
  ]);
  assert.equal(await page.locator('[name="track"], [name="level"]').count(), 0, "nothing else can be chosen");
  assert.equal(await page.getByRole("button", { name: "New exercise" }).count(), 0);
  await page.getByText("0 of 3 solved").waitFor();
  await solve(page, 3);
  await page.getByText("1 of 3 solved").waitFor();
  await page.getByRole("button", { name: "Next: " }).click();
  await page.getByText("Exercise 7, level 2").waitFor();
  assert.equal(await posed(), "Rounds of a ring, level 2");
  await page.locator("commcost-track-exercise").waitFor();
  await steps.nth(2).getByRole("button").click();
  await page.getByText("Exercise 4, level 1").waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.reload();
  await page.getByText("Exercise 7, level 2").waitFor();
  assert.match(await steps.first().innerText(), /^The four numbers, level 1\s+✓$/);
  await page.done();
});

test("what a lesson's link gets wrong is refused by name; the rest is posed", async () => {
  const page = await openPage(
    browser,
    `${site.address}practice.html?lesson=ring_round:1:7,partition:3:7,latency:1:x,latency:1,four_numbers:3:8&edition=9`,
    { ready: "commcost-exercise form" },
  );
  await page.getByText("Exercise 8, level 3").waitFor();
  assert.deepEqual(await page.locator(".refused").allInnerTexts(), [
    "“ring_round:1:7”: there is no kind “ring_round”; did you mean ring_rounds?",
    "“partition:3:7”: the levels of partition are 1 to 2.",
    `“latency:1:x”: a seed is a whole number from 0 to ${engine.describe().draw_exercise.inputs.find(({ name }) => name === "seed").greatest}.`,
    "“latency:1” is not an exercise: write kind:level:seed, such as four_numbers:1:3.",
    "“edition=9”: the editions are 1 to 2.",
  ]);
  await page.goto(`${site.address}practice.html?lesson=nothing`);
  await page.getByText("This link asks for no exercise that we know.").waitFor();
  assert.equal(await page.locator("commcost-exercise").count(), 0);
  await page.done();
});

test("in a frame the practice page says its height to any host, and answers and lessons to one that names itself", async () => {
  const other = await hostPage(
    site.address,
    `<div id="here"></div><iframe id="stranger" title="A stranger" src="${site.address}practice.html?${lesson}"></iframe>`,
    `import { mount } from "${site.address}commcost-embed.js";
     window.heard = [];
     window.all = [];
     addEventListener("message", ({ source, data }) => all.push([source === document.querySelector("#stranger").contentWindow, data.type]));
     window.mounted = mount("#here", { src: "${site.address}practice.html", inputs: { lesson: "${lesson.slice(7).replace("&edition=2", "")}", edition: 2 }, sandbox: null });
     for (const type of ["ready", "exercise", "answer", "progress", "lesson"])
       mounted.frame.addEventListener(type, ({ detail }) => heard.push({ type, detail }));`,
    { frames: true },
  );
  others.push(other);
  const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(site.address).host] });
  const frame = page.frameLocator("#here iframe");
  await frame.locator("commcost-exercise form").waitFor();
  assert.equal(await frame.locator("header").isVisible(), false, "the host has words of its own");
  await solve(frame, 3);
  await page.waitForFunction(() => heard.filter(({ type }) => type === "lesson").length >= 2);
  const heard = await page.evaluate(() => window.heard);
  const last = heard.findLast(({ type }) => type === "lesson").detail;
  assert.deepEqual(
    [last.at, last.solved, last.exercises[0], last.exercises[1]],
    [
      1,
      1,
      { track: "four_numbers", level: 1, seed: 3, solved: true },
      { track: "ring_rounds", level: 2, seed: 7, solved: false },
    ],
  );
  assert.equal(heard.find(({ type }) => type === "exercise").detail.seed, 3, "no other was posed before");
  assert.equal(heard.find(({ type }) => type === "answer").detail.correct, true);
  assert.deepEqual(heard.find(({ type }) => type === "progress").detail.track, "four_numbers");
  assert.equal(heard.filter(({ type }) => type === "ready").length, 1);
  await page.waitForFunction(() => {
    const frame = document.querySelector("#here iframe");
    return frame.clientHeight > 500 && frame.style.height.endsWith("px");
  });
  await page.frameLocator("#stranger").locator("commcost-exercise form").waitFor();
  const strange = (await page.evaluate(() => all)).filter(([stranger]) => stranger).map(([, type]) => type);
  assert.deepEqual([...new Set(strange)], ["commcost:height"]);
  await page.done();
});
