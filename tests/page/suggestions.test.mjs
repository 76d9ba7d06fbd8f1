// What somebody mistypes is said with what they meant, alike in a link, a tag and a frame; the command has tests of its own.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { openPage } from "./support/browser.mjs";
import { browser, host as site, hosted } from "./support/hosted.mjs";
import { hostPage } from "./support/host.mjs";
import { load } from "./support/source.mjs";

const { nearest, didYouMean } = await load("state/suggest.ts");
const { allFields } = await load("state/fields.ts");
const engine = await loadEngine();
const names = [...allFields(engine).keys()];

hosted();

test("the nearest name is found for slips of the hand, and none for other words", () => {
  for (const [typed, meant] of [
    ["num_gpu", "num_gpus"],
    ["num-gpus", "num_gpus"],
    ["hiden_size", "hidden_size"],
    ["hidden_szie", "hidden_size"],
    ["HIDDEN SIZE", "hidden_size"],
    ["hidden", "hidden_size"],
    ["bandwith_gb_per_sec", "bandwidth_gb_per_sec"],
    ["num_laers", "num_layers"],
  ])
    assert.equal(nearest(typed, names), meant, typed);
  for (const typed of ["", "x", "mood", "constructor", "color", "hidden".repeat(100)])
    assert.equal(nearest(typed, names), undefined, typed);
  assert.equal(nearest("llama-3.1-70", ["llama-2-70b", "llama-3.1-70b", "llama-3.1-8b"]), "llama-3.1-70b");
  assert.equal(nearest("llama70b", ["llama-2-70b", "llama-3.1-70b", "llama-3.1-8b"]), "llama-3.1-70b");
  assert.equal(nearest("llama-9", ["llama-2-70b", "llama-3.1-8b"]), undefined);
  assert.equal(nearest("fp4", ["bf16", "fp16", "fp8", "mxfp8", "nvfp4"]), "nvfp4");
  // A letter for a digit is a slip, another digit another thing.
  assert.equal(nearest("fpb", ["fp8"]), "fp8");
  assert.equal(nearest("fp4", ["fp8"]), undefined);
  // Two neighbours in the wrong order are one slip, as near as one letter.
  assert.equal(nearest("pnig", ["ping"]), "ping");
  // Letters of another word at the same places are no slip.
  assert.equal(nearest("stream", ["sprout"]), undefined);
  assert.equal(nearest("tokens", ["batch_size"]), undefined);
  // Punctuation is what is forgotten first: a digit less in another name is no nearer.
  assert.equal(nearest("llama-31-70b", ["llama-3-70b", "llama-3.1-70b"]), "llama-3.1-70b");
  assert.equal(didYouMean("pln", ["cost", "plan"]), "; did you mean plan?");
  assert.equal(didYouMean("elephant", ["cost", "plan"]), "");
});

test("every name with one letter left out has that name nearest, or another that is one letter away", () => {
  for (const name of names.filter(({ length }) => length > 3)) {
    for (let at = 0; at < name.length; ++at) {
      const typed = name.slice(0, at) + name.slice(at + 1);
      const found = nearest(typed, names);
      assert.ok(found === name || Math.abs(found.length - typed.length) <= 1, `${typed}: ${found}`);
    }
  }
});

test("a link says what was likely meant by a name, a preset, a view and a choice", async () => {
  const page = await openPage(
    browser,
    `${site.address}#num_gpu=4&model=llama-3.1-70&view=netwrk&colors=drak&algorithm=rng`,
  );
  assert.equal(
    await page.locator(".unknown").textContent(),
    "The link also says num_gpu (did you mean num_gpus?), which this page does not know. colors cannot be “drak”; did you mean dark? " +
      "There is no model “llama-3.1-70”; did you mean llama-3.1-70b? There is no view “netwrk”; did you mean network? " +
      "What is unknown was left out. The link gives values that cannot be: algorithm=rng (did you mean ring?).",
  );
  await page.done();
});

/** Another page with `body`; its warnings are collected. */
async function openHost(body, options) {
  const host = await hostPage(site.address, body, `await import("${site.address}commcost-element.js");`, options);
  const page = await openPage(browser, host.address, { ready: null, hosts: [new URL(site.address).host] });
  const warnings = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  return { page, warnings, stop: () => page.done().then(host.stop) };
}

test("a link that names a calibration of another browser says so", async () => {
  const page = await openPage(browser, `${site.address}#view=network&calibration=zzz`, { ready: "commcost-network" });
  await page.getByText("There is no calibration “zzz” in this browser.").waitFor();
  await page.done();
});

test("a tag says what it does not understand to readers and authors, until it is put right", async () => {
  const { page, warnings, stop } = await openHost(
    `<commcost-cost model="llama-9" num_gpu="4" id="a" class="wide" data-num_gpu="1" compact></commcost-cost>`,
  );
  const note = page.locator("commcost-cost .author");
  const said =
    "The tag also says num_gpu (did you mean num_gpus?), which this page does not know. There is no model “llama-9”. What is unknown was left out.";
  await note.waitFor();
  assert.equal(await note.textContent(), said);
  assert.deepEqual(
    warnings.filter((text) => text.startsWith("<commcost")),
    [`<commcost-cost>: ${said}`],
  );
  await page.evaluate(() => {
    const tag = document.querySelector("commcost-cost");
    tag.removeAttribute("num_gpu");
    tag.setAttribute("model", "llama-3.1-70b");
  });
  await note.waitFor({ state: "detached" });
  await page.evaluate(() => document.querySelector("commcost-cost").setAttribute("hiden_size", "4"));
  await page.getByText("hiden_size (did you mean hidden_size?)").waitFor();
  await stop();
});

test("what all tags may have, and what frameworks put on them, is no slip", async () => {
  const usual = `id="a" title="A" lang="en" dir="ltr" slot="s" hidden="false" tabindex="0" role="group" aria-label="A" class="b" is="x" nonce="n"
    part="p" exportparts="chart" data-x="1" data-v-7ba5bd90="" _ngcontent-abc-c1="" ng-version="17" v-cloak x-data="{}" width="100" height="100" name="n"
    align="left" key="k" ref="r" theme="t" size="3" type="a" value="b" alt="c" src="d"`;
  const { page, warnings, stop } = await openHost(
    `<commcost-calculator ${usual} compact readonly exercise colors="dark" seed="4" level="2" tolerance_percent="1" units="binary"></commcost-calculator>
     <commcost-plan num_gpus="16" cluster_gpus="16" gives_way="data_parallel" serving_recipe="vllm"></commcost-plan>`,
    { workers: true },
  );
  await page.locator("commcost-plan [part~=headline]").first().waitFor();
  assert.deepEqual(
    warnings.filter((text) => text.startsWith("<commcost")),
    [],
  );
  assert.equal(await page.locator(".author").count(), 0);
  await stop();
});

test("a frame says the same as a link", async () => {
  const { page, stop } = await openHost(
    `<iframe title="f" sandbox="allow-scripts" src="${site.address}embed.html?view=ring&rank=7"></iframe>`,
    { frames: true },
  );
  await page.frameLocator("iframe").getByText("rank (did you mean ranks?)").waitFor();
  await stop();
});
