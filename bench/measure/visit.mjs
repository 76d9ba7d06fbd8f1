// What a reader has downloaded once a view shows its first answer: the page in Chromium determines the files, and the
// sizes are those of the built site in brotli. None of it depends on the machine's speed.
import { serve, startBrowser } from "../../tests/page/support/browser.mjs";
import { hostPage } from "../../tests/page/support/host.mjs";
import { brotliOf } from "./bytes.mjs";
import { Lacking } from "./lacking.mjs";

/** Where a tab's first answer is, if not in an element of its own name. */
const first = { collectives: "network", train: "plan", diagnose: "diagnose" };

/**
 * What must be visible: the first figure of Learn, which can be moved, Practice's form, the answer of any other view.
 */
export function answerOf(view) {
  if (view === "learn") return { element: "commcost-fit-figure", part: "svg" };
  if (view === "practice") return { element: "commcost-exercise", part: "form" };
  return { element: `commcost-${first[view] ?? view}`, part: '[part~="headline"]:not(.soft)' };
}

/** The address of a view on a host: the first visit is Learn, Practice is a page. */
export function visitOf(address, view) {
  if (view === "learn") return address;
  return view === "practice" ? `${address}practice.html` : `${address}#view=${view}`;
}

// In the page, before its scripts: the time at which the answer is in the document, for the next frame to paint; null where not even
// its element comes.
export function watch({ element, part }) {
  let seen = false;
  const inside = (root) =>
    [...root.querySelectorAll("*")].some(({ localName, shadowRoot }) => {
      seen ||= localName === element;
      return shadowRoot && ((localName === element && shadowRoot.querySelector(part)) || inside(shadowRoot));
    });
  window.answered = new Promise((resolve, reject) => {
    const look = () => {
      if (inside(document)) resolve(performance.now());
      else if (performance.now() > 30_000) seen ? reject(new Error(`no answer in ${element}`)) : resolve(null);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** When a page that is watched for that answer had it, ms. */
export async function answered(page, { element }) {
  const time = await page.evaluate(() => window.answered);
  if (time === null) throw new Lacking(`no ${element}`);
  return time;
}

/** The addresses that a page asks for until that is in it. */
async function untilAnswer(browser, visited, answer) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(watch, answer);
  await page.goto(visited);
  const asked = await page.evaluate(
    async (time) => {
      // Entries appear once a file is loaded.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return performance
        .getEntriesByType("resource")
        .filter(({ startTime }) => startTime < time)
        .map(({ name }) => name);
    },
    await answered(page, answer),
  );
  await context.close();
  return [...new Set(asked)];
}

/** The names of the files that were asked for until a link's first answer. */
export async function filesUntilAnswer(browser, address, view) {
  const asked = await untilAnswer(browser, visitOf(address, view), answerOf(view));
  return [
    view === "practice" ? "practice.html" : "index.html",
    ...new Set(asked.map((name) => new URL(name).pathname.slice(1))),
  ];
}

/** The names of the files that a frame with one figure loads, drawn and left alone. */
export async function filesOfFrame(browser, address, figure) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(`${address}embed.html?figure=${figure}`);
  await page.locator(`commcost-${figure}-figure svg[role="img"]`).first().waitFor();
  await page.evaluate(() => document.querySelector("commcost-app").whole);
  // What is asked for behind the drawing is asked for in the next frames.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  await context.close();
  return ["embed.html", ...new Set(asked.map((name) => new URL(name).pathname.slice(1)))];
}

/** Bytes in brotli of a frame with that figure. */
export async function bytesOfFrame(figure) {
  const browser = await startBrowser();
  const { address, stop } = await serve();
  const files = new Set(await filesOfFrame(browser, address, figure));
  await browser.close();
  await stop();
  return brotliOf((name) => files.has(name));
}

let bytes;

async function measureAll(views) {
  const browser = await startBrowser();
  const { address, stop } = await serve();
  const all = new Map();
  for (const view of views) {
    const files = new Set(await filesUntilAnswer(browser, address, view));
    all.set(
      view,
      brotliOf((name) => files.has(name)),
    );
  }
  await browser.close();
  await stop();
  return all;
}

export const views = ["learn", "cost", "practice", "collectives", "ring", "train", "step", "overlap", "serve"];

/** Bytes in brotli until the view shows its first answer. */
export async function bytesUntilAnswer(view) {
  bytes ??= measureAll(views);
  return (await bytes).get(view);
}

/** Tags that another page may have, by what they show. */
export const tags = {
  calculator: { tag: "<commcost-calculator></commcost-calculator>", answer: answerOf("cost") },
  figure: {
    tag: '<commcost-figure of="ring"></commcost-figure>',
    answer: { element: "commcost-playback", part: "svg" },
  },
  ...Object.fromEntries(
    ["collectives", "train", "serve"].map((view) => [
      view,
      {
        tag: `<commcost-${view}></commcost-${view}>`,
        answer: { element: `commcost-${view}`, part: answerOf("cost").part },
      },
    ]),
  ),
};

/** The names of the site's files that another page with one of those tags requests until it shows its first answer. */
export async function filesOfTag(browser, address, name) {
  const { tag, answer } = tags[name];
  const host = await hostPage(address, tag, `import("${address}commcost-element.js");`, { workers: true });
  const asked = await untilAnswer(browser, host.address, answer);
  await host.stop();
  return asked.filter((name) => name.startsWith(address)).map((name) => name.slice(address.length));
}

/** Bytes in brotli of them. */
export async function bytesOfTag(name) {
  const browser = await startBrowser();
  const { address, stop } = await serve();
  const files = new Set(await filesOfTag(browser, address, name));
  await browser.close();
  await stop();
  return brotliOf((name) => files.has(name));
}
