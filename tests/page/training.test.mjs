import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { axeFindings, choosePreset, field, openPage, seeAll, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

async function open(state = "", options = {}) {
  const page = await openPage(browser, `${host.address}#view=step${state && `&${state}`}`, {
    ready: "commcost-step .headline",
    ...options,
  });
  await seeAll(page);
  return page;
}
const rows = (page, dimension) => page.locator(`commcost-step .ledger tr[data-dimension="${dimension}"]`);

test("attention and MLP send the same, forward and backward", { tag: "@long" }, async () => {
  const page = await open("data_parallel=1");
  const cells = await rows(page, "tensor").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent)),
  );
  assert.equal(cells.length, 4);
  assert.equal(
    new Set(cells.map((row) => row.slice(4, 9).join("|"))).size,
    1,
    "same collective, group, message, calls, bytes",
  );
  await page.done();
});

test("sequence parallelism doubles the calls and moves the same bytes", { tag: "@long" }, async () => {
  const page = await open("data_parallel=1&vocab_size=0&biases=false&regather_input=false");
  const sent = page.locator('[data-result="sent_bytes_per_gpu"]');
  const before = await sent.textContent();
  await unfold(page, "Schedule, ZeRO, sequence");
  await field(page, "sequence_parallel").selectOption("true");
  await seeAll(page);
  await expect(rows(page, "tensor")).toHaveCount(8);
  assert.equal(await sent.textContent(), before);
  await page.done();
});

test("experts lie over tensor ranks too, each on one of them", { tag: "@long" }, async () => {
  const page = await open(
    "model=mixtral-8x7b&tensor_parallel=4&sequence_parallel=true&data_parallel=2&expert_parallel=8&expert_tensor_parallel=1&gives_way=cluster_gpus",
  );
  await page.getByText("EP 8 · ETP 1").first().waitFor({ state: "attached" });
  await unfold(page, "Schedule, ZeRO, sequence");
  const gathered = async () =>
    (await rows(page, "tensor").allTextContents()).filter((text) => text.toLowerCase().includes("mlp")).length;
  assert.equal(await gathered(), 0, "no tensor rank has a part of an expert to add up");
  await field(page, "expert_parallel").fill("2");
  await field(page, "expert_tensor_parallel").fill("0");
  await seeAll(page);
  await rows(page, "tensor").getByText(/mlp/i).first().waitFor();
  assert.ok((await gathered()) > 0);
  await field(page, "expert_tensor_parallel").fill("3");
  await page.getByRole("alert").getByText("ETP must be a divisor of MLP width (14,336), not 3").waitFor();
  await page.done();
});

test("a layout that cannot be says every reason, each at its field", { tag: "@long" }, async () => {
  const page = await open();
  await field(page, "tensor_parallel").fill("7");
  await field(page, "pipeline_parallel").fill("64");
  await field(page, "expert_parallel").fill("4");
  const alert = page.getByRole("alert").first();
  await alert.getByText("TP must be a divisor of attention heads (32), not 7").waitFor();
  await alert.getByText("PP must be at most layers (32), not 64").waitFor();
  await alert.getByText("EP must be 1 for a model without experts, not 4").waitFor();
  assert.equal(await field(page, "tensor_parallel").getAttribute("aria-invalid"), "true");
  assert.ok((await page.locator("commcost-step .ledger").count()) === 1, "the last ledger stays");
  await page.done();
});

test("an old link to a step that serves opens Serve, at its degrees and batch", { tag: "@long" }, async () => {
  const page = await openPage(
    browser,
    `${host.address}#view=training&mode=decode&model=llama-3.1-70b&system=dgx-h200&tensor_parallel=4&batch_size=16`,
    { ready: "commcost-serve .headline" },
  );
  await page.getByText("for each of 16 sequences at TP 4:").waitFor();
  await page.done();
});

