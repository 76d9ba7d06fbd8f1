import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { field, openPage, seeAll } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

/** Counts from now on how often the step's view asks its engine for each calculation; returns what reads the counts. */
async function counted(page) {
  await page.locator("commcost-step").evaluate(({ scenario }) => {
    const { engine } = scenario;
    globalThis.asked = {};
    const counting = (name) => [
      name,
      (...inputs) => {
        globalThis.asked[name] = (globalThis.asked[name] ?? 0) + 1;
        return engine[name](...inputs);
      },
    ];
    const names = [...Object.keys(engine.describe()), "sweep"];
    // An engine is frozen: another one stands before it.
    scenario.engine = { ...engine, ...Object.fromEntries(names.map(counting)) };
  });
  return (name) => page.evaluate((one) => globalThis.asked[one] ?? 0, name);
}

const edit = (page, texts) => page.evaluate((set) => document.querySelector("commcost-app").scenario.set(set), texts);

/** An edit that changes what each view answers. */
const edits = {
  cost: { hidden_size: "12288" },
  network: { message_size_bytes: "3145728" },
  ring: { message_size_bytes: "3145728" },
  step: { sequence_length: "4096" },
  overlap: { sequence_length: "4096" },
  serve: { prompt_tokens: "3000" },
  diagnose: { sequence_length: "4096" },
};

/** Of a view's parts below its answer those that are out of sight: how often each has been drawn since they were counted first. */
const drawnBelow = (page, view) =>
  page.evaluate(async (name) => {
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    const app = document.querySelector("commcost-app");
    const parts = new Set(inside(app.shadowRoot).filter(({ whenSeen }) => whenSeen && !whenSeen.seen));
    await app.shadowRoot.querySelector(`commcost-${name}`).updateComplete;
    return [...parts].map((part) => {
      if (part.times === undefined) {
        part.times = 0;
        const update = part.update.bind(part);
        part.update = (changed) => {
          part.times += 1;
          update(changed);
        };
      }
      return { was: part.hasUpdated, times: part.times };
    });
  }, view);

for (const [view, texts] of Object.entries(edits))
  test(`${view}: an edit draws what is in sight, and all else once its reader pauses`, async () => {
    const page = await openPage(browser, `${host.address}#view=${view}`, {
      ready: `commcost-${view}`,
      viewport: { width: 1280, height: 100 },
    });
    // Who searches the page, hears it or takes a picture of all of it finds it there, unscrolled.
    const below = () => drawnBelow(page, view);
    await expect
      .poll(async () => {
        const parts = await below();
        return parts.length >= 2 && parts.every(({ was }) => was);
      })
      .toBe(true);
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    const count = (await below()).length;
    const before = (await below()).map(({ times }) => times);
    await edit(page, texts);
    const after = (await below()).map(({ times }) => times);
    assert.deepEqual(after, before);
    await page.clock.runFor(400);
    assert.deepEqual(
      (await below()).map(({ times }) => times),
      before,
    );
    for (let part = 0; part < count; part++) await page.clock.runFor(600);
    await expect.poll(async () => (await below()).every(({ times }, at) => times > before[at])).toBe(true);
    await page.done();
  });

test("what is in sight is computed anew only where its own inputs changed", async () => {
  const page = await openPage(browser, `${host.address}#view=step`, { ready: "commcost-step" });
  const step = page.locator("commcost-step");
  await seeAll(page);
  const ledger = step.locator("commcost-seen-part:has(#ledger-title)");
  await ledger.evaluate((one) => one.scrollIntoView());
  const asks = await counted(page);
  await edit(page, { sequence_length: "4096" });
  await expect.poll(() => asks("communication_ledger")).toBeGreaterThan(0);
  const sofar = await asks("communication_ledger");
  const time = step.locator(".headline");
  const was = await time.textContent();
  // A message is as large on any network.
  await edit(page, { nic_gb_per_sec: "25" });
  await expect(time).not.toHaveText(was);
  assert.equal(await asks("communication_ledger"), sofar);
  await page.done();
});

test("the address is written when the reader pauses, not at each key", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  await page.evaluate(() => document.querySelector("commcost-app").whole);
  await page.clock.install();
  await page.evaluate(() => {
    globalThis.written = 0;
    for (const name of ["replaceState", "pushState"]) {
      const write = history[name].bind(history);
      history[name] = (...state) => {
        globalThis.written += 1;
        write(...state);
      };
    }
  });
  const written = () => page.evaluate(() => globalThis.written);
  const at = page.url();
  const input = field(page, "hidden_size");
  await input.fill("");
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  const idle = await written();
  for (const [typed, key] of [..."12288"].entries()) {
    await input.press(key);
    await expect(input).toHaveValue("12288".slice(0, typed + 1));
    await page.clock.runFor(100);
  }
  assert.equal(await written(), idle);
  await page.clock.runFor(1000);
  assert.equal(await written(), idle + 1);
  assert.notEqual(page.url(), at);
  assert.match(page.url(), /hidden_size=12288/);
  await page.done();
});
