import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, openPage, outlast, serve } from "./support/browser.mjs";
import { browser, host as site, hosted, others } from "./support/hosted.mjs";
import { heard, hears, hostPage } from "./support/host.mjs";

hosted("/some/path/");

async function openHost(body, script, options = {}) {
  const other = await hostPage(site.address, body, script, { frames: true });
  others.push(other);
  return openPage(browser, other.address, { ready: "iframe", hosts: [new URL(site.address).host], ...options });
}

/** The frame comes to be as high as its content, which grows while parts come in. */
const exactHeight = async (page) => {
  await page.waitForFunction(() => document.querySelector("iframe").clientHeight > 500);
  const heights = async () => [
    await page.evaluate(() => document.querySelector("iframe").clientHeight),
    await page.frames()[1].evaluate(() => document.documentElement.scrollHeight),
  ];
  await expect.poll(async () => Math.abs((([outside, inside]) => outside - inside)(await heights()))).toBeLessThan(3);
};

for (const sandbox of [undefined, "allow-scripts"]) {
  test(`a frame's height follows its content${sandbox ? `, sandbox="${sandbox}"` : ""}, across origins`, {
    tag: "@long",
  }, async () => {
    const page = await openHost(
      `<iframe title="commcost" width="700" height="200" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${site.address}embed.html?num_gpus=4"></iframe>`,
      `import { followHeight } from "${site.address}commcost-embed.js"; followHeight(document.querySelector("iframe"));
       postMessage({ type: "commcost:height", v: 1, height: 5 }, "*");`,
    );
    const frame = page.frameLocator("iframe");
    await frame.locator("commcost-cost").waitFor();
    assert.equal(await frame.locator('[data-result="total_comm_time_ms"]').textContent(), "42.9497");
    await exactHeight(page);
    const before = page.frames()[1].url();
    await frame.getByText("Change the inputs").click();
    await frame.locator('[name="tensor_parallel"]').fill("16");
    await outlast(page.frames()[1], 300);
    assert.equal(page.frames()[1].url(), before, "a frame leaves its address alone");
    await page.done();
  });
}

/** A host that mounts a frame, keeps what it hears, and lets the test speak. */
const mounting = (options) => `import { mount } from "${site.address}commcost-embed.js";
  window.heard = [];
  window.mounted = mount("#here", ${options});
  for (const type of ["ready", "change", "exercise", "answer"]) {
    mounted.frame.addEventListener(type, (event) => heard.push({ type, detail: event.detail }));
  }`;

