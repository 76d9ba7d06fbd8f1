// From an edit in a view's form to the next painted frame. The browser draws frames as quickly as it can, so that no time is spent
// waiting for a display.
import { answerOf, watch } from "./visit.mjs";

/** What is edited in each view, and what is typed in turn. */
export const edited = {
  cost: { field: "hidden_size", values: ["4096", "8192"] },
  ring: { field: "message_size_bytes", values: ["134217728", "268435456"] },
  network: { field: "message_size_bytes", values: ["134217728", "268435456"] },
  overlap: { field: "hidden_size", values: ["4096", "8192"] },
  step: { field: "hidden_size", values: ["4096", "8192"] },
  plan: { field: "global_batch_size", values: ["512", "1024"] },
  serve: { field: "output_tokens", values: ["256", "512"] },
};

/** A page at that view, which its build may call by another `name`: `edit` types the next value and says how long it took until that was painted, ms. */
export async function editor(browser, address, view, name = view) {
  const context = await browser.newContext({ serviceWorkers: "block", ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.addInitScript(watch, answerOf(name));
  await page.goto(`${address}#view=${name}`);
  await page.evaluate(() => window.answered);
  const { field, values } = edited[view];
  const control = page.locator(`[name="${field}"]`).first();
  await control.waitFor({ state: "attached" });
  let next = 0;
  const edit = () =>
    control.evaluate(
      async (input, value) => {
        // What the edit before put off is done by then.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const began = performance.now();
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        await new Promise((resolve) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = resolve;
          requestAnimationFrame(() => channel.port2.postMessage(0));
        });
        return performance.now() - began;
      },
      values[next++ % values.length],
    );
  return { edit, close: () => context.close() };
}
