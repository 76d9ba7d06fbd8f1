// A large cluster planned in the page: until the first layouts show, until all are searched, and its frames meanwhile.
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";
import { planLarge } from "../../tests/page/support/planning.mjs";
import { median } from "./statistics.mjs";

let figures;

/** {first_ms, layouts_ms, frame_gap_p95_ms, long_task_ms}, each the median of five plans; long_task_ms is the longest of a plan. */
export async function planInPage() {
  if (figures) return figures;
  const browser = await startBrowser();
  const { address, stop } = await serve();
  try {
    const plans = [];
    for (let plan = 0; plan < 5; ++plan) {
      const page = await openPage(browser, `${address}#view=plan`, { ready: "commcost-plan" });
      await page.getByText(/on this machine/).waitFor();
      plans.push(await planLarge(page));
      await page.done();
    }
    const of = (figure) => median(plans.map(figure));
    return (figures = {
      first_ms: of(({ first_ms }) => first_ms),
      layouts_ms: of(({ layouts_ms }) => layouts_ms),
      frame_gap_p95_ms: of(({ frames }) => frames.p95_ms),
      long_task_ms: of(({ frames }) => Math.max(0, ...frames.long_tasks_ms)),
    });
  } finally {
    await browser.close();
    await stop();
  }
}
