// One figure in an article: its size, its caption, its one control, and the link to the page with the same numbers.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { axeFindings, field, openPage, serve } from "./support/browser.mjs";
import { browser, host as site, hosted, others } from "./support/hosted.mjs";
import { hostPage } from "./support/host.mjs";
import { figureIds } from "./support/source.mjs";

hosted();

const names = await figureIds();

async function openArticle(body, options = {}) {
  const other = await hostPage(site.address, body, `await import("${site.address}commcost-element.js");`);
  others.push(other);
  return openPage(browser, other.address, {
    ready: "commcost-figure",
    hosts: [new URL(site.address).host],
    ...options,
  });
}

test("an author says what a figure shows: its step, whom it follows, its size and its caption", async () => {
  const page = await openArticle(
    `<commcost-figure id="ring" of="ring" num_gpus="8" step="7" watch="3" size="640" say="Half way"></commcost-figure>
    <commcost-figure id="cells" of="cells" step="2"></commcost-figure><commcost-figure id="small" of="ring" num_gpus="8" size="abc" watch="xyz"></commcost-figure>`,
    { viewport: { width: 900, height: 900 } },
  );
  const ring = page.locator("#ring");
  await ring
    .getByText(/round 7 of 14/)
    .last()
    .waitFor();
  assert.equal(await ring.locator("figcaption").first().innerText(), "Half way");
  await ring.getByText(/GPU 3/).first().waitFor();
  const high = async (of) =>
    (await page.locator(`${of} commcost-playback svg[role="img"]`).first().boundingBox()).height;
  await page.locator("#small").scrollIntoViewIfNeeded();
  await page.locator("#small svg[role=img]").first().waitFor();
  assert.ok((await high("#ring")) > 600 && (await high("#small")) < 320);
  // While it is read.
  await page.evaluate(() => (document.querySelector("#ring").step = 14));
  await ring
    .getByText(/round 14 of 14/)
    .last()
    .waitFor();
  await page.locator("#cells").scrollIntoViewIfNeeded();
  await expect(page.locator("#cells #told")).toHaveText(/^Rows: /);
  await page.done();
});

test("every figure stands alone: 300 to 420 px high in an article's column, one control, clean for axe", {
  tag: "@long",
}, async () => {
  const body = names.map((name) => `<commcost-figure of="${name}"></commcost-figure>`).join("");
  const page = await openArticle(body, { viewport: { width: 700, height: 900 } });
  for (const name of names) {
    const figure = page.locator(`commcost-figure[of="${name}"]`);
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('svg[role="img"]').first().waitFor();
    await expect(figure.locator("#told")).not.toBeEmpty();
    if (["layout", "front"].includes(name)) await expect(figure.locator("#told")).toHaveText(/quickest|fastest/i);
    const { height } = await figure.boundingBox();
    assert.ok(height >= 300 && height <= 420, `${name}: ${height} px`);
    assert.notEqual(await figure.locator("figcaption").first().innerText(), "");
    const control = name === "layout" ? '[role="radiogroup"]' : 'input[type="range"]';
    assert.equal(await figure.locator(control).count(), 1, name);
    assert.equal(await figure.getByRole("link").count(), 0, `${name}: no link without a base`);
  }
  assert.deepEqual(
    (await axeFindings(page)).filter((finding) => !finding.startsWith("region")),
    [],
  );
  await page.setViewportSize({ width: 360, height: 640 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  // This host's policy has no place for workers: the search of layouts runs in the page.
  assert.deepEqual(
    page.complaints().filter((complaint) => !/worker/i.test(complaint)),
    [],
  );
  await page.context().close();
});

test("its inputs are attributes, its control moves it, its link opens the page with these numbers", {
  tag: "@long",
}, async () => {
  const page = await openArticle(`<commcost-figure of="volume" num_gpus="4" base="${site.address}"></commcost-figure>`);
  const told = page.locator("#told");
  await expect(told).toHaveText(/^With 4\sGPUs each sends 201\sMB/);
  await page.getByRole("slider", { name: "GPUs in the group" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(told).toHaveText(/^With 2\sGPUs each sends 134\sMB/);
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: /^Open with these numbers/ }).click(),
  ]);
  await opened.locator("commcost-cost").waitFor();
  assert.equal(await field(opened, "tensor_parallel").inputValue(), "2");
  await page.locator("commcost-figure").evaluate((figure) => figure.setAttribute("num_gpus", "16"));
  await expect(told).toHaveText(/^With 16\sGPUs/);
  await page.done();
});

