// An answer belongs to what was asked: until there is another, the last one is dimmed and named, and its search can be ended.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { field, openPage, seeAll } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const job = "v=3&model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&global_batch_size=1024";
const other = "model=llama-3.1-405b&cluster_gpus=512";
const lastOne = /Below is the last answer: Llama\s3\.1\s70B\s·\s64\s×\sH100\s\(8\s×\sDGX\sH100\)\s·.*1024\s×\s2048/;
const open = (view, options = {}) =>
  openPage(browser, `${host.address}#view=${view}&${job}`, { ready: `commcost-${view} .headline b`, ...options });
const finished = (page) => page.getByText(/on this machine/).waitFor();

/**
 * Asks something else, and answers what is said before anything can have been found: an edit is drawn before the search for
 * it begins. `press` are buttons that are pressed then, one after the other.
 */
const asked = (page, view, query, press = []) =>
  page.evaluate(
    async ([view, query, press]) => {
      const app = document.querySelector("commcost-app");
      const shown = app.renderRoot.querySelector(`commcost-${view}`);
      const drawn = async () => {
        await app.updateComplete;
        await shown.updateComplete;
      };
      const read = (root, selector) =>
        root.querySelector(selector)?.textContent.replace(/\s+/g, " ").trim().replaceAll("\u00a0", " ") ?? "";
      app.take(query);
      await drawn();
      const buttons = () => [
        ...app.renderRoot.querySelectorAll("button"),
        ...shown.renderRoot.querySelectorAll("button"),
      ];
      const seen = () => ({
        headline: read(shown.renderRoot, ".headline"),
        question: read(shown.renderRoot, "[data-question]"),
        says: `${read(app.renderRoot, ".answers")} ${read(shown.renderRoot, ".sought")}`,
        dimmed: shown.closest(".stale") !== null || shown.renderRoot.querySelector(".answer").matches(".stale"),
        figure: shown.closest(".stale") !== null || shown.renderRoot.querySelector(".figure").matches(".stale"),
        bar: app.renderRoot.querySelector("progress") !== null || shown.renderRoot.querySelector("progress") !== null,
        buttons: buttons().map(({ textContent }) => textContent.trim()),
      });
      const states = [seen()];
      for (const name of press) {
        buttons()
          .find(({ textContent }) => textContent.trim() === name)
          .click();
        await drawn();
        states.push(seen());
      }
      return states;
    },
    [view, query, press],
  );

for (const view of ["plan", "step", "overlap", "record"])
  test(`${view}: after an edit the last answer is dimmed and named, and the search can be ended and taken up again`, async () => {
    const page = await open(view);
    if (view === "plan") await finished(page);
    const headline = page.locator(`commcost-${view} .headline`).first();
    const before = (await headline.innerText()).replace(/\s+/g, " ");
    const [edited, cancelled, again] = await asked(page, view, other, ["Cancel", "Search again"]);
    for (const state of [edited, cancelled, again]) {
      assert.equal(state.headline, before, "what was answered, in its own words");
      assert.match(state.says, lastOne);
      assert.ok(state.dimmed && state.figure);
      if (view === "record") assert.match(state.question, /trains Llama 3\.1 70B fastest on 64 GPUs/);
    }
    assert.ok(edited.bar && edited.buttons.includes("Cancel"));
    assert.match(edited.says, /Searching/);
    assert.match(cancelled.says, /Cancelled/);
    assert.ok(!cancelled.bar && !cancelled.buttons.includes("Cancel"));
    assert.ok(again.bar && !again.buttons.includes("Search again"));
    await expect(headline).not.toHaveText(before, { timeout: 120_000 });
    await expect(page.locator(`commcost-${view} .answer`)).not.toHaveClass(/stale/);
    await expect(page.locator("#main")).not.toHaveClass(/stale/);
    await expect(page.getByText(lastOne)).toHaveCount(0, { timeout: 120_000 });
    if (view === "record") await expect(page.locator("[data-question]")).toContainText("Llama 3.1 405B");
    await page.done();
  });

/**
 * Every line of a view that is dimmed while another answer is sought, its charts' and tables' too, before an edit, right after
 * it, and once the search is cancelled: an edit is drawn before the search for it begins. How far a search is changes, of course.
 */
