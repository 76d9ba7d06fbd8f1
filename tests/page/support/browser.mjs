// Real Chromium on the built site. Every page that is opened here is watched: an error, a refused policy or a request
// to anywhere but the page's own origin fails the test that opened it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { staticServer } from "./server.mjs";
import { withSwitches } from "./switches.mjs";

export const site = new URL("../../../build/site/", import.meta.url).pathname;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Debian's headless Chromium, which took a third of all tests' time, without network requests of its own. */
export const launching = {
  executablePath: "/usr/bin/chromium-headless-shell",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** Starts Chromium, with further switches where a measurement needs them; tests get theirs from their runner. */
export async function startBrowser(switches = []) {
  return chromium.launch({ ...launching, args: [...launching.args, ...switches] });
}

/** Serves a folder (the site) under a path; returns its address and a way to stop. */
export async function serve(prefix = "/", folder = site, options = {}) {
  const server = staticServer(folder, prefix, options);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}${prefix}`;
  return {
    address,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

const plain = (text) =>
  Array.isArray(text) ? text.map(plain) : (text?.replaceAll("\u00a0", " ").replaceAll("\u2060", "") ?? text);

/** Tests read a text as people do: where no line may end is a matter of layout, whose test looks at lines. */
async function readAsPeople(page) {
  const locators = Object.getPrototypeOf(page.locator("body"));
  for (const name of ["textContent", "innerText", "allInnerTexts", "allTextContents"]) {
    const read = locators[name];
    if (read.asPeople) continue;
    locators[name] = Object.assign(
      async function (...options) {
        return plain(await read.apply(this, options));
      },
      { asPeople: true },
    );
  }
  await page.addInitScript(() => {
    for (const [owner, name] of [
      [Node.prototype, "textContent"],
      [HTMLElement.prototype, "innerText"],
    ]) {
      const { get, ...rest } = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, {
        ...rest,
        get() {
          return get.call(this)?.replaceAll("\u00a0", " ").replaceAll("\u2060", "") ?? null;
        },
      });
    }
  });
}

/**
 * A page under watch: `page.complaints()` lists what it did that it must not. Without its service worker, which fetches the whole
 * site for each page and takes a quarter of all tests' time: `serviceWorkers: "allow"` where a test is about what it keeps.
 */
export async function openPage(browser, url, options = {}) {
  const { hosts = [], ready = "commcost-cost", ...rest } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    serviceWorkers: "block",
    ...rest,
  });
  await withSwitches(context);
  const page = await context.newPage();
  await readAsPeople(page);
  const complaints = [];
  const allowed = new Set([new URL(url).host, ...hosts]);
  page.on("console", (message) => message.type() === "error" && complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !allowed.has(host)) complaints.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
    // Not a script's error, so that the browser reports it only to the window: it fills the reports of embedders. A
    // frame that watches its own height gets it by itself.
    // A frame's page measures its own height, which no host hears of as an error.
    if (self === top && !location.pathname.endsWith("/embed.html"))
      addEventListener("error", ({ message }) => {
        if (message.startsWith("ResizeObserver")) console.error(message);
      });
  });
  await page.goto(url);
  if (ready) {
    await page.locator(ready).first().waitFor();
    // Also waits for what loads after the first answer: most tests need it at once.
    await page.evaluate(() => document.querySelector("commcost-app")?.whole);
    await noneBehind(page, "first");
  }
  page.complaints = () => complaints;
  page.done = async () => {
    assert.deepEqual(complaints, []);
    await context.close();
  };
  return page;
}

/** Once what a change of size or input sets off has been drawn. */
export const settled = (page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Once nothing out of sight is to be drawn, or to be drawn for the first time. */
const noneBehind = (page, which) =>
  page.waitForFunction((first) => {
    const inside = (root) =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
    return inside(document).every(({ whenSeen }) => !whenSeen?.behind || (first && whenSeen.drawn));
  }, which === "first");

/** Once that is drawn out of sight as well, where it waits until its reader pauses. */
export async function caughtUp(page) {
  await settled(page);
  await noneBehind(page, "any");
}

/** Once every timer of a page or frame that was set for less than so long has run: timers run in their order. */
export const outlast = (page, ms) => page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), ms);

/** What axe finds, as one line a finding; through the debugger, so that the page's policy stays as it is. */
export async function axeFindings(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axeSource });
  const { result } = await session.send("Runtime.evaluate", {
    expression:
      "axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.flat().join(' ')).slice(0, 3).join(' | ')}`)))",
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(result.value);
}

/** Drops texts as files on the page, {name, text} each, all at once, as a file manager would. */
export const dropFiles = (page, files) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of files) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, composed: true }),
    );
  }, files);

/** An input of the scenario; of a layout that is searched, what pins it. */
export const field = (page, name) =>
  page.locator(`[name="${name}"], [name="plan_${name}"], [name="serving_${name}"]`).first();

const tabs = {
  network: "Collectives",
  ring: "Collectives",
  plan: "Train",
  step: "Train",
  overlap: "Train",
  record: "Train",
};

/** Goes to a view by its tab, and to the part of the tab that it is; to projections from the article, which links to them. */
export async function goTo(page, view) {
  const from = view === "projection" ? "commcost-learn footer" : "commcost-app nav";
  if (view === "projection") await goTo(page, "learn");
  const link = page.locator(`${from} a[data-view="${view}"]`).last();
  if (tabs[view]) await page.getByRole("link", { name: tabs[view], exact: true }).click();
  await link.click();
  await page.locator(`commcost-${view}`).waitFor();
}

/** Opens what is folded away in the scenario's form, or in a view's own. */
export const unfold = (page, title) => page.getByText(title, { exact: true }).first().click();

/** Chooses a preset as a reader does: by words, then Enter. */
export async function choosePreset(page, label, words) {
  const box = page.getByRole("combobox", { name: label, exact: true });
  await box.fill(words);
  await box.press("Enter");
}

/** All text that is shown, shadow trees included: innerText stops at them. */
export const shownText = (page) =>
  page.evaluate(() => {
    const hidden = (node) =>
      node.nodeType === Node.ELEMENT_NODE && (node.hidden || (node.popover !== null && !node.matches(":popover-open")));
    const read = (node) =>
      [...(node.shadowRoot ?? node).childNodes]
        .map((child) =>
          child.nodeType === Node.TEXT_NODE
            ? child.textContent
            : ["STYLE", "SCRIPT", "NOSCRIPT"].includes(child.nodeName) || hidden(child)
              ? ""
              : read(child),
        )
        .join("");
    return read(document.body).replace(/\s+/g, " ");
  });

/** Text that no reader may ever see, with its surroundings; undefined if there is none. */
export const nonsense = (text) => text.match(/.{0,60}(?:NaN|undefined|Infinity(?! Fabric)|\[object).{0,40}/)?.[0];

/** A result of the Cost view under the exercise's own name. */
export const result = (page, name) => page.locator(`[data-result="${name}"]`);

/** Brings each part that waits to be seen into sight. */
export async function seeAll(page) {
  await page.locator("commcost-seen-part").first().waitFor({ state: "attached" });
  for (const part of await page.locator("commcost-seen-part").all()) {
    await part.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await page.waitForFunction(
      (one) => one.whenSeen.seen && one.hasUpdated && !one.isUpdatePending,
      await part.elementHandle(),
    );
  }
}
