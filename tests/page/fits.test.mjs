// No default scenario says that it doesn't fit where something does: whatever model and machine are chosen, what is open is
// left to the search, in a stack that runs on the machine.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const engine = await loadEngine();
const models = engine.model_catalog().models.map(({ id }) => id);
const systems = engine.hardware_catalog().systems.map(({ id }) => id);

/** Each system once, with a model of its own: strides through both lists that have no common factor with their lengths. */
const sampled = systems
  .filter((_, place) => place % 3 === 0)
  .map((system, place) => [system, models[(place * 11 + 2) % models.length]]);

/** What One step and Serve say of a scenario once it is searched, and what the plan was asked. */
const told = (page, query) =>
  page.evaluate(async (query) => {
    const app = document.querySelector("commcost-app");
    app.take(query);
    await app.updateComplete;
    const step = app.renderRoot.querySelector("commcost-step");
    const { scenario } = step;
    while (!scenario.isCurrent && !scenario.nothing && scenario.refused.length === 0)
      await new Promise((resolve) => scenario.addEventListener("change", resolve, { once: true }));
    await app.updateComplete;
    await step.updateComplete;
    return {
      says: `${app.renderRoot.querySelector(".answers").textContent} ${step.renderRoot.querySelector(".headline").textContent}`,
      asked: app.scenario.inputs("plan").values,
      refused: scenario.refused.map(({ message }) => message),
    };
  }, query);

/** What says that something doesn't fit, or that nothing does. */
const short = /(doesn’t|does not|don’t|do not) fit|No (layout|deployment) /;

test("what every view opens with fits", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  for (const view of ["cost", "network", "ring", "plan", "step", "overlap", "record", "serve", "diagnose"]) {
    await page.evaluate((to) => (location.hash = `view=${to}`), view);
    const shown = page.locator(`commcost-${view}`);
    const answer = shown.locator(".answer .headline, .headline").first();
    await expect(answer).toHaveText(/\d|\?/, { timeout: 60_000 });
    const says = `${await answer.innerText()} ${(await shown.locator(".unders").allInnerTexts()).join(" ")}`;
    assert.doesNotMatch(says, short, view);
  }
  await page.done();
});

test("a default scenario of any machine and model fits where a layout does", async () => {
  const page = await openPage(browser, `${host.address}#v=3&view=step&model=llama-2-7b&system=dgx-a100`, {
    ready: "commcost-step .headline",
  });
  let fitting = 0;
  for (const [system, model] of sampled) {
    const { says, asked, refused } = await told(page, `model=${model}&system=${system}`);
    assert.deepEqual(refused, [], `${model} on ${system}`);
    const { layouts } = engine.plan({ ...asked, best: 1 });
    if (layouts.length > 0) {
      fitting += 1;
      assert.doesNotMatch(says, short, `${model} on ${system}`);
    } else assert.match(says, /No layout fits/, `${model} on ${system}`);
  }
  assert.ok(fitting > sampled.length / 2, `${fitting} of ${sampled.length}`);
  await page.done();
});
