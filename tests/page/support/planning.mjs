// Plans a large cluster in an open Plan view, under a clock and with its frames watched.
import { readFrames, watchFrames } from "./frames.mjs";

export const llama =
  "#view=plan&model=llama-3.1-405b&system=dgx-h100&num_gpus=16384&global_batch_size=2048&sequence_length=8192";

/** {first_ms, layouts_ms, all_ms, frames}: until the first layouts show, all are searched, and fewer GPUs too. */
export async function planLarge(page) {
  await watchFrames(page);
  const times = await page.evaluate(async () => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    const button = [...view.shadowRoot.querySelectorAll("button")].find(({ textContent }) =>
      textContent.includes("405B"),
    );
    const painted = () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        requestAnimationFrame(() => port2.postMessage(0));
      });
    const before = view.progress;
    // The clock starts once the inputs are set; the view's wait for more typing is included.
    const began = performance.now();
    button.click();
    const until = async (condition) => {
      while (view.progress === before || !condition(view.progress)) await painted();
      await painted();
      return performance.now() - began;
    };
    const first_ms = await until(({ found }) => found);
    const layouts_ms = await until(({ found, state }) => found && state !== "layouts");
    const all_ms = await until(({ state }) => state === "finished");
    return { first_ms, layouts_ms, all_ms };
  });
  return { ...times, frames: await readFrames(page) };
}
