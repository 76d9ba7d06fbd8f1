// Learn from end to end and a lesson, with nothing but a keyboard.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { openPage, settled } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";
import { engine } from "../wasm/support.mjs";

hosted();

const { chapters } = await load("views/learn/story.ts");

/** What has the focus: its role, its name, the chapter that it is in, and whether it can be seen to have it. */
const focused = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const up = (node) => node.parentElement ?? node.getRootNode().host;
    let chapter;
    for (let node = element; node && !chapter; node = up(node)) chapter = node.dataset?.chapter;
    const { outlineStyle, boxShadow, opacity } = getComputedStyle(element);
    const label = element.labels?.[0]?.textContent;
    return {
      chapter,
      role: element.getAttribute("role") ?? element.localName,
      name: element.getAttribute("aria-label") ?? label ?? element.textContent.trim(),
      seen: outlineStyle !== "none" || boxShadow !== "none",
      opacity: Number(opacity),
    };
  });

test("the whole article is walked by Tab: chapter after chapter, every figure and number has a name and a visible focus", async () => {
  const page = await openPage(browser, host.address, { ready: "commcost-learn" });
  for (const { id, figure } of chapters) {
    const chapter = page.locator(`.chapter[data-chapter="${id}"]`);
    await chapter.scrollIntoViewIfNeeded();
    if (figure) await chapter.locator('svg[role="img"]').first().waitFor();
  }
  await settled(page);
  await page.locator(".under .held").focus();
  const stops = [];
  for (let step = 0; step < 300; step++) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (stop.role === "body") break;
    stops.push(stop);
    assert.ok(stop.name, `${JSON.stringify(stop)} has a name`);
    assert.ok(stop.seen, `${JSON.stringify(stop)} can be seen to have the focus`);
    assert.equal(stop.opacity, 1, stop.name);
    if (stop.name === "Cite this") break;
  }
  assert.equal(stops.at(-1).name, "Cite this", "nothing holds the focus");
  const walked = stops.flatMap(({ chapter }) => chapter ?? []);
  assert.deepEqual(
    [...new Set(walked)],
    chapters.map(({ id }) => id),
  );
  // No way back on the way.
  assert.deepEqual(
    walked,
    chapters.flatMap(({ id }) => walked.filter((one) => one === id)),
  );
  for (const { id, figure } of chapters) {
    const own = stops.filter(({ chapter }) => chapter === id);
    if (figure)
      assert.ok(
        own.some(({ role }) => ["slider", "input", "button"].includes(role)),
        `${id} is moved by keys`,
      );
  }
  await page.done();
});

test("a lesson is solved by keyboard alone", async () => {
  const lesson = "lesson=ring_rounds:1:7,partition:2:5&edition=2";
  const page = await openPage(browser, `${host.address}practice.html?${lesson}`, { ready: "#lesson" });
  /** Tabs on until something of that name or id has the focus. */
  const reach = async (wanted) => {
    for (let step = 0; step < 120; step++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate((name) => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element.id === name || element.name === name || element.textContent.trim().startsWith(name);
      }, wanted);
      if (found) return;
    }
    assert.fail(`${wanted} can't be reached`);
  };
  for (const [track, level, seed] of [
    ["ring_rounds", 1, 7],
    ["partition", 2, 5],
  ]) {
    const { question, asked } = engine.pose_exercise({ track, level, seed, edition: 2 });
    await page.getByText(question).waitFor();
    for (const { name, expected, choices } of asked) {
      assert.equal(choices, "", "numbers alone");
      await reach(name);
      await page.keyboard.type(String(expected));
    }
    await page.keyboard.press("Enter");
    await page.getByText("All right").waitFor();
    if (track === "partition") break;
    await reach("Next: ");
    await page.keyboard.press("Enter");
  }
  await page.getByText("2 of 2 solved").waitFor();
  await page.done();
});