test("an unknown figure says what is allowed, and what was likely meant", { tag: "@long" }, async () => {
  const page = await openArticle(`<commcost-figure of="rign"></commcost-figure>`);
  const said = page.getByRole("alert");
  await expect(said).toHaveText(
    "There is no figure “rign”; did you mean ring? There are fit, knife, cells, matrices, guess, ring, volume, ideal, switch, cliff, hide, layout, cost, timeline or front.",
  );
  await page.locator("commcost-figure").evaluate((figure) => (figure.of = "layer"));
  await expect(page.locator("#told")).toHaveText(/^On 8\sGPUs a layer’s forward pass takes/);
  await page.locator("commcost-figure").evaluate((figure) => figure.removeAttribute("of"));
  await expect(page.getByRole("alert")).toHaveText(/^Say which figure: of="fit"/);
  await page.done();
});

test("cost, timeline and front show what their views show, over the same numbers", { tag: "@long" }, async () => {
  const inputs = 'model="llama-3.1-70b" system="dgx-h100" tensor_parallel="8"';
  const body = ["cost", "timeline", "front"].map(
    (name) => `<commcost-figure of="${name}" ${inputs}></commcost-figure>`,
  );
  const page = await openArticle(body.join(""), { viewport: { width: 700, height: 900 } });
  const told = (name) => page.locator(`commcost-figure[of="${name}"] #told`);
  const view = async (name) => {
    const link = `${site.address}#view=${name}&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=8`;
    return openPage(browser, link, { ready: `commcost-${name} figure` });
  };
  await expect(told("cost")).toHaveText(
    /^8\sGPUs, 160 all-reduces a forward pass: about .* \(.*\) on one DGX H100\snode/,
  );
  const cost = await view("cost");
  const [, expected] = (await told("cost").innerText()).match(/about (.*?) \(/);
  await expect(cost.locator(".headline")).toContainText(`about ${expected}`);
  await cost.done();

  const timeline = page.locator('commcost-figure[of="timeline"]');
  await timeline.scrollIntoViewIfNeeded();
  await expect(told("timeline")).toHaveText(/^8\sGPUs: a layer takes .* compute waits for .* \(\d+\s%\)\.$/);
  const overlap = await view("overlap");
  const bars = (where) => where.locator("commcost-lane-chart svg.drawing .bar").count();
  assert.ok((await bars(timeline)) > 10);
  assert.equal(await bars(timeline), await bars(overlap));
  await overlap.done();

  const front = page.locator('commcost-figure[of="front"]');
  await front.scrollIntoViewIfNeeded();
  await expect(told("front")).toHaveText(/^The fastest: .* of each of 64\sGPUs, as TP\s\d/, { timeout: 20_000 });
  const dots = (where) => where.locator("commcost-scatter-chart svg.drawing .fill-expected circle").count();
  const plan = await view("plan");
  await expect(async () => assert.equal(await dots(plan), await dots(front))).toPass();
  await plan.done();
  await page.context().close();
});

test("the front is walked by its slider: less memory, a longer step, and the link takes that layout along", {
  tag: "@long",
}, async () => {
  const page = await openArticle(
    `<commcost-figure of="front" base="${site.address}" model="llama-3.1-70b"></commcost-figure>`,
  );
  const told = page.locator("#told");
  await expect(told).toHaveText(/^The fastest/, { timeout: 20_000 });
  const slider = page.getByRole("slider", { name: "Memory to use" });
  const gib = async () => Number.parseFloat(await slider.getAttribute("aria-valuetext"));
  const most = await gib();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(told).toHaveText(/% longer than the fastest layout\.$/);
  assert.ok((await gib()) < most);
  const tensor = /TP (\d+)/.exec(await told.innerText())?.[1] ?? "1";
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: /^Open with these numbers/ }).click(),
  ]);
  await opened.locator("commcost-plan").waitFor();
  assert.equal(await field(opened, "tensor_parallel").inputValue(), tensor);
  await page.context().close();
});

