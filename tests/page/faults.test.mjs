// Nothing fails silently: every file that a visit asks for is left out, refused, cut, withheld or another one, one at a
// time. Either the page shows all that it shows on a good host, or it says what is missing until a button brings it. Made
// of what is requested.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { faults, faultyHost } from "./support/faulty.mjs";
import { hostPage } from "./support/host.mjs";

/** Each visit: its address, and the element that shows it; a frame or an element is in another page. */
const visits = [
  ...["cost", "ring", "network", "overlap", "step", "serve", "plan", "exercise"].map((view) => ({
    name: `link to ${view}`,
    address: `#view=${view}`,
    shown: `commcost-${view}`,
  })),
  {
    name: "link to serve at P99",
    address: "#view=serve&v=2&latency_percentile=p99&requests=200",
    shown: "commcost-serve",
  },
  { name: "practice", address: "practice.html", shown: "commcost-exercise" },
  { name: "choice of a layout", address: "practice.html#track=layout&seed=1&edition=2", shown: "commcost-exercise" },
  { name: "first visit", address: "", shown: "commcost-learn" },
  { name: "frame of a view", frame: "embed.html?view=cost", shown: "commcost-cost" },
  { name: "frame of a plan", frame: "embed.html?view=plan", shown: "commcost-plan" },
  { name: "frame of a figure", frame: "embed.html?figure=ring", shown: "commcost-ring-figure" },
  { name: "frame of a figure that is searched", frame: "embed.html?figure=layout", shown: "commcost-layout-figure" },
];

/** Without these a page is as good: how it looks, and what a browser makes of it. Of a page itself a browser speaks. */
const trimmings = /\.(?:css|svg|webmanifest|html)$|^$|^favicon\.ico$/;

/** The files that are tried, where few are looked at, each with every fault: COMMCOST_FAULTS="rest-"; "." is all of them. */
const only = new RegExp(process.env.COMMCOST_FAULTS ?? "");

/** The faults of a file: one, in turn, because all files are loaded by the same code; every one where files are named. */
const faultsOf = (visit, index) =>
  process.env.COMMCOST_FAULTS ? faults : [faults[(visits.indexOf(visit) + index) % faults.length]];

// A visit is a test: they may run side by side.
test.describe.configure({ mode: "parallel" });

let browser, site;
const hosts = new Map();
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  site = await faultyHost(process.env.COMMCOST_SITE);
  for (const { frame } of visits.filter((visit) => visit.frame)) {
    const tag = `<iframe title="commcost" sandbox="allow-scripts" width="1200" height="3000" src="${site.address}${frame}"></iframe>`;
    hosts.set(frame, await hostPage(site.address, tag, "", { frames: true }));
  }
});
test.afterAll(async () => {
  for (const host of [site, ...hosts.values()]) await host.stop();
});

/**
 * All that is drawn, by the names of elements, the parts and the results in them; what says that something is missing; the tab
 * that is marked.
 */
const stateOf = async (frame) =>
  frame.evaluate(() => {
    const drawn = new Set();
    const said = { tab: undefined, sentences: [] };
    const walk = (root) => {
      for (const element of root.querySelectorAll("*")) {
        const { localName, shadowRoot } = element;
        const mark = ["part", "data-result"].map((name) => element.getAttribute(name) ?? "").join(" ");
        if (mark !== " ") drawn.add(`${root.host?.localName ?? ""} ${mark}`);
        if (localName === "svg" && element.getAttribute("role") === "img") drawn.add(`${root.host?.localName} svg`);
        if (element.matches("nav [aria-current=page]")) said.tab = element.dataset.view;
        if (localName === "button" && element.textContent.trim() === "Try again")
          said.sentences.push(element.parentElement.textContent.replace("Try again", "").trim());
        if (!shadowRoot) continue;
        if (shadowRoot.childElementCount > 0) drawn.add(localName);
        walk(shadowRoot);
      }
    };
    walk(document);
    return { drawn: [...drawn], said };
  });

/** Lets `elapse()` end at once whatever waits for a second or longer, so that tests need not wait. */
function shortClock() {
  const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
  const waiting = new Map();
  globalThis.setTimeout = (run, ms, ...given) => {
    const ended = () => {
      waiting.delete(timer);
      run(...given);
    };
    const timer = set(ended, ms);
    if (ms >= 1000) waiting.set(timer, ended);
    return timer;
  };
  globalThis.clearTimeout = (timer) => {
    waiting.delete(timer);
    clear(timer);
  };
  globalThis.elapse = () => {
    for (const [timer, ended] of waiting) {
      clear(timer);
      ended();
    }
  };
}

