// The page in Chromium: from navigation to the first result, and from an input event to the next painted frame.
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";

const typed = 60;
let figures;

function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

// In the page, before its scripts: the time at which the frame with the first result has been painted.
function watchFirstResult() {
  window.firstResult = new Promise((resolve) => {
    const look = () => {
      const cost = document.querySelector("commcost-app")?.shadowRoot?.querySelector("commcost-cost");
      if (!cost?.shadowRoot?.querySelector("[data-result]")) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    };
    requestAnimationFrame(look);
  });
}

async function firstResult(browser, address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watchFirstResult);
  await page.goto(`${address}#view=cost`);
  const milliseconds = await page.evaluate(() => window.firstResult);
  await context.close();
  return milliseconds;
}

// In the page: changes num_gpus and resolves once the frame that shows it has been painted. The browser draws frames
// as quickly as it can, so that no time is spent waiting for a display.
async function inputToPaint(browser, address) {
  const page = await openPage(browser, `${address}#view=cost`);
  const control = page.locator('[name="tensor_parallel"]').first();
  await control.waitFor();
  const times = await control.evaluate(async (input, count) => {
    const times = [];
    for (let step = 0; step < count; ++step) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const began = performance.now();
      input.value = String(2 + (step % 64));
      input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      await new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = resolve;
        requestAnimationFrame(() => channel.port2.postMessage(0));
      });
      times.push(performance.now() - began);
    }
    return times;
  }, typed);
  await page.done();
  return times;
}

/** {first_result_ms, input_to_paint_p50_ms, input_to_paint_p95_ms}, measured once. */
export async function page() {
  if (figures) return figures;
  const browser = await startBrowser(["--disable-frame-rate-limit", "--disable-gpu-vsync"]);
  const { address, stop } = await serve();
  try {
    const firsts = [];
    for (let visit = 0; visit < 5; ++visit) firsts.push(await firstResult(browser, address));
    const paints = await inputToPaint(browser, address);
    figures = {
      first_result_ms: percentile(firsts, 0.5),
      input_to_paint_p50_ms: percentile(paints, 0.5),
      input_to_paint_p95_ms: percentile(paints, 0.95),
    };
    return figures;
  } finally {
    await browser.close();
    await stop();
  }
}
