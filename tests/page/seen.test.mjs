import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { field, openPage, seeAll } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

/** What only parts below the first screens ask for. */
const below = ["model_sizes", "sweep"];

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

test("an edit computes what is in sight: ledger, levers and curves below wait until they are", async () => {
  const page = await openPage(browser, `${host.address}#view=step`, {
    ready: "commcost-step",
    viewport: { width: 1280, height: 400 },
  });
  const step = page.locator("commcost-step");
  await seeAll(page);
  const ledger = step.locator("commcost-seen-part:has(#ledger-title)");
  const before = await ledger.textContent();
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => ledger.evaluate(({ whenSeen }) => whenSeen.seen)).toBe(false);
  const asks = await counted(page);
  const headline = step.locator(".headline");
  const was = await headline.textContent();
  await field(page, "sequence_length").fill("4096");
  await expect(headline).not.toHaveText(was);
  for (const name of below) assert.equal(await asks(name), 0, name);
  // The answer, and how sure it is; a dozen levers are not.
  const steps = await asks("training_step");
  assert.ok(steps <= 2, `${steps} steps`);
  assert.equal(await ledger.textContent(), before);

  await ledger.evaluate((one) => one.scrollIntoView());
  await expect(ledger).not.toHaveText(before);
  await seeAll(page);
  for (const name of below) assert.ok((await asks(name)) > 0, name);
  assert.ok((await asks("training_step")) > 10);
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
