// A ring of 16 GPUs turned by hand round by round: gaps between the page's frames.
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";
import { framesDuring } from "../../tests/page/support/frames.mjs";

const ranks = 16;
const laps = 4;
const stepsOfALap = 240;

/** The 95th percentile of the gaps, ms. */
export async function ringFrameGap() {
  const browser = await startBrowser();
  const { address, stop } = await serve();
  try {
    const page = await openPage(browser, `${address}#view=ring&ranks=${ranks}`, { ready: "svg.ring" });
    const { x, y, width } = await page.locator("svg.ring").boundingBox();
    const at = (turn) => [x + width / 2 + 0.3 * width * Math.sin(turn), y + width / 2 - 0.3 * width * Math.cos(turn)];
    await page.mouse.move(...at(0));
    await page.mouse.down();
    const frames = await framesDuring(page, async () => {
      for (let step = 1; step <= laps * stepsOfALap; ++step)
        await page.mouse.move(...at((step / stepsOfALap) * 2 * Math.PI * (step <= 2 * stepsOfALap ? 1 : -1)));
    });
    await page.mouse.up();
    await page.done();
    return frames.p95_ms;
  } finally {
    await browser.close();
    await stop();
  }
}