/** Opens a visit; `page.place()` is the page or the frame that shows it, `page.errors` are those that nothing caught. */
async function open(visit) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 12000 }, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(shortClock);
  page.errors = [];
  page.on("pageerror", ({ message }) => page.errors.push(message));
  const address = visit.elsewhere ?? (visit.frame ? hosts.get(visit.frame).address : site.address + visit.address);
  await page.goto(address, { waitUntil: "commit" });
  page.place = () => (visit.frame ? page.frames()[1] : page.mainFrame());
  return page;
}

const elapse = (page) => page.place().evaluate(() => globalThis.elapse());

/**
 * Tries until a condition holds; after `tries` the last answer. Long enough that only a failure of the page reaches the
 * end.
 */
async function until(page, ask, holds, tries = 400) {
  let answer;
  for (let left = tries; left > 0; left--) {
    answer = await ask().catch(() => undefined);
    if (answer !== undefined && holds(answer)) break;
    await page.waitForTimeout(100);
  }
  return answer;
}

/** Tells whether neither what is drawn nor what is asked for has changed for the last moments: what is idle comes last. */
function stillness(moments = 15) {
  let before = "";
  let same = 0;
  return (drawn) => {
    const now = `${drawn.length} ${site.asked.length}`;
    same = now === before ? same + 1 : 0;
    before = now;
    return same >= moments;
  };
}

const goodOnes = new Map();
/** What a visit asks for and draws on a good host. */
async function goodVisit(visit) {
  if (goodOnes.has(visit)) return goodOnes.get(visit);
  site.heal();
  const page = await open(visit);
  const quiet = stillness();
  const drawn = await until(
    page,
    async () => (await stateOf(page.place())).drawn,
    (now) => quiet(now) && now.includes(visit.shown),
  );
  assert.ok(drawn?.includes(visit.shown), `${visit.name} on a good host`);
  assert.deepEqual(page.errors, []);
  const good = { drawn, asked: [...site.asked].filter((path) => !trimmings.test(path)) };
  await page.context().close();
  goodOnes.set(visit, good);
  return good;
}

/** One case; returns what is wrong with it. */
async function trouble(visit, good, { path, from }, fault) {
  site.fail({ path, fault, from });
  const page = await open(visit);
  try {
    const missing = (drawn) => good.drawn.filter((mark) => !drawn.includes(mark));
    const state = () => stateOf(page.place());
    const ended = ({ drawn, said }) => missing(drawn).length === 0 || said.sentences.length > 0;
    const quiet = stillness();
    let now = await until(page, state, (then) => ended(then) || (quiet(then.drawn) && site.asked.includes(path)));
    if (!now || !ended(now)) {
      // It may take its time, and says so.
      await elapse(page);
      now = await until(page, state, ended, 30);
    }
    if (!now) return "nothing is there";
    const tabShown = () => now.said.tab === undefined || now.drawn.includes(`commcost-${now.said.tab}`);
    if (!tabShown()) return `the tab ${now.said.tab} is marked and not shown`;
    // Of the very first script a browser alone can say that it is none.
    if (page.errors.length > 0 && path !== "boot.js") return `uncaught: ${page.errors[0]}`;
    // Each of several parts may ask for a file that they share; none asks without end.
    const times = site.asked.filter((one) => one === path).length;
    if (times > from + 20) return `asked for ${times} times`;
    if (missing(now.drawn).length === 0) return undefined;
    // Without the very first script the page itself has to say it, and the browser to load it anew.
    const first = path === "boot.js" && /If this stays/.test(await page.place().locator("body").innerText());
    if (now.said.sentences.length === 0 && !first)
      return `silent; missing: ${missing(now.drawn).slice(0, 4).join(", ")}`;
    await elapse(page);
    const later = await state();
    if (!first && later.said.sentences.length === 0 && missing(later.drawn).length > 0) return "the sentence goes away";
    if (!first && !later.said.sentences.every((text) => text.length > 20)) return `says: ${later.said.sentences[0]}`;
    site.heal();
    if (first) await page.reload({ waitUntil: "commit" });
    else {
      // It goes by itself where the part comes meanwhile: what counts is what is there afterwards. On a busy machine it
      // moves for long, as what is above it is drawn.
      const button = page.place().getByRole("button", { name: "Try again" }).first();
      const atOnce = () => button.evaluate((it) => it.click(), undefined, { timeout: 1000 });
      await button.click({ timeout: 10_000 }).catch(() => atOnce().catch(() => {}));
    }
    const back = ({ drawn, said }) => missing(drawn).length === 0 && said.sentences.length === 0;
    now = await until(page, state, back, 200);
    if (!now || !back(now))
      return `not back: ${missing(now?.drawn ?? [])
        .slice(0, 4)
        .join(", ")}; says ${now?.said.sentences[0]}`;
    if (!tabShown()) return `back, the tab ${now.said.tab} is marked and not shown`;
    if (page.errors.length > 0 && path !== "boot.js") return `uncaught afterwards: ${page.errors[0]}`;
    return undefined;
  } finally {
    await page.context().close();
  }
}

