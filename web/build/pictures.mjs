// The README's pictures, made from the built page by: node web/build/pictures.mjs
import { fileURLToPath } from "node:url";
import { root } from "./plugins.mjs";
import { serve, startBrowser } from "../../tests/page/support/browser.mjs";

/** What each picture shows: a place of the page, its width, how much of its height. */
export const pictures = [
  { name: "learn", hash: "", width: 1280, height: 900 },
  {
    name: "cost",
    hash: "#model=llama-3.1-70b&system=dgx-h100&batch_size=1",
    width: 1280,
    height: 900,
  },
  {
    name: "train",
    hash: "#v=4&view=train&model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&global_batch_size=128&sequence_length=8192",
    width: 1280,
    height: 900,
  },
  { name: "network", hash: "#view=network", width: 1280, height: 900 },
  { name: "ring", hash: "#view=ring", width: 1280, height: 900 },
];

async function take() {
  const site = await serve();
  const browser = await startBrowser();
  for (const { name, hash, width, height } of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
    await page.goto(`${site.address}${hash}`);
    await page.locator("main :is(h2, h3)").first().waitFor();
    await page.evaluate(() => document.querySelector("commcost-app").whole);
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${root}web/pictures/${name}.png` });
    await page.close();
  }
  await browser.close();
  await site.stop();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await take();
