// The README's pictures show what works: their scenarios are right, fit, and are in the README.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "@playwright/test";
import { pictures } from "../../web/build/pictures.mjs";
import { openPage, settled } from "./support/browser.mjs";
import { host, hosted } from "./support/hosted.mjs";

hosted();

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

for (const { name, hash, width, height } of pictures)
  test(`the README's picture of ${name} is of something that works and fits`, async ({ browser }) => {
    assert.ok(readme.includes(`(web/pictures/${name}.png)`), "README.md does not show it");
    assert.ok(statSync(new URL(`web/pictures/${name}.png`, root)).size > 0);
    const page = await openPage(browser, `${host.address}${hash}`, {
      ready: "main > *",
      viewport: { width, height },
    });
    await settled(page);
    const text = await page.locator("main, commcost-scenario").allInnerTexts();
    assert.doesNotMatch(text.join("\n"), /too much|No layout|No deployment|doesn[’']t fit on/i);
    assert.equal(await page.locator('[role="alert"]').count(), 0, "something is refused");
    await page.done();
  });
