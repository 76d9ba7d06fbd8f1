import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { axeFindings, openPage } from "./support/browser.mjs";
import { browser, hosted, host as site } from "./support/hosted.mjs";

hosted();

for (const [colorScheme, width] of [
  ["light", 1100],
  ["dark", 360],
]) {
  test(`the practice page poses, checks and keeps score, ${colorScheme}, ${width} px wide`, async () => {
    const page = await openPage(browser, `${site.address}practice.html`, {
      ready: "commcost-exercise form",
      colorScheme,
      viewport: { width, height: 800 },
    });
    await page.locator("#answer_message_size_bytes").fill("1");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Checked 1 time; solved without the solution: 0.").waitFor();
    assert.match(await page.locator("#ring").getAttribute("href"), /view=ring&ranks=4&message_size_bytes=4$/);
    await page.getByRole("button", { name: "Another one" }).click();
    await page.getByText("Exercise 2, level 1").waitFor();
    await page.locator('[name="level"]').selectOption("2");
    await page.getByText("Exercise 2, level 2").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    assert.deepEqual(await axeFindings(page), []);
    await page.done();
  });
}

test("the practice page works without a network once the site has been visited", async () => {
  const page = await openPage(browser, `${site.address}#view=cost`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistration()).active?.state === "activated",
  );
  await page.context().setOffline(true);
  await page.goto(`${site.address}practice.html`);
  await page.locator("commcost-exercise form").waitFor();
  await page.done();
});