test("a mounted frame is sandboxed and named, follows its height, says what changes, and takes inputs", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<div id="here"></div>`,
    mounting(`{ title: "The ring", view: "ring", inputs: { ranks: 7 }, colors: "dark" }`),
  );
  const frame = page.frameLocator("iframe");
  await frame.locator("commcost-ring").waitFor();
  assert.equal(await page.locator("iframe").getAttribute("title"), "The ring");
  assert.match(await page.locator("iframe").getAttribute("sandbox"), /^allow-scripts/);
  await hears(page, "ready");
  await hears(page, "change");
  assert.equal((await heard(page, "change")).at(-1).inputs.ranks, 7);
  await exactHeight(page);
  assert.equal(await page.frames()[1].evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.evaluate(() => mounted.set({ ranks: 6, latency_us: "3 us" }));
  await hears(page, "change", 2);
  const { inputs, results } = (await heard(page, "change")).at(-1);
  assert.deepEqual([inputs.ranks, inputs.latency_us, results.rounds], [6, 3, 10]);
  // As typed by hand: what cannot be is a problem, what is unknown is left out.
  await page.evaluate(() => mounted.set({ ranks: "many", innerHTML: "<img>", algorithm: { toString: "no" } }));
  await hears(page, "change", 3);
  assert.equal((await heard(page, "change")).at(-1).problems[0].field, "ranks");
  await page.evaluate(() => mounted.remove());
  assert.equal(await page.locator("iframe").count(), 0);
  await page.done();
});

test("a frame poses an exercise and tells its host the answer", { tag: "@long" }, async () => {
  const page = await openHost(`<div id="here"></div>`, mounting(`{ view: "exercise", inputs: { seed: 5, level: 2 } }`));
  const frame = page.frameLocator("iframe");
  await frame.locator("commcost-exercise form").waitFor();
  await hears(page, "exercise");
  const [{ inputs }] = await heard(page, "exercise");
  const message = inputs.batch_size * inputs.sequence_length * inputs.hidden_size * inputs.bytes_per_element;
  await frame.locator("#answer_message_size_bytes").fill(String(message));
  await frame.locator("#answer_comm_volume_per_allreduce_bytes").fill(String(message));
  await page.keyboard.press("Enter");
  await hears(page, "answer");
  const [answer] = await heard(page, "answer");
  assert.deepEqual(answer.right.message_size_bytes, true);
  assert.equal(answer.correct, false);
  assert.deepEqual(await heard(page, "change"), [], "results are kept back");
  assert.deepEqual(
    (await axeFindings(page)).filter((finding) => !finding.startsWith("region")),
    [],
  );
  await page.done();
});

test("messages of others, of other versions and of another kind are nobody's", async () => {
  const page = await openHost(
    `<div id="here"></div><iframe id="stranger" title="A stranger" sandbox="allow-scripts" src="${site.address}embed.html?num_gpus=2&host=http://elsewhere.example"></iframe>`,
    mounting(`{ inputs: { num_gpus: 4 } }`),
  );
  const own = page.frameLocator("#here iframe");
  await own.locator("commcost-cost").waitFor();
  await hears(page, "change");
  const time = () => own.locator('[data-result="total_comm_time_ms"]').textContent();
  assert.equal(await time(), "42.9497");
  // The host: only its own frame counts, whatever others say and claim to be.
  await page
    .frames()
    .find((frame) => frame.url().includes("num_gpus=2"))
    .evaluate(() => {
      parent.postMessage({ type: "commcost:height", v: 1, height: 7777 }, "*");
      parent.postMessage({ type: "commcost:change", v: 1, detail: "forged" }, "*");
    });
  await page.evaluate(() => {
    postMessage({ type: "commcost:change", v: 1, detail: "forged" }, "*");
  });
  // Its own frame, but not a message of the protocol.
  await page
    .frames()
    .find((frame) => frame.url().includes("num_gpus=4"))
    .evaluate(() => {
      for (const message of [
        null,
        "commcost:change",
        { type: "commcost:change", v: 2, detail: "newer" },
        { type: "commcost:script", v: 1 },
        { type: "commcost:height", v: 1, height: "tall" },
      ])
        parent.postMessage(message, "*");
    });
  // The frame: only its parent counts, and that only from the origin that it has named.
  await page.evaluate(() => {
    const set = (num_gpus, v = 1) => ({ type: "commcost:set", v, inputs: { num_gpus } });
    document.querySelector("#stranger").contentWindow.postMessage(set(16), "*");
    for (const message of [null, "x", set(16, 2), { type: "commcost:set", v: 1, inputs: null }])
      mounted.frame.contentWindow.postMessage(message, "*");
  });
  await page
    .frames()
    .find((frame) => frame.url().includes("num_gpus=2"))
    .evaluate(() => {
      parent.frames[0].postMessage({ type: "commcost:set", v: 1, inputs: { num_gpus: 32 } }, "*");
      parent.frames[1].postMessage({ type: "commcost:set", v: 1, inputs: { num_gpus: 32 } }, "*");
    });
  for (const frame of page.frames()) await outlast(frame, 300);
  assert.equal(await time(), "42.9497");
  assert.equal(
    await page.frameLocator("#stranger").locator('[data-result="total_comm_time_ms"]').textContent(),
    "28.6331",
  );
  assert.ok(
    (await heard(page, "change")).every((detail) => typeof detail === "object" && detail.inputs.num_gpus === 4),
  );
  // What has come behind the answer may have made the frame higher meanwhile, others have not.
  assert.match(await page.evaluate(() => mounted.frame.style.height), /^[\d.]+px$/);
  assert.notEqual(await page.evaluate(() => mounted.frame.clientHeight), 7777);
  await page.done();
});

for (const sandbox of [undefined, "allow-scripts"]) {
  test(`a host that lets no other origin read its files shows its frame${sandbox ? `, sandbox="${sandbox}"` : ""}`, {
    tag: "@long",
  }, async () => {
    const strict = await serve("/", undefined, { cors: false });
    others.push(strict);
    const other = await hostPage(
      strict.address,
      `<iframe id="plain" title="plain" width="700" height="500" ${sandbox ? `sandbox="${sandbox}"` : ""} src="${strict.address}embed.html?view=ring&ranks=5"></iframe>`,
      "",
      { frames: true },
    );
    others.push(other);
    const page = await openPage(browser, other.address, { ready: "iframe", hosts: [new URL(strict.address).host] });
    await page.frameLocator("#plain").getByText("all-reduce of").first().waitFor();
    await page.done();
  });
}

test("a frame can be compact, locked, and of some parts alone, from the start and later", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<div id="here"></div>`,
    mounting(`{ compact: true, readonly: true, parts: "headline results", inputs: { num_gpus: 4 } }`),
  );
  const frame = page.frameLocator("iframe");
  const visible = (selector) => frame.locator(selector).locator("visible=true").count();
  await frame.locator("[part~=headline]").waitFor();
  await hears(page, "change");
  assert.equal(await frame.locator(".unknown").count(), 0);
  // Without its inputs, a line says what the answer is of.
  const subject = frame.locator(".open-full", { hasText: /4\s×\sA100.*\s·\s\d+\s×\s\d+\stokens/ });
  await subject.waitFor();
  assert.deepEqual([await visible("[part~=results]"), await visible("h2"), await visible("form")], [1, 0, 0]);
  await page.waitForFunction(() => document.querySelector("iframe").clientHeight < 500);
  assert.equal(
    await frame.locator("[part~=inputs] :is(input:not([readonly], [disabled]), select:not([disabled]))").count(),
    0,
  );
  await page.evaluate(() => mounted.set({ parts: "headline inputs chart", readonly: false, compact: false }));
  await frame.locator("[part~=results]").waitFor({ state: "hidden" });
  assert.ok((await visible("[part~=chart]")) > 0);
  await frame.getByText("Change the inputs").click();
  await frame.locator('[name="tensor_parallel"]').fill("2");
  await hears(page, "change", 2);
  await page.evaluate(() => mounted.set({ parts: "" }));
  await frame.locator("[part~=results]").waitFor();
  await expect.poll(() => visible("h2")).toBeGreaterThan(2);
  await subject.waitFor({ state: "detached" });
  await page.done();
});

