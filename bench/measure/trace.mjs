// A large profile dropped on the page: megabytes of JSON read a second, and the page's frames meanwhile.
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";
import { framesDuring } from "../../tests/page/support/frames.mjs";
import { writeTrace } from "../../tests/page/support/trace.mjs";

const measured = new Map();

/** {mb_per_sec, frame_gap_p95_ms} of a gzipped trace of so many bytes. */
export async function traceInPage(size = 256e6) {
  if (measured.has(size)) return measured.get(size);
  const { path, bytes } = await writeTrace(size);
  const browser = await startBrowser();
  const { address, stop } = await serve();
  try {
    const page = await openPage(browser, `${address}#view=diagnose`, { ready: "commcost-trace" });
    let seconds = 0;
    const frames = await framesDuring(page, async () => {
      await page.getByLabel("Trace", { exact: true }).setInputFiles(path);
      seconds = await page.locator("commcost-trace").evaluate(async (element) => {
        const began = performance.now();
        do await new Promise((resolve) => setTimeout(resolve, 20));
        while (!element.trace && !element.reading.refused);
        if (!element.trace) throw new Error(element.reading.says);
        return (performance.now() - began) / 1e3;
      });
    });
    await page.done();
    const figures = { mb_per_sec: bytes / 1e6 / seconds, frame_gap_p95_ms: frames.p95_ms };
    measured.set(size, figures);
    return figures;
  } finally {
    await browser.close();
    await stop();
  }
}
