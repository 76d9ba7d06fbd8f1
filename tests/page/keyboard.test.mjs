import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { axeFindings, field, openPage, result, seeAll, site, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const dialog = (page) => page.locator("commcost-keys dialog");
/** What each tab opens, Practice apart: that is a page of its own. */
const views = ["learn", "exercise", "cost", "network", "plan", "serve", "diagnose"];

test("single keys switch views, pin, undo, and search the presets", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  for (const [index, view] of views.entries()) {
    await page.keyboard.press(String(index + 1));
    await page.locator(`commcost-${view}`).waitFor();
  }
  await page.keyboard.press("1");
  await page.keyboard.press("p");
  await page.locator("commcost-compare-bar section").waitFor();
  await page.keyboard.press("u");
  await page.locator("commcost-compare-bar section").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("70b llama 3.1");
  await page.keyboard.press("Enter");
  assert.equal(await field(page, "hidden_size").inputValue(), "8192");
  await page.done();
});

test("they wait while a field has the focus, and can be turned off for good", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await field(page, "tensor_parallel").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("2");
  assert.equal(await field(page, "tensor_parallel").inputValue(), "82");
  assert.equal(await page.locator("commcost-cost").count(), 1);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Keys" }).click();
  await dialog(page).getByLabel("Single-character keys").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  assert.equal(await page.locator("commcost-ring").count(), 0);
  await page.keyboard.press("Control+Z");
  assert.equal(await field(page, "tensor_parallel").inputValue(), "8");
  await page.reload();
  await page.locator("commcost-cost").waitFor();
  await page.keyboard.press("?");
  assert.equal(await dialog(page).getAttribute("open"), null);
  await page.done();
});

test("? opens the table of keys, each of which the page knows", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.keyboard.press("?");
  await dialog(page).waitFor();
  const listed = await dialog(page).locator("tbody tr").allInnerTexts();
  for (const text of ["Train", "Search the presets", "Undo", "These keys"])
    assert.ok(
      listed.some((row) => row.includes(text)),
      text,
    );
  assert.deepEqual(await axeFindings(page), []);
  await page.keyboard.press("Escape");
  assert.equal(await dialog(page).getAttribute("open"), null);
  await page.done();
});

