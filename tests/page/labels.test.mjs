// Texts of a figure never overlap, whatever is drawn and however narrow the window, and its legend names only what is drawn.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf, healthy } from "../support/diagnosis/cases.mjs";
import { caughtUp, dropFiles, openPage } from "./support/browser.mjs";
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

/** Names in legends whose mark is nowhere in the figure, in all figures that are shown. */
const undrawn = (page) =>
  page.evaluate(() => {
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    const within = (x, y, { left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
    /** Whether some of a shape is inside its clip, or its figure. */
    const isSeen = (shape, drawing) => {
      const clip = shape
        .closest("[clip-path]")
        ?.getAttribute("clip-path")
        .match(/#(.*)\)/)[1];
      const scale = drawing.getScreenCTM();
      const rect = clip && drawing.querySelector(`clipPath#${clip} rect`);
      const place = (x, y) => new DOMPoint(x, y).matrixTransform(scale);
      const frame = rect
        ? ((x, y, width, height) => {
            const [from, to] = [place(x, y), place(x + width, y + height)];
            return { left: from.x, right: to.x, top: from.y, bottom: to.y };
          })(...["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name))))
        : drawing.getBoundingClientRect();
      if (shape.localName !== "path") {
        const { left, right, top, bottom, width, height } = shape.getBoundingClientRect();
        return width + height > 0 && within((left + right) / 2, (top + bottom) / 2, frame);
      }
      const length = shape.getAttribute("d") ? shape.getTotalLength() : 0;
      const own = shape.getScreenCTM();
      return Array.from({ length: length > 0 ? 401 : 0 }, (_, step) => (length * step) / 400).some((at) => {
        const { x, y } = shape.getPointAtLength(at).matrixTransform(own);
        return within(x, y, frame);
      });
    };
    const classes = (one) => [...one.classList].filter((name) => name !== "fill");
    const found = { entries: 0, undrawn: [] };
    for (const legend of inside(document).filter((one) => one.matches("ul.legend") && one.checkVisibility())) {
      const root = legend.getRootNode();
      const drawings = [...root.querySelectorAll("svg:not(.key)")].filter((one) => !one.ownerSVGElement);
      const shapes = drawings.flatMap((drawing) =>
        [...drawing.querySelectorAll("path, line, rect, circle")].map((shape) => ({ shape, drawing })),
      );
      for (const item of legend.querySelectorAll("li:not([hidden])")) {
        const marks = [...item.querySelectorAll("svg.key :is(path, line, rect, circle):not(.texture)")];
        if (marks.length === 0) continue;
        found.entries += 1;
        const isSame = (mark, shape) => {
          const has = new Set([...shape.classList, ...shape.parentElement.classList]);
          const dash = mark.getAttribute("stroke-dasharray");
          return (
            classes(mark).every((name) => has.has(name)) &&
            (dash === null || shape.getAttribute("stroke-dasharray") === dash)
          );
        };
        if (shapes.some(({ shape, drawing }) => marks.some((mark) => isSame(mark, shape)) && isSeen(shape, drawing)))
          continue;
        found.undrawn.push(`${root.host.spec?.id ?? root.host.localName}: “${item.textContent.trim()}”`);
      }
    }
    return found;
  });

const inspect = async (page) => ({ ...(await overlapping(page)), ...(await undrawn(page)) });

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

/** So high that all of a view is in sight, and drawn. */
const height = 24_000;

/** What is found in the figures of one view of a scenario, at each width. */
async function inFigures(view, scenario, find, then = async () => {}) {
  const query = new URLSearchParams({ v: "4", view, ...scenario });
  const page = await openPage(browser, `${host.address}#${query}`, {
    ready: "commcost-app",
    viewport: { width: 1440, height },
    reducedMotion: "reduce",
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
  ...(view === "network" ? [{ collective: "barrier" }] : []),
  ...seeds.map((seed) => ({
    ...scenarioOf(engine, view, seed),
    ...(seed === seeds.at(-1) ? pinned(scenarioOf(engine, view, seed + 1)) : {}),
  })),
];

const views = ["learn", "cost", "network", "ring", "plan", "step", "overlap", "serve", "projection", "exercise"];

function expectLegible(found) {
  for (const kind of ["over", "undrawn"])
    assert.deepEqual(
      found.flatMap(({ width, [kind]: wrong }) => wrong.map((one) => `at ${width} px, ${one}`)),
      [],
    );
  assert.ok(found.some(({ texts }) => texts > 0));
}

for (const view of views)
  test(`${view}: figures are legible`, { tag: "@long" }, async () => {
    const found = [];
    for (const scenario of scenarios(view)) found.push(...(await inFigures(view, scenario, inspect)));
    expectLegible(found);
  });

test("diagnose: figures are legible", { tag: "@long" }, async () => {
  for (const one of [...before, ...healthy].slice(0, 3)) {
    const { job, files } = filesOf(engine, one);
    const given = async (page) => {
      await dropFiles(page, files);
      await page.locator("commcost-diagnose svg.drawing").first().waitFor();
    };
    expectLegible(await inFigures("diagnose", job, inspect, given));
  }
});