test("a pipeline has one bubble, in its facts and under its picture", { tag: "@long" }, async () => {
  const page = await open("tensor_parallel=1&pipeline_parallel=8&data_parallel=1&batch_size=1&global_batch_size=32");
  const share = (await page.locator('[data-fact="bubble_percent"]').textContent()).trim();
  const picture = page.getByText("The gaps are the bubble: ").first();
  await picture.waitFor();
  assert.ok((await picture.textContent()).includes(`, ${share} of the step`), share);
  await page.locator("[data-stage-waits]").waitFor();
  await page.done();
});

// Llama 70B over 8 stages alone, four micro-batches of 4,096 tokens: an end of the line sends 268.4 MB over one
// boundary, an inner stage as much over each of two.
test("stages stand side by side, and the one that sends most is the one that does", async () => {
  const page = await open(
    "model=llama-3.1-70b&system=dgx-h100&cluster_gpus=8&tensor_parallel=1&pipeline_parallel=8&data_parallel=1&batch_size=1&global_batch_size=4&sequence_length=4096",
  );
  const together = page.locator("commcost-step .stages tfoot td");
  assert.deepEqual(
    await together.evaluateAll((cells) => cells.map((cell) => [cell.dataset.stage, cell.textContent, cell.className])),
    [
      ["first", "268.4 MB", ""],
      ["inner", "536.9 MB", "most"],
      ["last", "268.4 MB", ""],
    ],
  );
  const lead = (await page.locator("commcost-step .lead").textContent()).replace(/\s+/g, " ");
  assert.match(lead, /^The inner stages send most: 536\.9 MB from each GPU in a step, 100 % of it for pipeline/);
  assert.match(await page.locator("commcost-step .ledger tfoot").textContent(), /a GPU of the inner stages\s*sends/);
  await page.getByText("Sent by each GPU of the last stage, which takes longest.").waitFor();
  await field(page, "global_batch_size").fill("8");
  await field(page, "pipeline_parallel").fill("1");
  await seeAll(page);
  await page.locator("commcost-step .stages").waitFor({ state: "detached" });
  await page.done();
});

test("stages whose totals read the same send most together", async () => {
  const page = await open(
    "model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&tensor_parallel=4&pipeline_parallel=4&data_parallel=4&batch_size=1&global_batch_size=128&sequence_length=4096",
  );
  const lead = (await page.locator("commcost-step .lead").textContent()).replace(/\s+/g, " ");
  assert.match(lead, /^The first and last stages send most: 276\.7 GB from each GPU/);
  await page.done();
});

test("the ledger is saved as CSV under the engine's own names", { tag: "@long" }, async () => {
  const page = await open();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Ledger as CSV" }).click(),
  ]);
  const text = await readFile(await saved.path(), "utf8");
  assert.match(
    text.split("\r\n")[0],
    /^dimension,phase,part,payload,collective,group_size,message_size_bytes,calls,sent_bytes_per_gpu/,
  );
  assert.equal(text.trim().split("\r\n").length, 1 + (await page.locator("commcost-step .ledger tbody tr").count()));
  await page.done();
});

test("A2's rules of thumb are exact for the shape that it counts", { tag: "@long" }, async () => {
  const page = await open("ffn_hidden_size=16384&gated_mlp=true&tied_embeddings=true");
  const cell = (thing, index) => page.locator(`tr[data-thing="${thing}"] td`).nth(index);
  assert.equal(await cell("attention", 0).textContent(), await cell("attention", 3).textContent());
  assert.equal(await cell("mlp", 4).textContent(), "exact");
  await page.done();
});

test("a model's preset fills its whole shape", { tag: "@long" }, async () => {
  const page = await open();
  await choosePreset(page, "Model", "deepseek v3");
  assert.equal(await page.locator('[data-fact="parameters"]').textContent(), "671 billion");
  await page.done();
});

test("nothing that axe finds, no sideways scrolling, wide and narrow, light and dark", {
  tag: "@long",
}, async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      const page = await open("pipeline_parallel=4&zero_stage=1", { colorScheme, viewport: { width, height: 900 } });
      assert.deepEqual(await axeFindings(page), [], `${colorScheme} ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
      await page.done();
    }
  }
});
