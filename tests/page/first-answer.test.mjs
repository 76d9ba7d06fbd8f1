// Which files a link fetches until it shows its first answer, and their bytes, which may not grow: what they should come to are budgets of
// `npm run bench`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { brotliOf } from "../../bench/measure/bytes.mjs";
import {
  answered,
  answerOf,
  filesOfFrame,
  filesOfTag,
  filesUntilAnswer,
  visitOf,
  watch,
} from "../../bench/measure/visit.mjs";
import { loadEngine } from "../../build/engine/commcost.js";
import { partNames } from "../../web/build/plugins.mjs";
import { openPage } from "./support/browser.mjs";
import { host, hosted } from "./support/hosted.mjs";

hosted();

/** How many of the files are of that name, in their folder, before a hash of eight letters. */
const named = (files, name, folder = "assets") =>
  files.filter((file) => new RegExp(`^${folder}/${name}-[\\w-]{7,8}\\.\\w+$`).test(file)).length;

test("Cost answers without what comes behind", async ({ browser }) => {
  const files = await filesUntilAnswer(browser, host.address, "cost");
  for (const later of ["help", "explained", "own-files", "embed-code", "replay", "plan-view", "step-view"])
    assert.equal(named(files, later), 0, later);
  assert.ok(!files.some((file) => /^(commcost|sw)/.test(file)));
});

test("Practice loads nothing of other views' answers", async ({ browser }) => {
  const files = await filesUntilAnswer(browser, host.address, "practice");
  for (const later of ["answers", "index", "background"]) assert.equal(named(files, later), 0, later);
});

test("Learn draws its first figure without the figures further down", async ({ browser }) => {
  const files = await filesUntilAnswer(browser, host.address, "learn");
  for (const later of ["replay", "ring-figure", "volume-figure", "line-chart"])
    assert.equal(named(files, later), 0, later);
});

for (const [view, script, ...parts] of [
  ["learn", "learn-view", "first", "network"],
  ["practice", undefined, "first", "practice"],
  ["plan", "plan-view", "first", "network", "pass", "steps", "training"],
  ["training", "step-view", "first", "network", "pass", "steps", "training"],
  ["ring", "ring-view", "first", "schedule", "rounds"],
  ["record", "record-view", "first", "network", "pass", "steps", "training"],
])
  test(`the first script asks for what ${view} answers with, whatever becomes of the page's own`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await page.route(/\/assets\/(index|practice)-[\w-]{7,8}\.js$/, (route) => route.abort());
    await page.goto(visitOf(host.address, view));
    const asked = await page.evaluate(async () => {
      const links = [
        ...document.querySelectorAll("link[rel$=preload]:not([href*='/index-'], [href*='/practice-'][href$='.js'])"),
      ];
      return Promise.all(links.map(async ({ href }) => [new URL(href).pathname.slice(1), (await fetch(href)).ok]));
    });
    const files = asked.map(([file]) => file);
    assert.deepEqual(
      asked.filter(([, came]) => !came),
      [],
    );
    assert.equal(new Set(files).size, files.length, "each once");
    if (script) assert.equal(named(files, script), 1);
    assert.deepEqual(
      partNames().filter((name) => files.some((file) => file.endsWith(".wasm") && named([file], name))),
      parts,
    );
    await context.close();
  });

test("a worker makes its engine of what the page has: no part is fetched twice", async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  let workers = 0;
  page.on("worker", () => ++workers);
  await page.addInitScript(watch, answerOf("train"));
  await page.goto(visitOf(host.address, "train"));
  await answered(page, answerOf("train"));
  const parts = asked.filter((address) => address.endsWith(".wasm"));
  assert.ok(workers > 0 && parts.length > 3);
  assert.equal(new Set(parts).size, parts.length, parts.join());
  await context.close();
});

const ofFrame = (files, name) => named(files, name, "frame");

/** A part of the engine is a module's text; a chunk of scripts may have the same name. */
const isPart = (file) =>
  /\{text:[^}]{2}asm/.test(readFileSync(new URL(`../../build/site/${file}`, import.meta.url), "utf8").slice(0, 200));
const partsOfFrame = (files) => {
  const texts = files.filter((file) => file.startsWith("frame/")).filter(isPart);
  return partNames().filter((name) => ofFrame(texts, name) > 0);
};

