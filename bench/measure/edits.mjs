// From an edit in a view to the next painted frame. The browser draws frames as quickly as it can, so that no time is spent
// waiting for a display.
import { Lacking } from "./lacking.mjs";
import { answered, answerOf, visitOf, watch } from "./visit.mjs";

const input = (name, values, key) => ({ control: `[name="${name}"]`, acts: values.map((value) => ({ value, key })) });

/** What is edited in each view, and what is typed or pressed there in turn. */
const controls = {
  learn: {
    control: '[role="slider"][aria-label="GPUs that share each matrix"]',
    acts: [{ key: "ArrowRight" }, { key: "ArrowLeft" }],
  },
  cost: input("hidden_size", ["4096", "8192"]),
  practice: input("answer_message_size_bytes", ["1", "2"], "Enter"),
  collectives: input("message_size_bytes", ["134217728", "268435456"]),
  ring: input("message_size_bytes", ["134217728", "268435456"]),
  overlap: input("hidden_size", ["4096", "8192"]),
  step: input("hidden_size", ["4096", "8192"]),
  plan: input("global_batch_size", ["512", "1024"]),
  serve: input("output_tokens", ["256", "512"]),
};
// The first figure of what Learn was before.
const formerControls = { start: { control: "#hand", acts: [{ value: "1" }, { value: "2" }] } };

export const edited = Object.keys(controls);

/** A page at that view, which its build may call by another `name`: `edit` makes the next edit and says how long it took until that was painted, ms. */
export async function editor(browser, address, view, name = view) {
  const context = await browser.newContext({ serviceWorkers: "block", ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const answer = answerOf(name);
  await page.addInitScript(watch, answer);
  await page.goto(visitOf(address, name));
  await answered(page, answer);
  const { control, acts } = formerControls[name] ?? controls[view];
  const found = page.locator(control).first();
  await found.waitFor({ state: "attached" }).catch(() => {
    throw new Lacking(`no ${control} in ${name}`);
  });
  let next = 0;
  const edit = () =>
    found.evaluate(
      async (element, { value, key }) => {
        // What the edit before put off is done by then.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const tell = { bubbles: true, composed: true };
        const began = performance.now();
        if (value !== undefined) {
          element.value = value;
          element.dispatchEvent(new Event("input", tell));
        }
        if (key) element.dispatchEvent(new KeyboardEvent("keydown", { ...tell, key, cancelable: true }));
        await new Promise((resolve) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = resolve;
          requestAnimationFrame(() => channel.port2.postMessage(0));
        });
        return performance.now() - began;
      },
      acts[next++ % acts.length],
    );
  return { edit, close: () => context.close() };
}
