// Which files a link fetches until it shows its first answer: their bytes are budgets of `npm run bench`.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { filesOfFrame, filesUntilAnswer } from "../../bench/measure/visit.mjs";
import { serve } from "./support/browser.mjs";

let host;
test.beforeAll(async () => (host = await serve()));
test.afterAll(() => host.stop());

const named = (files, name) => files.filter((file) => file.startsWith(`assets/${name}-`)).length;

test("Cost answers with the first part of the engine alone, and without what comes behind", async ({ browser }) => {
  const files = await filesUntilAnswer(browser, host.address, "cost");
  assert.deepEqual([named(files, "first"), named(files, "rest")], [1, 0]);
  for (const later of ["explained", "own-files", "embed-code", "replay", "plan-view", "step-view"])
    assert.equal(named(files, later), 0, later);
  assert.ok(!files.some((file) => /^(commcost|sw)/.test(file)));
});

test("Start draws its first figure with the first part of the engine, and without the figures further down", async ({
  browser,
}) => {
  const files = await filesUntilAnswer(browser, host.address, "start");
  assert.deepEqual([named(files, "first"), named(files, "rest")], [1, 0]);
  for (const later of ["replay", "ring-figure", "volume-figure", "line-chart"])
    assert.equal(named(files, later), 0, later);
});

const ofFrame = (files, name) => files.filter((file) => file.startsWith(`frame/${name}-`)).length;

test("a frame with a figure loads what that needs: no view, no form, and the engine's rest where it is asked", async ({
  browser,
}) => {
  for (const [figure, own, rest] of [
    ["volume", "volume-figure", 0],
    ["cost", "cost-figure", 0],
    ["front", "front-figure", 1],
  ]) {
    const files = await filesOfFrame(browser, host.address, figure);
    assert.deepEqual(
      [own, "first", "rest"].map((name) => ofFrame(files, name)),
      [1, 1, rest],
      figure,
    );
    assert.ok(!files.some((file) => /-view-|own-files|scoreboard|^assets|^commcost/.test(file)), figure);
  }
});

test("a link to a view of the rest asks for both parts at once", async ({ browser }) => {
  const files = await filesUntilAnswer(browser, host.address, "step");
  assert.deepEqual([named(files, "first"), named(files, "rest")], [1, 1]);
});