const dimmedLines = (page, view, query) =>
  page.evaluate(
    async ([view, query]) => {
      const app = document.querySelector("commcost-app");
      const shown = app.renderRoot.querySelector(`commcost-${view}`);
      const inside = (root) =>
        [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? inside(one.shadowRoot) : [])]);
      const drawn = async () => {
        await app.updateComplete;
        await shown.updateComplete;
        // What is out of sight would wait until the reader pauses.
        for (const part of inside(shown.renderRoot).filter(({ localName }) => localName === "commcost-seen-part"))
          part.whenSeen.draw();
        for (let turns = 0; turns < 4; turns++) for (const one of inside(shown.renderRoot)) await one.updateComplete;
      };
      const skipped = "style, script, .progress";
      const read = (node, lines) => {
        if (node.nodeType === Node.TEXT_NODE) {
          const text = node.data.replace(/\s+/g, " ").trim();
          if (text) lines.push(text);
        } else if (node.nodeType !== Node.ELEMENT_NODE || !node.matches(skipped))
          for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) read(child, lines);
        return lines;
      };
      const lines = () =>
        [...shown.renderRoot.querySelectorAll(".answer, .unders, .figure, .rest")].flatMap((part) => read(part, []));
      await drawn();
      const before = lines();
      app.take(query);
      await drawn();
      const edited = lines();
      const buttons = [...app.renderRoot.querySelectorAll("button"), ...shown.renderRoot.querySelectorAll("button")];
      buttons.find(({ textContent }) => textContent.trim() === "Cancel").click();
      await drawn();
      return { before, edited, cancelled: lines() };
    },
    [view, query],
  );

for (const view of ["plan", "step", "overlap", "record"])
  for (const query of ["system=dgx-b200", "cluster_gpus=128", "model=llama-3.1-405b&cluster_gpus=512"])
    test(`${view}: nothing of the last answer becomes what is asked, after ${query}`, async () => {
      const page = await open(view);
      if (view === "plan") await page.locator("[data-machines][aria-busy=false]").waitFor();
      if (view !== "record") await seeAll(page);
      const { before, edited, cancelled } = await dimmedLines(page, view, query);
      assert.ok(before.length > 20);
      assert.deepEqual(edited, before);
      assert.deepEqual(cancelled, before);
      await page.done();
    });

test("plan: numbers of GPUs of the last answer are dimmed and named until all others are searched", async () => {
  const page = await open("plan");
  await finished(page);
  const section = page.getByRole("region", { name: "Strong scaling" });
  await expect(section).not.toHaveClass(/stale/);
  const lever = page.locator("commcost-plan .levers commcost-line-chart").last();
  const told = await lever.locator("figcaption").innerText();
  await page.locator("commcost-plan").evaluate((view) => {
    view.progress = { ...view.progress, state: "counts", scaling: [] };
  });
  await expect(section).toHaveClass(/stale/);
  await expect(section).toContainText(/Below is the last answer: Llama\s3\.1\s70B/);
  await expect(lever).toHaveClass(/stale/);
  assert.notEqual(await lever.locator("figcaption").innerText(), told);
  await page.done();
});

test("plan: inputs that are wrong leave the last answer dimmed and named, in its own words", async () => {
  const page = await open("plan");
  await finished(page);
  const headline = page.locator("commcost-plan .headline").first();
  const before = await headline.innerText();
  await field(page, "cluster_gpus").fill("0");
  await page.locator("#field-cluster_gpus-note").getByText("GPUs: enter 1 or more, not 0").waitFor();
  await expect(page.locator("commcost-plan .answer")).toHaveClass(/stale/);
  await expect(page.locator("commcost-plan .wrong")).toContainText(lastOne);
  assert.equal(await headline.innerText(), before);
  await page.done();
});

for (const [view, name, job] of [
  ["cost", "num_layers", /Llama\s2\s7B\s·\s64\s×\sA100/],
  ["network", "message_size_bytes", /Llama\s2\s7B\s·\s64\s×\sA100/],
  ["serve", "output_tokens", /Llama\s2\s7B\s·\s8\s×\sA100.*1,024\stokens\sin,\s256\sout/],
])
  test(`${view}: inputs that are wrong leave the last answer dimmed and named, in its own words`, async () => {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: `commcost-${view} .headline b` });
    const headline = page.locator(`commcost-${view} .headline`).first();
    const before = await headline.innerText();
    await field(page, name).fill("many");
    await expect(page.locator(`commcost-${view} .wrong .stale-note`)).toHaveText(job);
    await expect(page.locator(`commcost-${view} .frame > .answer`)).toHaveClass(/stale/);
    // Another machine is no answer either, while that is wrong.
    await page.evaluate(() => document.querySelector("commcost-app").take("system=dgx-h200"));
    assert.equal(await headline.innerText(), before);
    await expect(page.locator(`commcost-${view} .wrong .stale-note`)).toHaveText(job);
    await field(page, name).fill("64");
    await expect(page.locator(`commcost-${view} .frame > .answer`)).not.toHaveClass(/stale/);
    await expect(headline).not.toHaveText(before);
    await page.done();
  });