test("a frame with a figure loads what that needs: no view, no form, and of the engine what it asks", async ({
  browser,
}) => {
  for (const [figure, ...parts] of [
    ["fit"],
    ["knife"],
    ["cells"],
    ["matrices", "pass", "sizes"],
    ["guess"],
    ["switch", "network"],
    ["ring", "schedule"],
    ["volume"],
    ["cliff", "network", "pass", "layer"],
    ["hide", "network", "pass", "layer"],
    ["cost", "network"],
    ["timeline", "pass", "layer"],
    ["front", "network", "pass", "steps", "training"],
  ]) {
    const own = `${figure}-figure`;
    const files = await filesOfFrame(browser, host.address, figure);
    assert.equal(ofFrame(files, own), 1, figure);
    assert.deepEqual(partsOfFrame(files), ["first", ...parts], figure);
    assert.ok(!files.some((file) => /-view-|own-files|scoreboard|^assets|^commcost/.test(file)), figure);
  }
});

for (const [tag, ...parts] of [
  ["calculator", "network"],
  ["figure", "schedule"],
  ["serve", "network", "pass", "steps", "serving"],
])
  test(`the tag ${tag} in somebody's page answers with what it shows alone`, async ({ browser }) => {
    const files = await filesOfTag(browser, host.address, tag);
    assert.deepEqual(
      partNames().filter((name) => named(files, `part-${name}`, "elements") > 0),
      ["first", ...parts],
    );
    for (const later of ["virtual_commcost-help", "exercise-view"])
      assert.equal(named(files, later, "elements"), 0, later);
    assert.ok(files.every((file) => /^(elements\/|commcost-element\.js$)/.test(file)));
  });

test("the parts of a frame's engine give what the whole gives", async ({ browser }) => {
  const page = await openPage(browser, `${host.address}embed.html?figure=ring`, {
    ready: "commcost-ring-figure svg[role=img]",
  });
  const recorded = (name) =>
    readFileSync(new URL(`../data/recorded/${name}.jsonl`, import.meta.url), "utf8")
      .trim()
      .split("\n")
      .slice(0, 40);
  const whole = await loadEngine();
  const outcome = (calculate) => {
    try {
      return { results: calculate() };
    } catch ({ problems }) {
      return { problems };
    }
  };
  for (const name of ["collective_schedule", "layer_timeline", "model_sizes"]) {
    const all = recorded(name).map((line) => JSON.parse(line).inputs);
    const told = await page.evaluate(
      async ([name, all]) => {
        const { engine } = document.querySelector("commcost-app").scenario;
        await engine.ready(name);
        return all.map((inputs) => {
          try {
            return { results: engine[name](inputs) };
          } catch ({ problems }) {
            return { problems };
          }
        });
      },
      [name, all],
    );
    assert.ok(told.length > 0 && told.some(({ results }) => results), name);
    assert.deepEqual(
      told,
      all.map((inputs) => JSON.parse(JSON.stringify(outcome(() => whole[name](inputs))))),
      name,
    );
  }
  const missing = await page.evaluate(() => {
    try {
      document.querySelector("commcost-app").scenario.engine.bandwidth_conversions({});
    } catch ({ name }) {
      return name;
    }
  });
  assert.equal(missing, "PartMissing");
  await page.done();
});

for (const [view, most_kb, parts] of [
  ["cost", 173, ["first", "network"]],
  ["learn", 199, ["first", "network"]],
  ["practice", 182, ["first", "practice"]],
  ["collectives", 198, ["first", "network"]],
  ["ring", 212, ["first", "schedule", "rounds"]],
  ["serve", 261, ["first", "network", "pass", "steps", "serving"]],
  ["train", 334, ["first", "network", "pass", "steps", "training"]],
  ["step", 324, ["first", "network", "pass", "steps", "training"]],
  ["overlap", 326, ["first", "network", "pass", "layer", "steps", "training", "overlap"]],
])
  test(`a link to ${view} answers within ${most_kb} kB, with these parts of the engine alone: ${parts.join(", ")}`, async ({
    browser,
  }) => {
    const files = await filesUntilAnswer(browser, host.address, view);
    assert.deepEqual(
      partNames().filter((name) => named(files, name) > 0),
      parts,
    );
    const bytes = brotliOf((name) => files.includes(name));
    assert.ok(bytes < most_kb * 1000, `${bytes} bytes in brotli`);
  });