test("a frame can show one figure, locked or not, and another later; it says what it shows once for each change", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<div id="here"></div>`,
    mounting(`{ figure: "cost", readonly: true, inputs: { num_gpus: 4, model: "llama-3.1-70b", system: "dgx-h100" } }`),
  );
  const frame = page.frameLocator("iframe");
  await frame.locator("#told").getByText("4 GPUs, 160 all-reduces").waitFor();
  await hears(page, "change");
  assert.equal((await heard(page, "change")).length, 1);
  await page.waitForFunction(() => document.querySelector("iframe").clientHeight < 470);
  assert.equal(await frame.getByRole("slider").isDisabled(), true);
  assert.equal(await frame.getByText("Open in commcost").count(), 0, "a figure has a link of its own");
  await page.evaluate(() => mounted.set({ readonly: false, num_gpus: 8 }));
  await frame.locator("#told").getByText("8 GPUs, 160").waitFor();
  await frame.getByRole("slider").press("ArrowLeft");
  await frame.locator("#told").getByText("4 GPUs, 160").waitFor();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    frame.getByRole("link", { name: /^Open with these numbers/ }).click(),
  ]);
  await opened.locator("commcost-cost").waitFor();
  assert.equal(new URL(opened.url()).pathname, "/some/path/index.html");
  assert.match(opened.url(), /model=llama-3\.1-70b&system=dgx-h100&.*tensor_parallel=4/);
  await page.evaluate(() => mounted.set({ figure: "rign" }));
  await frame.getByRole("alert").getByText("did you mean ring?").waitFor();
  await page.done();
});

test("a figure in a frame shows the step, the GPU and the caption that its host says, at first and later", async () => {
  const page = await openHost(
    `<div id="here"></div>`,
    mounting(`{ figure: "ring", step: 7, watch: 3, say: "Half way", size: 300, inputs: { num_gpus: 8 } }`),
  );
  const frame = page.frameLocator("iframe");
  const ring = () =>
    page.frames()[1].evaluate(() => {
      const found = (root, name) => {
        for (const one of root.querySelectorAll("*")) {
          if (one.localName === name) return one;
          const inner = one.shadowRoot && found(one.shadowRoot, name);
          if (inner) return inner;
        }
        return undefined;
      };
      const { step, watched, room } = found(document, "commcost-playback");
      return { step, watched, room };
    });
  await frame.locator("commcost-playback").waitFor();
  await frame.locator("figcaption").getByText("Half way", { exact: true }).waitFor();
  assert.deepEqual(await ring(), { step: 7, watched: 3, room: 300 });
  await hears(page, "ready");
  await page.evaluate(() => mounted.set({ step: 14, watch: 5, say: "<b>Done</b>" }));
  await frame.locator("figcaption").getByText("<b>Done</b>", { exact: true }).waitFor();
  await frame
    .getByText(/round 14 of 14/)
    .last()
    .waitFor();
  assert.deepEqual(await ring(), { step: 14, watched: 5, room: 300 });
  // Moved by hand meanwhile, it goes back to a step that is said once more, and stays where it is for any other word.
  const byHand = frame.locator("commcost-playback input[name=step]");
  await byHand.press("Home");
  await frame.getByText("before the first round").last().waitFor();
  await page.evaluate(() => mounted.set({ say: "Moved" }));
  await frame.locator("figcaption").getByText("Moved", { exact: true }).waitFor();
  assert.equal((await ring()).step, 0);
  await page.evaluate(() => mounted.set({ step: 14 }));
  await frame
    .getByText(/round 14 of 14/)
    .last()
    .waitFor();
  // What is no number, or is taken back, is as if it had never been said.
  await page.evaluate(() => mounted.set({ watch: "many", say: "", size: "" }));
  await frame.locator("figcaption").getByText("Moved").waitFor({ state: "detached" });
  assert.equal((await ring()).watched, 2);
  assert.equal(await frame.locator(".unknown").count(), 0);
  await page.done();
});

test("a frame's address may ask for a figure after its #, too", { tag: "@long" }, async () => {
  const page = await openHost(
    `<iframe title="commcost" sandbox="allow-scripts" width="700" height="460" src="${site.address}embed.html#figure=ring&tensor_parallel=6"></iframe>`,
    "",
  );
  const frame = page.frameLocator("iframe");
  await frame.locator("#told").getByText("6 GPUs: 2 · (6 − 1) = 10 rounds").waitFor();
  assert.equal(await frame.locator(".unknown").count(), 0);
  await page.done();
});

test("what a sandbox forbids to save or to copy is said", { tag: "@long" }, async () => {
  const page = await openHost(
    `<iframe title="commcost" sandbox="allow-scripts" width="900" height="900" src="${site.address}embed.html"></iframe>`,
    "",
  );
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: "Save JSON" }).click();
  await frame.getByText("Nothing saved? Then the page around this forbids it: open in commcost").waitFor();
  await frame.getByRole("button", { name: "Copy as Python" }).click();
  await frame
    .getByText(/not allowed here/)
    .first()
    .waitFor();
  await page.context().close();
});