test("presets are searched by any words, by keyboard alone", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=overlap`, { ready: "commcost-overlap" });
  await unfold(page, "GPU, node and network");
  const box = page.getByRole("combobox", { name: "GPU", exact: true });
  const options = async () => (await page.locator("[role=option]").allInnerTexts()).map((text) => text.split("\n")[0]);
  await box.focus();
  await page.keyboard.type("amd 256 gb");
  assert.deepEqual(await options(), ["MI325X"]);
  assert.equal(await box.getAttribute("aria-activedescendant"), "option-0");
  await box.fill("nvidia 141");
  assert.deepEqual(await options(), ["H200 SXM"]);
  await box.fill("google");
  assert.equal((await options()).length, 5);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await box.inputValue(), /^TPU/);
  assert.equal(await box.getAttribute("aria-expanded"), "false");
  const chosen = await box.inputValue();
  await box.fill("nothing like it");
  await page.getByText("No accelerator has all of these words").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await box.inputValue(), chosen, "Escape leaves all as it was");
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByRole("button", { name: /Change the scenario/ }).click();
  await unfold(page, "GPU, node and network");
  await box.click();
  assert.deepEqual(await axeFindings(page), []);
  const list = await page.getByRole("listbox").boundingBox();
  assert.ok(list.x >= 0 && list.x + list.width <= 360);
  await page.done();
});

test("a drawer’s form is made when it opens, and goes with it; a drawer that became a column opens again", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { ready: "commcost-cost" });
  const panel = page.locator("commcost-scenario");
  await page.setViewportSize({ width: 360, height: 700 });
  const opener = panel.getByRole("button", { name: /Change the scenario/ });
  await opener.waitFor();
  assert.equal(await panel.locator("form").count(), 0);
  await opener.focus();
  await page.keyboard.press("Enter");
  await panel.getByRole("dialog").getByLabel("Hidden size").waitFor();
  assert.ok(await panel.locator("dialog :focus").count(), "the focus is in it");
  await page.keyboard.press("Escape");
  await expect(panel.locator("form")).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press("Enter");
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(panel.locator("dialog")).toHaveCount(0);
  await panel.getByLabel("Hidden size").waitFor();
  await page.setViewportSize({ width: 360, height: 700 });
  await opener.click();
  await panel.getByRole("dialog").getByLabel("Hidden size").waitFor();
  await page.done();
});

test("a table’s explanations are one stop of the tab key; arrow keys lead from one to the next", {
  tag: "@long",
}, async () => {
  const page = await openPage(browser, `${host.address}#view=step`, { ready: "commcost-step" });
  await seeAll(page);
  const stops = () =>
    page.locator("commcost-step").evaluate((view) =>
      [...view.renderRoot.querySelectorAll("commcost-meaning")].map((name) => ({
        within: name.closest("table, dl") !== null,
        stop: name.renderRoot.querySelector(".name").tabIndex === 0,
      })),
    );
  await expect(async () => assert.ok((await stops()).length > 30)).toPass();
  const tables = await page
    .locator("commcost-step")
    .evaluate(
      (view) =>
        [...view.renderRoot.querySelectorAll("table, dl")].filter((table) => table.querySelector("commcost-meaning"))
          .length,
    );
  assert.equal((await stops()).filter(({ within, stop }) => within && stop).length, tables);
  assert.ok((await stops()).filter(({ within }) => !within).every(({ stop }) => stop));

  const names = page
    .locator("commcost-step dl, commcost-step table")
    .filter({ has: page.locator("commcost-meaning") })
    .first()
    .locator("commcost-meaning");
  await names.nth(0).getByRole("button").focus();
  await page.keyboard.press("ArrowRight");
  await expect(names.nth(1).getByRole("button")).toBeFocused();
  await expect(names.nth(1).getByRole("tooltip")).toBeVisible();
  await expect(names.nth(0).getByRole("tooltip")).toBeHidden();
  await expect(names.nth(0).getByRole("button")).toHaveAttribute("tabindex", "-1");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(names.nth(0).getByRole("button")).toBeFocused();
  await page.done();
});

test("what a number means is told on focus, hover and tap", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, { hasTouch: true });
  const name = page.locator("commcost-meaning", { hasText: "Total time" }).getByRole("button");
  const tip = page.locator("commcost-meaning", { hasText: "Total time" }).getByRole("tooltip");
  assert.equal(await tip.isVisible(), false);
  await name.focus();
  assert.equal(
    await tip.innerText(),
    "Time to send the total volume at the given bandwidth: no latency, no overlap; in milliseconds",
  );
  await page.keyboard.press("Escape");
  assert.equal(await tip.isVisible(), false);
  await page.getByRole("button", { name: "Copy link" }).focus();
  // While the page's clock stands still, however long the pointer takes on a busy machine is within its grace.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
  await name.hover();
  assert.equal(await tip.isVisible(), true);
  const [from, to] = [await name.boundingBox(), await tip.boundingBox()];
  await page.mouse.move(from.x + 8, from.y + from.height / 2);
  await page.mouse.move(to.x + 12, to.y + to.height / 2, { steps: 12 });
  assert.equal(await tip.isVisible(), true, "the pointer may move onto it");
  await page.clock.runFor(250);
  assert.equal(await tip.isVisible(), true, "and stay there");
  await page.clock.resume();
  await page.mouse.move(5, 5);
  await tip.waitFor({ state: "hidden" });
  await name.tap();
  assert.equal(await tip.isVisible(), true);
  const box = await tip.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 1280);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("units are chosen once and remembered, or not where storage is refused", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Units of sizes").selectOption("binary");
  assert.match(await page.locator("[data-expected]").innerText(), /14 GiB/);
  assert.equal(
    await result(page, "total_comm_volume_bytes").textContent(),
    "15032385536",
    "the exact number has no unit to choose",
  );
  await page.waitForFunction(() => location.hash.includes("units=binary"));
  await page.goto("about:blank");
  await page.goto(`${host.address}#view=cost`);
  await page.locator("commcost-cost").waitFor();
  assert.match(await page.locator("[data-expected]").innerText(), /14 GiB/);
  await page.goto(`${host.address}#view=network&units=decimal`);
  await page.locator("commcost-network").waitFor();
  assert.match(await page.locator(".headline").innerText(), /of 134.2 MB/);
  await page.done();
  const refused = await openPage(browser, "about:blank", { ready: "", hosts: [new URL(host.address).host] });
  await refused.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    }),
  );
  await refused.goto(`${host.address}#view=cost`);
  await refused.getByText("More", { exact: true }).click();
  await refused.getByLabel("Units of sizes").selectOption("decimal");
  assert.match(await refused.locator("[data-expected]").innerText(), /15.03 GB/);
  await refused.done();
});

