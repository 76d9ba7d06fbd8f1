// Makes the README's pictures from the built page: node web/build/pictures.mjs
import { root } from "./plugins.mjs";
import { serve, startBrowser } from "../../tests/page/support/browser.mjs";

/** What each picture shows: a place of the page, its width, how much of its height. */
const pictures = [
  { name: "learn", hash: "", width: 1280, height: 900 },
  {
    name: "cost",
    hash: "#model=llama-3.1-70b&system=dgx-h100&batch_size=1",
    width: 1280,
    height: 900,
  },
  { name: "network", hash: "#view=network", width: 1280, height: 900 },
  { name: "ring", hash: "#view=ring", width: 1280, height: 900 },
];

const site = await serve();
const browser = await startBrowser();
for (const { name, hash, width, height } of pictures) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.goto(`${site.address}${hash}`);
  await page.locator("main :is(h2, h3)").first().waitFor();
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${root}web/pictures/${name}.png` });
  await page.close();
}
await browser.close();
await site.stop();
