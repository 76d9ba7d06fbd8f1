// Whatever is pinned of a layout, all that the page says of it is of one: headline, column, chart, launch, print, and every part of Train.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { randomNumbers } from "../support/random-numbers.mjs";
import { field, goTo, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const degrees = { TP: "tensor_parallel", PP: "pipeline_parallel", DP: "data_parallel", CP: "context_parallel" };
const pins = {
  tensor_parallel: ["1", "2", "4", "8"],
  pipeline_parallel: ["1", "2", "4"],
  context_parallel: ["1", "2"],
  batch_size: ["1", "2"],
  zero_stage: ["0", "1"],
  recompute: ["none", "full"],
};

/** "TP 4 · PP 8 · DP 2" as numbers, those that are left out being 1; nothing where the text names none. */
function degreesIn(text) {
  const named = [...text.matchAll(/\b(TP|PP|DP|CP) (\d+)/g)];
  const given = Object.fromEntries(named.map(([, name, value]) => [name, Number(value)]));
  return named.length === 0 ? undefined : Object.keys(degrees).map((name) => given[name] ?? 1);
}

test("random pins: headline, column, chart, launch, print and each part of Train name one layout", {
  tag: "@long",
}, async () => {
  const random = randomNumbers(30);
  const drawn = Array.from({ length: 12 }, () =>
    Object.entries(pins).flatMap(([name, values]) =>
      random() < 0.45 ? [`plan_${name}=${values[Math.floor(random() * values.length)]}`] : [],
    ),
  );
  assert.ok(new Set(drawn.map((pinned) => pinned.length)).size > 2);
  let answered = 0;
  for (const pinned of drawn) {
    const link = ["#v=3&view=plan&model=llama-3.1-8b&system=dgx-h100&cluster_gpus=32&global_batch_size=64", ...pinned];
    const page = await openPage(browser, host.address + link.join("&"), { ready: "commcost-plan .headline" });
    await page.getByText(/on this machine/).waitFor();
    const { found, charts } = await page.locator("commcost-plan").evaluate(({ progress, renderRoot }) => ({
      found: progress.found,
      charts: [...renderRoot.querySelectorAll(".figure commcost-stacked-bars")].map(({ spec }) => spec.bars[0].label),
    }));
    const best = found.layouts[0];
    if (best) {
      answered += 1;
      const layout = Object.values(degrees).map((name) => best[name]);
      const told = (where, text) => assert.deepEqual(degreesIn(text), layout, `${pinned.join(" ")}: ${where}: ${text}`);
      for (const pin of pinned) {
        const [, name, value] = /^plan_(\w+)=(\w+)$/.exec(pin);
        assert.equal(String(best[name]), value, pin);
      }
      told("headline", await page.locator("commcost-plan .headline b").first().innerText());
      for (const label of charts) told("chart", label);
      for (const name of Object.values(degrees)) {
        const input = field(page, name);
        const shown = (await input.inputValue()) || (await input.getAttribute("placeholder"));
        assert.equal(Number(shown), best[name], `${pinned.join(" ")}: ${name}`);
      }
      const launch = await page.locator("commcost-plan .exports pre").first().textContent();
      assert.match(launch, new RegExp(`--tensor-model-parallel-size ${best.tensor_parallel} `));
      assert.match(launch, new RegExp(`--pipeline-model-parallel-size ${best.pipeline_parallel} `));
      told("print", await page.locator("commcost-scenario .printed").textContent());
      told("export", await page.locator("commcost-plan").evaluate((view) => view.words.join(" · ")));
      const time = await page.locator("commcost-plan .headline .number").last().innerText();
      for (const [view, number] of [
        ["step", ".headline .number"],
        ["record", ".headline b.number"],
      ]) {
        await goTo(page, view);
        await expect.poll(() => page.locator(`commcost-${view} ${number}`).first().innerText()).toBe(time);
        told(view, await page.locator("commcost-scenario .printed").textContent());
      }
      told("record", await page.locator("commcost-record .headline b").first().innerText());
    }
    await page.done();
  }
  assert.ok(answered >= 8, `${answered} of ${drawn.length} fit`);
});