test("formulas lead to their derivations on the hosted page alone", { tag: "@long" }, async () => {
  for (const [view, calculation, family] of [
    ["cost", "tensor_parallel_allreduce_cost", "exercise"],
    ["ring", "collective_cost", "collectives"],
    ["network", "predict_collective", "network"],
    ["overlap", "overlap_ratio", "overlap"],
    ["step", "communication_ledger", "ledger"],
    ["step", "model_sizes", "memory"],
    ["step", "training_step", "step"],
    ["plan", "plan", "plan"],
  ]) {
    const page = await openPage(browser, `${host.address}#view=${view}`, { ready: ".formula-link" });
    if (view === "step") await seeAll(page);
    await page.locator(`.formula-link[href$="#${calculation}"]`).first().waitFor();
    const addresses = await page.locator(".formula-link").evaluateAll((links) => links.map((link) => link.href));
    assert.ok(addresses.includes(`${host.address}formulas/${family}.html#${calculation}`), `${view}: ${addresses}`);
    for (const address of addresses) {
      const [path, anchor] = address.slice(host.address.length).split("#");
      assert.ok(readFileSync(site + path, "utf8").includes(`id="${anchor}"`), address);
    }
    await page.done();
  }
  for (const address of [`file://${site}commcost.html`, `${host.address}embed.html`]) {
    const page = await openPage(browser, `${address}#view=step`, { ready: "commcost-step" });
    await page.locator("commcost-step .headline").first().waitFor();
    assert.equal(await page.locator(".formula-link").count(), 0, address);
    await page.context().close();
  }
});

test("the round that the Ring stands on travels in the link", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${host.address}#view=ring&step=3`, { ready: "commcost-playback" });
  assert.match(await page.locator("commcost-playback figcaption").innerText(), /round 3 of 14/);
  await page.getByRole("button", { name: "A round forward" }).click();
  await page.waitForFunction(() => location.hash.includes("step=4"));
  await page.done();
});

test("every view says what a calibration changes in it", { tag: "@long" }, async () => {
  for (const [view, says] of [
    ["cost", "the four textbook numbers do not"],
    ["ring", "Nothing here follows it"],
    ["network", "The prediction follows it"],
    ["overlap", "Nothing here follows it"],
    ["step", "The step’s time follows it"],
    ["plan", "The search follows it"],
  ]) {
    const headline = async (hash) => {
      const page = await openPage(browser, `${host.address}#view=${view}${hash}`, { ready: `commcost-${view}` });
      const text =
        view === "training"
          ? await page.locator("commcost-step .headline").innerText()
          : await page.locator(".headline b").first().innerText();
      if (hash) await page.locator(".calibrated").getByText(says).waitFor();
      await page.done();
      return text;
    };
    const [before, after] = [
      await headline(""),
      await headline("&calibration=mine&latency_scale=3&bandwidth_scale=0.5"),
    ];
    assert.equal(before === after, !["cost", "network", "step"].includes(view), `${view}: ${before}, ${after}`);
  }
});
