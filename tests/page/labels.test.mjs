// Texts of a figure never overlap, whatever is drawn and however narrow the window.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf, healthy } from "../support/diagnosis/cases.mjs";
import { caughtUp, openPage } from "./support/browser.mjs";
import { scenarioOf } from "./support/drawn.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const engine = await loadEngine();

/** Pairs of texts that overlap by more than a hair, and how many texts there are, in all figures that are shown. */
const overlapping = (page) =>
  page.evaluate(() => {
    const hair = 1;
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    // Letters fill the middle of a line's height.
    const boxOf = (text) => {
      const { left, right, top, height } = text.getBoundingClientRect();
      return { left, right, top: top + 0.2 * height, bottom: top + 0.8 * height };
    };
    const words = (text) => text.textContent.trim().replace(/\s+/g, " ");
    const found = { texts: 0, over: [] };
    for (const drawing of inside(document).filter((one) => one.localName === "svg" && !one.ownerSVGElement)) {
      const texts = [...drawing.querySelectorAll("text")]
        .filter((text) => words(text) && text.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((text) => ({ text, ...boxOf(text) }))
        .filter(({ left, right }) => right > left);
      found.texts += texts.length;
      texts.forEach((one, index) => {
        for (const other of texts.slice(index + 1)) {
          const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          if (across <= hair || down <= hair) continue;
          const { localName, spec } = drawing.getRootNode().host;
          found.over.push(
            `${spec?.id ?? localName}: “${words(one.text)}” and “${words(other.text)}” by ${across.toFixed(1)} x ${down.toFixed(1)}`,
          );
        }
      });
    }
    return found;
  });

/** Opens what is folded away, so that its figures are drawn. */
const unfoldAll = (page) =>
  page.evaluate(() => {
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    for (const one of inside(document)) if (one.localName === "details") one.open = true;
  });

/** Waits until a view shows its answer, or what is wrong with its inputs. */
const answered = (page, view) =>
  page.waitForFunction((name) => {
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    const all = inside(document);
    const view = all.find(({ localName }) => localName === name);
    // The exercise and Diagnose ask nothing of the engine as they open.
    const asks = view && Object.hasOwn(Object.getPrototypeOf(view), "outcome");
    return (view && (view.outcome || !asks)) || all.some((one) => one.matches(".wrong"));
  }, `commcost-${view}`);

/** Gives the page files, all at once. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of files) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true }));
  }, files);

/** So high that all of a view is in sight, and drawn. */
const height = 24_000;

/** What is found in the figures of one view of a scenario, at each width. */
async function inFigures(view, scenario, find, then = async () => {}) {
  const query = new URLSearchParams({ v: "4", view, ...scenario });
  const page = await openPage(browser, `${host.address}#${query}`, {
    ready: "commcost-app",
    viewport: { width: 1440, height },
  });
  await answered(page, view);
  await then(page);
  await unfoldAll(page);
  const found = [];
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height });
    await caughtUp(page);
    found.push({ width, ...(await find(page)) });
  }
  await page.done();
  return found;
}

/** Drawn scenarios of each view; the last is compared with another. */
const seeds = [2, 3, 4, 7];
const pinned = (texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [`pin.${name}`, text]));
const scenarios = (view) => [
  {},
  ...seeds.map((seed) => ({
    ...scenarioOf(engine, view, seed),
    ...(seed === seeds.at(-1) ? pinned(scenarioOf(engine, view, seed + 1)) : {}),
  })),
];

const views = ["learn", "cost", "network", "ring", "plan", "step", "overlap", "serve", "projection", "exercise"];

function expectApart(found) {
  assert.deepEqual(
    found.flatMap(({ width, over }) => over.map((one) => `at ${width} px, ${one}`)),
    [],
  );
  assert.ok(found.some(({ texts }) => texts > 0));
}

for (const view of views)
  test(`${view}: no two texts of a figure overlap`, { tag: "@long" }, async () => {
    const found = [];
    for (const scenario of scenarios(view)) found.push(...(await inFigures(view, scenario, overlapping)));
    expectApart(found);
  });

test("diagnose: no two texts of a figure overlap", { tag: "@long" }, async () => {
  for (const one of [...before, ...healthy].slice(0, 3)) {
    const { job, files } = filesOf(engine, one);
    const given = async (page) => {
      await drop(page, files);
      await page.locator("commcost-diagnose svg.drawing").first().waitFor();
    };
    expectApart(await inFigures("diagnose", job, overlapping, given));
  }
});