/** The requests of a visit that no earlier one has; `rest` of the engine in all. */
async function casesOf(visit) {
  const good = await goodVisit(visit);
  const before = new Set();
  for (const other of visits.slice(0, visits.indexOf(visit)))
    for (const path of (await goodVisit(other)).asked) before.add(path);
  const counted = new Map();
  const requests = good.asked.map((path) => {
    counted.set(path, (counted.get(path) ?? 0) + 1);
    return { path, from: counted.get(path) };
  });
  return requests.filter(({ path }) => !before.has(path) || /rest-/.test(path));
}

for (const visit of visits) {
  const name = `${visit.name}: whichever file fails, the page says so, and a button brings it`;
  test(name, { tag: "@long" }, async () => {
    test.setTimeout(3_600_000);
    const requests = await casesOf(visit);
    const met = requests.flatMap((request, index) =>
      only.test(request.path) ? faultsOf(visit, index).map((fault) => ({ request, fault })) : [],
    );
    const troubles = [];
    for (const { request, fault } of met) {
      // A busy machine may seem still too early, in the good visit as well: wrong is what is wrong twice.
      const once = async () =>
        trouble(visit, await goodVisit(visit), request, fault).catch((error) => `the test itself: ${error}`);
      let wrong = await once();
      if (wrong) {
        goodOnes.delete(visit);
        wrong = await once();
      }
      if (wrong) troubles.push(`${request.path} ${fault}: ${wrong}`);
    }
    console.log(`${visit.name}: ${met.length} faults, ${troubles.length} of them wrong`);
    assert.deepEqual(troubles, []);
  });
}

let visited;
/** A browser that has visited the page once and has no network since. */
async function visitedOnce() {
  if (visited) return visited;
  site.heal();
  visited = await browser.newContext({ viewport: { width: 1280, height: 12000 }, serviceWorkers: "allow" });
  const page = await visited.newPage();
  await page.goto(site.address, { waitUntil: "commit" });
  const active = async () =>
    (await navigator.serviceWorker.ready) &&
    (await navigator.serviceWorker.getRegistration())?.active?.state === "activated";
  await page.waitForFunction(active);
  await page.close();
  await visited.setOffline(true);
  return visited;
}

/** One visit is enough: whatever it opens with is there again without a network, and so is a frame of the same host. */
for (const visit of visits) {
  const tag = visit.name === "first visit" || visit.name === "frame of a figure" ? [] : "@long";
  test(`${visit.name}: offline after one visit it is all there`, { tag }, async () => {
    const good = await goodVisit(visit);
    const page = await (await visitedOnce()).newPage();
    await page.goto(site.address + (visit.frame ?? visit.address), { waitUntil: "commit" });
    const missing = (drawn) => good.drawn.filter((mark) => !drawn.includes(mark));
    const drawn = await until(
      page,
      async () => (await stateOf(page.mainFrame())).drawn,
      (now) => missing(now).length === 0,
    );
    assert.deepEqual(missing(drawn ?? []), []);
    await page.close();
  });
}

test("an element whose script does not come leaves what stands between its tags", { tag: "@long" }, async () => {
  for (const fault of faults) {
    site.fail({ path: "commcost-element.js", fault });
    const tag = `<commcost-cost><p>A table of one's own.</p></commcost-cost>`;
    const other = await hostPage(
      site.address,
      tag,
      `import(${JSON.stringify(`${site.address}commcost-element.js`)}).catch(() => {});`,
    );
    const page = await open({ elsewhere: other.address });
    await page.getByText("A table of one's own.").waitFor();
    assert.deepEqual(page.errors, [], fault);
    await page.context().close();
    await other.stop();
  }
});

/** A thin sample, which every change must pass: a visit, one of its files, and what becomes of that. */
for (const [name, file, fault] of [
  ["link to plan", /training-.*wasm$/, "404"],
  ["link to ring", /ring-view-.*js$/, "wrong bytes"],
  ["frame of a figure", /^frame\/ring-figure-/, "cut"],
]) {
  test(`${name} without ${file.source} (${fault}): it is said, and a button brings it`, async () => {
    const visit = visits.find((one) => one.name === name);
    const good = await goodVisit(visit);
    const path = good.asked.find((one) => file.test(one));
    assert.ok(path, good.asked.join(" "));
    assert.equal(await trouble(visit, good, { path, from: 1 }, fault), undefined);
  });
}
