import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { choosePreset, field, goTo, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const undo = (page) => page.getByRole("button", { name: "Undo" });
const redo = (page) => page.getByRole("button", { name: "Redo" });
const value = (page, name) => field(page, name).inputValue();

test("takes changes back and brings them again; edits of one field are one change", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  assert.ok(await undo(page).isDisabled());
  await field(page, "tensor_parallel").fill("");
  await field(page, "tensor_parallel").pressSequentially("128");
  await field(page, "num_layers").fill("80");
  await choosePreset(page, "Model", "llama 3.1 70b");
  assert.equal(await value(page, "hidden_size"), "8192");
  await undo(page).click();
  assert.deepEqual(
    [await value(page, "hidden_size"), await value(page, "num_layers"), await value(page, "tensor_parallel")],
    ["4096", "80", "128"],
  );
  assert.equal(await page.getByRole("combobox", { name: "Model" }).inputValue(), "Llama 2 7B");
  await undo(page).click();
  await undo(page).click();
  assert.deepEqual([await value(page, "num_layers"), await value(page, "tensor_parallel")], ["32", "8"]);
  assert.ok(await undo(page).isDisabled());
  for (let times = 0; times < 3; times++) await redo(page).click();
  assert.equal(await value(page, "hidden_size"), "8192");
  assert.ok(await redo(page).isDisabled());
  await undo(page).click();
  await field(page, "tensor_parallel").fill("4");
  assert.ok(await redo(page).isDisabled(), "a new change leaves nothing to bring again");
  await page.done();
});

test("a reset, a pin and a swap are taken back as well", async () => {
  const page = await openPage(browser, `${host.address}#num_gpus=16`);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Reset" }).click();
  assert.equal(await value(page, "tensor_parallel"), "8");
  await undo(page).click();
  assert.equal(await value(page, "tensor_parallel"), "16");
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await field(page, "tensor_parallel").fill("32");
  await page.getByRole("button", { name: "Swap" }).click();
  assert.equal(await value(page, "tensor_parallel"), "16");
  await undo(page).click();
  assert.equal(await value(page, "tensor_parallel"), "32");
  await undo(page).click();
  await undo(page).click();
  assert.equal(await page.locator("commcost-compare-bar section").count(), 0);
  await page.done();
});

test("Ctrl+Z undoes; within text it is the text's own", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await field(page, "tensor_parallel").fill("16");
  await field(page, "num_layers").fill("40");
  await page.keyboard.press("Control+Z");
  assert.equal(await value(page, "num_layers"), "32", "the browser's own undo of the text");
  assert.equal(await value(page, "tensor_parallel"), "16");
  await field(page, "num_layers").fill("40");
  await page.getByRole("button", { name: "Copy link" }).focus();
  await page.keyboard.press("Control+Z");
  assert.equal(await value(page, "num_layers"), "32");
  await page.keyboard.press("Control+Z");
  assert.equal(await value(page, "tensor_parallel"), "8");
  await page.keyboard.press("Control+Shift+Z");
  assert.equal(await value(page, "tensor_parallel"), "16");
  await page.done();
});

test("Back goes to the view before, and what it takes away can be undone", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const settled = (part) => page.waitForFunction((wanted) => location.hash.includes(wanted), part);
  await field(page, "tensor_parallel").fill("16");
  await settled("tensor_parallel=16");
  const length = await page.evaluate(() => history.length);
  await field(page, "tensor_parallel").fill("32");
  await settled("tensor_parallel=32");
  assert.equal(await page.evaluate(() => history.length), length, "typing makes no history");
  await goTo(page, "network");
  await settled("view=network");
  await field(page, "tensor_parallel").fill("64");
  await settled("tensor_parallel=64");
  await page.goBack();
  await page.locator("commcost-cost").waitFor();
  assert.equal(await value(page, "tensor_parallel"), "32");
  await undo(page).click();
  assert.equal(await value(page, "tensor_parallel"), "64");
  await page.done();
});