/** A page whose Embed panel is open, and what it says. */
async function openPanel(link, options = {}) {
  const page = await openPage(browser, `${site.address}#${link}`, options);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Embed" }).click();
  const panel = page.locator("commcost-embed-code");
  return { page, panel, code: (title) => panel.getByRole("group", { name: title, exact: true }).innerText() };
}

test("the Embed panel previews what it gives: a figure, as wide and in the colours that are chosen", {
  tag: "@long",
}, async () => {
  const { page, panel, code } = await openPanel("view=learn&tensor_parallel=4", { ready: "commcost-learn" });
  const show = panel.getByLabel("Show");
  await expect(show).toBeFocused();
  await show.selectOption("cliff");
  await panel.getByLabel("Colours").selectOption("dark");
  await panel.getByLabel("Width").selectOption("360");
  await panel.getByLabel("readers cannot change inputs").check();
  const figure = panel.locator("commcost-figure");
  await expect(figure.locator("#told")).toHaveText(/^On 4\sGPUs a layer’s forward pass takes/);
  assert.ok((await figure.boundingBox()).width <= 360);
  const paper = panel.locator(".paper");
  assert.equal(await paper.evaluate((element) => getComputedStyle(element).backgroundColor), "rgb(21, 23, 26)");
  await expect(figure.getByRole("slider")).toBeDisabled();
  assert.match(
    await code("As an element"),
    /<commcost-figure of="cliff" base="http:[^"]*" readonly colors="dark"[^>]* tensor_parallel="4"><img src="commcost-cliff.svg" alt="[^"]+"><\/commcost-figure>/,
  );
  assert.match(
    await code("In a frame"),
    /embed\.html\?figure=cliff&#38;readonly=true&#38;colors=dark&#38;.*tensor_parallel=4"/,
  );
  assert.match(
    await code("A frame whose height follows"),
    /mount\("#commcost", \{ "figure": "cliff", "readonly": true, "colors": "dark",/,
  );

  // What is moved in the preview is its own; what is changed on the page is followed.
  await panel.getByLabel("readers cannot change inputs").uncheck();
  await figure.getByRole("slider").press("ArrowRight");
  await expect(figure.locator("#told")).toHaveText(/^On 8\sGPUs/);
  assert.match(await code("As an element"), /tensor_parallel="4"/);
  await page.locator(".under .held").press("ArrowLeft");
  await expect(figure.locator("#told")).toHaveText(/^On 2\sGPUs/);
  assert.match(await code("As an element"), /tensor_parallel="2"/);
  await page.setViewportSize({ width: 360, height: 640 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("the Embed panel previews a view: all of it, compact, its answer alone", { tag: "@long" }, async () => {
  const { page, panel, code } = await openPanel("view=cost&tensor_parallel=4");
  const shown = panel.locator("commcost-cost");
  const visible = (selector) => shown.locator(selector).locator("visible=true").count();
  await expect(shown.locator("[part~=headline]")).toBeVisible();
  await expect(async () => assert.ok((await visible("commcost-line-chart")) > 0)).toPass();
  await panel.getByLabel("Show").selectOption("compact");
  await expect(shown.locator("commcost-line-chart")).toHaveCount(0);
  assert.match(
    await code("As an element"),
    /<commcost-cost base="http[^"]*" compact[^>]* tensor_parallel="4"><\/commcost-cost>/,
  );
  await panel.getByLabel("Show").selectOption("answer");
  await expect(shown.locator("h2:visible")).toHaveCount(0);
  assert.deepEqual([await visible("[part~=headline]"), await visible("[part~=results]")], [1, 1]);
  assert.match(
    await code("As an element"),
    /<commcost-cost base="http[^"]*" parts="headline results"[^>]* tensor_parallel="4">/,
  );
  await page.done();
});

test("what the panel gives works as it is given: as an element, in a frame, by mount", { tag: "@long" }, async () => {
  const { page, panel, code } = await openPanel("view=cost&tensor_parallel=4");
  await panel.getByLabel("Show").selectOption("cost");
  const snippets = {};
  for (const title of ["As an element", "In a frame", "A frame whose height follows"])
    snippets[title] = await code(title);
  await page.done();
  for (const [title, snippet] of Object.entries(snippets)) {
    // The host's policy has no place for scripts within the page: mount's goes into a file of its own.
    const [, script = ""] = snippet.match(/<script type="module">([\s\S]*)<\/script>/) ?? [];
    const other = await hostPage(site.address, snippet.replace(/<script type="module">[\s\S]*<\/script>/, ""), script, {
      frames: true,
    });
    others.push(other);
    const opened = await openPage(browser, other.address, {
      ready: "iframe, commcost-figure",
      hosts: [new URL(site.address).host],
    });
    const where = title === "As an element" ? opened : opened.frameLocator("iframe");
    await expect(where.locator("commcost-figure #told")).toHaveText(/^4\sGPUs, 64 all-reduces/);
    // The picture that the author should put next to the page is not there: nothing else may be missing.
    const complaints = opened.complaints().filter((complaint) => !/404|commcost-cost\.svg|img-src/.test(complaint));
    assert.deepEqual(complaints, [], title);
    await opened.context().close();
  }
});

/** What a still says of figures that wait for their reader: it shows the answer. */
const answers = {
  fit: /^\d+ of 32 layers .*(No more fit|All of them fit)\./,
  cells: /^Rows: .* Neither is −2; their sum is\./,
  guess: /^Every GPU has the total/,
  hide: /^[\d.]+ (µs|ms) of [\d.]+ (µs|ms) hidden/,
};

test("a still says the same without scripts, on light and on dark paper", { tag: "@long" }, async () => {
  const body = names.map((name) => `<commcost-figure of="${name}" recompute="full"></commcost-figure>`).join("");
  const page = await openArticle(body, { viewport: { width: 700, height: 900 } });
  for (const name of names) {
    const figure = page.locator(`commcost-figure[of="${name}"]`);
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('svg[role="img"]').first().waitFor();
    if (["layout", "front"].includes(name)) await expect(figure.locator("#told")).toHaveText(/quickest|fastest/i);
    const still = await figure.evaluate((element) => element.still());
    assert.doesNotMatch(still, /<script|var\(|light-dark|undefined|NaN|<!--/, name);
    const read = await page.evaluate((text) => {
      const { documentElement: svg } = new DOMParser().parseFromString(text, "image/svg+xml");
      const within = (selector) => svg.querySelector(selector)?.textContent ?? "";
      return {
        name: svg.nodeName,
        title: within("title"),
        desc: within("desc"),
        style: within("style"),
        texts: svg.querySelectorAll("text").length,
      };
    }, still);
    assert.equal(read.name, "svg", name);
    assert.equal(read.title, await figure.locator("figcaption").first().innerText());
    const told = await figure.locator("#told").innerText();
    if (answers[name]) assert.match(read.desc, answers[name]);
    else assert.ok(told.startsWith(read.desc.slice(0, 30)), `${name}: ${read.desc}`);
    assert.match(read.style, /^@media \(prefers-color-scheme:dark\)\{\.commcost-0\{/);
    assert.ok(read.texts > 5, name);
    assert.ok(still.length < 60_000, `${name}: ${still.length} characters`);
    const dark = await figure.evaluate((element) => element.still("dark"));
    assert.ok(dark.includes("rgb(21, 23, 26)") && !dark.includes("@media"), name);
  }
  await page.context().close();
});

test("a figure's still is saved, and as an image has the colours of the reader's system", {
  tag: "@long",
}, async () => {
  const page = await openArticle(`<commcost-figure of="cost"></commcost-figure>`);
  await page.locator("commcost-figure svg[role=img]").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^Save as SVG/ }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "commcost-cost.svg");
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  await page.context().close();
  const folder = mkdtempSync(join(tmpdir(), "commcost-still-"));
  writeFileSync(join(folder, "still.svg"), Buffer.concat(chunks));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><title>still</title><meta name="color-scheme" content="light dark"><img src="still.svg" alt="still">`,
  );
  const other = await serve("/", folder);
  others.push(other);
  const corner = async (colorScheme) => {
    const shown = await openPage(browser, other.address, { ready: "img", colorScheme });
    const paper = await shown.locator("img").evaluate(async (image) => {
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.getContext("2d").drawImage(image, 0, 0);
      return [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)];
    });
    await shown.context().close();
    return paper;
  };
  assert.deepEqual(await corner("light"), [255, 254, 251]);
  assert.deepEqual(await corner("dark"), [21, 23, 26]);
});

test("what stands in the tag is shown until the figure is drawn, and where scripts never come", {
  tag: "@long",
}, async () => {
  const body = `<commcost-figure of="cost"><svg id="still" viewBox="0 0 40 10" role="img" aria-label="a still"></svg></commcost-figure>`;
  const silent = await hostPage(site.address, body, "");
  others.push(silent);
  const without = await openPage(browser, silent.address, { ready: "#still" });
  await expect(without.locator("#still")).toBeVisible();
  await without.done();

  const page = await openArticle(body);
  await expect(page.locator("#told")).not.toBeEmpty();
  await expect(page.locator("#still")).toBeHidden();
  await page.done();

  // Defined, but the engine is refused: the still stays, and it is said why.
  const other = await hostPage(site.address, body, `await import("${site.address}commcost-element.js");`);
  others.push(other);
  const context = await browser.newContext();
  const refused = await context.newPage();
  await refused.addInitScript(() => {
    WebAssembly.instantiate = () => Promise.reject(new Error("not here"));
  });
  await refused.goto(other.address);
  await refused
    .getByRole("alert")
    .getByText("The calculator did not load: WebAssembly did not start in this browser.")
    .waitFor();
  await expect(refused.locator("#still")).toBeVisible();
  await context.close();
});

test("an author says how many hints there are to an exercise", { tag: "@long" }, async () => {
  const exercise = (attributes) =>
    `<commcost-calculator exercise seed="3" level="1" ${attributes}></commcost-calculator>`;
  const script = `window.hints = []; addEventListener("hint", ({ detail }) => hints.push(detail.hints));`;
  for (const [attributes, allowed] of [
    ['hints="off"', 0],
    ['hints="2"', 2],
    ['hints="1" track="ring_rounds"', 1],
  ]) {
    const other = await hostPage(
      site.address,
      exercise(attributes),
      `${script} await import("${site.address}commcost-element.js");`,
    );
    others.push(other);
    const page = await openPage(browser, other.address, {
      ready: "commcost-calculator form",
      hosts: [new URL(site.address).host],
    });
    const hint = page.getByRole("button", { name: "Hint" });
    for (let given = 0; given < allowed; given++) await hint.click();
    await expect(hint).toHaveCount(0);
    assert.deepEqual(
      await page.evaluate(() => window.hints),
      Array.from({ length: allowed }, (_, index) => index + 1),
      attributes,
    );
    await page.done();
  }
});
