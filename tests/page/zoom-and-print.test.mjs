// Every view enlarged, and on paper.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf } from "../support/diagnosis/cases.mjs";
import { dropFiles, openPage, settled } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const views = ["cost", "ring", "network", "overlap", "step", "plan", "projection", "record", "serve"];
const scenario =
  "model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&tensor_parallel=4&pipeline_parallel=2&global_batch_size=128";

/** WCAG 2.2, 1.4.10: at 400 % of a window 1280 px wide nothing but tables and pictures scrolls sideways. */
for (const [percent, width, height] of [
  [200, 720, 450],
  [400, 320, 256],
]) {
  test(`at ${percent} % no view scrolls sideways, its tab is in sight, and the scenario is a line that opens`, {
    tag: "@long",
  }, async () => {
    for (const view of views) {
      const page = await openPage(browser, `${host.address}#view=${view}&${scenario}`, {
        ready: `commcost-${view} [part=headline]`,
        viewport: { width, height },
        deviceScaleFactor: percent / 100,
      });
      await settled(page);
      // Its longest choices come once the search has ended.
      if (view === "plan") await page.locator("commcost-plan").getByLabel("Compare with").waitFor();
      const { over, tab } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const current = document.querySelector("commcost-app").shadowRoot.querySelector("nav [aria-current=page]");
        const { left, right } = current.getBoundingClientRect();
        return { over: scrollWidth - clientWidth, tab: left >= 0 && right <= clientWidth + 1 };
      });
      assert.ok(over <= 0, `${view} is ${over} px too wide`);
      assert.ok(tab, `the tab of ${view} is in sight`);
      await page.getByRole("button", { name: /Change the scenario/ }).click();
      const inside = page.getByRole("dialog", { name: "Scenario" });
      await inside.waitFor();
      const box = await inside.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${view}: the drawer fits`);
      await page.done();
    }
  });
}

test("on paper every view says model, machine and layout, its answer, and shows no controls", {
  tag: "@long",
}, async () => {
  for (const view of views) {
    const page = await openPage(browser, `${host.address}#view=${view}&${scenario}`, {
      ready: `commcost-${view} [part=headline]`,
    });
    // A plan's layout is its answer.
    if (view === "plan") await page.getByText(/on this machine/).waitFor();
    const layout =
      view === "plan" ? await page.locator("commcost-plan .headline b").first().innerText() : "TP 4 · PP 2 · DP 8";
    await page.emulateMedia({ media: "print" });
    await settled(page);
    const line = page.locator("commcost-scenario .printed");
    assert.equal(await line.isVisible(), true, view);
    assert.equal(
      (await line.innerText()).replace(/\s+/g, " "),
      view === "serve"
        ? "Llama 3.1 70B · 8 × H100 (DGX H100) · 1,024 tokens in, 256 out · vLLM"
        : `Llama 3.1 70B · 64 × H100 (8 × DGX H100) · ${layout} · 128 × 2048 · Megatron-Core`,
      view,
    );
    assert.equal(await page.locator(`commcost-${view} [part=headline]`).first().isVisible(), true);
    const shown = await page
      .getByRole("button")
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
    assert.deepEqual(
      shown.filter((text) => text.trim() !== "").filter((text) => /Copy|CSV|Undo|Use|Remove/.test(text)),
      [],
      view,
    );
    await page.done();
  }
});

test("a diagnosis is one page of paper: verdict, job, files, waterfall, causes with what to run next, networks", {
  tag: "@long",
}, async () => {
  const engine = await loadEngine();
  for (const name of ["a network at an eighth", "a power cap"]) {
    const { job, files } = filesOf(
      engine,
      before.find((one) => one.name === name),
    );
    const address = Object.entries(job).map(([field, value]) => `${field}=${value}`);
    const page = await openPage(browser, `${host.address}#view=diagnose&${address.join("&")}`, {
      ready: "commcost-diagnose",
    });
    await dropFiles(page, files);
    await page.locator("commcost-causes ol li").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await settled(page);
    for (const part of [
      '[data-result="verdict"]',
      ".under",
      ".given-files li >> nth=0",
      "[data-waterfall] svg.drawing",
      "commcost-causes ol li pre >> nth=0",
      ...(files.some((file) => file.name === "nccl.log") ? ["[data-log] svg.drawing"] : []),
    ])
      await page.locator(`commcost-diagnose ${part}`).waitFor();
    const paper = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(paper.match(/\/Type\s*\/Page(?![s\w])/g).length, 1, name);
    await page.done();
  }
});
