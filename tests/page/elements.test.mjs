import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, openPage, result, settled, site as siteFolder, unfold } from "./support/browser.mjs";
import { browser, host as site, hosted, others } from "./support/hosted.mjs";
import { heard, hears, hostPage } from "./support/host.mjs";

hosted();

const engine = await loadEngine();

/** Another page with `body`, listening; its server lets the script be fetched from another origin. */
async function openHost(body, { script = "", ready, context = {}, ...options } = {}) {
  const other = await hostPage(
    site.address,
    body,
    `window.heard = [];
    for (const type of ["change", "exercise", "answer"]) {
      addEventListener(type, (event) => event instanceof CustomEvent && heard.push({ type, from: event.target.id || event.target.localName, detail: event.detail }));
    }
    ${script}
    await import("${site.address}commcost-element.js");`,
    options,
  );
  others.push(other);
  const page = await openPage(browser, other.address, { ready: null, hosts: [new URL(site.address).host], ...context });
  await page
    .locator(ready ?? "[part~=headline]")
    .first()
    .waitFor();
  return page;
}

const findings = async (page) => (await axeFindings(page)).filter((finding) => !finding.startsWith("region"));

/** Each view's element: attributes, what its first `change` must say, and the calculation that it tells. */
const elements = [
  [
    "cost",
    `hidden_size="8192" num_gpus="4" num_layers="80" bandwidth_gb_per_sec="3600 Gb/s"`,
    "tensor_parallel_allreduce_cost",
    { num_gpus: 4, bandwidth_gb_per_sec: 450 },
  ],
  ["ring", `ranks="7" algorithm="ring"`, "collective_cost", { ranks: 7 }],
  [
    "network",
    `system="dgx-h100" num_gpus="16" message_size_bytes="1 GiB"`,
    "predict_collective",
    { accelerator: "h100-sxm", num_gpus: 16, message_size_bytes: 2 ** 30 },
  ],
  [
    "overlap",
    `scheme="data_parallel" data_parallel="16"`,
    "overlap_ratio",
    { scheme: "data_parallel", data_parallel: 16 },
  ],
  [
    "training",
    `model="llama-3.1-8b" tensor_parallel="4" data_parallel="2"`,
    "training_step",
    { hidden_size: 4096, num_kv_heads: 8, tensor_parallel: 4 },
  ],
  [
    "serve",
    `model="llama-3.1-70b" system="dgx-h200" tensor_parallel="4" serving_recipe="tensorrt-llm"`,
    "serving_step",
    { recipe: "tensorrt-llm", tensor_parallel: 4 },
  ],
  ["plan", `model="llama-2-7b" num_gpus="16" global_batch_size="64"`, "plan", { cluster_gpus: 16 }],
];

for (const [id, attributes, calculation, inputs] of elements) {
  test(`<commcost-${id}> stands in a strict page, takes attributes and properties, says what it answers, and can be locked`, {
    tag: "@long",
  }, async () => {
    const page = await openHost(`<commcost-${id} ${attributes}></commcost-${id}>`, {
      workers: id === "plan" || id === "serve",
    });
    await hears(page, "change");
    const first = (await heard(page, "change"))[0];
    assert.deepEqual(Object.fromEntries(Object.keys(inputs).map((name) => [name, first.inputs[name]])), inputs);
    const results = engine.describe()[calculation].results.map(({ name }) => name);
    assert.deepEqual(Object.keys(first.results).sort(), results.sort());

    const tag = `commcost-${id}`;
    // A listener that comes too late can still ask.
    const asked = () =>
      page.evaluate((selector) => {
        const { results: told, problems } = document.querySelector(selector);
        return { told: told && Object.keys(told).sort(), problems: problems.map(({ field }) => field) };
      }, tag);
    assert.deepEqual(await asked(), { told: results.sort(), problems: [] });
    const [name] = Object.keys(inputs).slice(-1);
    const spoiled = typeof inputs[name] === "number" ? "many" : "";
    await page.evaluate(
      ([selector, property, value]) => {
        document.querySelector(selector)[property] = value;
      },
      [tag, name, spoiled],
    );
    await hears(page, "change", 2);
    assert.equal((await heard(page, "change")).at(-1).problems[0].field, name);
    assert.equal((await asked()).problems[0], name);
    await page.evaluate(
      ([selector, property, value]) => document.querySelector(selector).setAttribute(property, value),
      [tag, name, String(inputs[name])],
    );
    await hears(page, "change", 3);
    assert.equal((await heard(page, "change")).at(-1).inputs[name], inputs[name]);

    await page.evaluate((selector) => {
      document.querySelector(selector).readonly = true;
    }, tag);
    const open = page.locator(`${tag} [part~=inputs] :is(input:not([readonly], [disabled]), select:not([disabled]))`);
    await page.waitForFunction((selector) => document.querySelector(selector).hasAttribute("readonly"), tag);
    assert.equal(await open.count(), 0);
    await page.evaluate((selector) => {
      document.querySelector(selector).compact = true;
    }, tag);
    await settled(page);
    const charts = await page.locator(`${tag} [part~=chart]`).count();
    assert.ok(charts <= (id === "ring" ? 1 : 0), `${charts} charts in a compact view`);
    assert.deepEqual(await findings(page), []);
    await page.done();
  });
}

test("every input is a property, unless all elements have one of that name", { tag: "@long" }, async () => {
  const page = await openHost(elements.map(([id]) => `<commcost-${id} id="${id}"></commcost-${id}>`).join(""), {
    workers: true,
  });
  // What no view asks for has no field. What training and serving stacks both say of themselves has a name of its own for the server.
  const shown = Object.values(engine.describe()).filter(({ of_scenario }) => of_scenario);
  const all = shown.flatMap(({ inputs }) => inputs.map(({ name }) => name));
  const names = [...new Set([...all, "serving_recipe", "serving_gemm_time_scale"])];
  const ids = elements.map(([id]) => id);
  await page.waitForFunction((ids) => ids.every((id) => document.getElementById(id).scenario), ids);
  for (const [id] of elements) {
    const missing = await page.evaluate(
      ([element, all]) =>
        all.filter(
          (name) =>
            !(name in HTMLElement.prototype) &&
            !Object.getOwnPropertyDescriptor(document.getElementById(element), name)?.set,
        ),
      [id, names],
    );
    assert.deepEqual(missing, [], id);
  }
  await page.done();
});

test("several elements on one page keep to themselves", { tag: "@long" }, async () => {
  const page = await openHost(
    `<commcost-calculator id="a" num_gpus="4"></commcost-calculator><commcost-calculator id="b" num_gpus="2"></commcost-calculator>
    <commcost-ring id="c" ranks="6" compact></commcost-ring>`,
    { script: `document.querySelector("#b").num_layers = 16;` },
  );
  await hears(page, "change", 3);
  await page.evaluate(() => {
    document.querySelector("#a").num_gpus = 8;
  });
  await hears(page, "change", 4);
  assert.equal((await heard(page, "change", "a")).at(-1).results.total_comm_time_ms, 50.108);
  assert.deepEqual(
    (await heard(page, "change", "b")).map(({ inputs }) => [inputs.num_gpus, inputs.num_layers]),
    [[2, 16]],
  );
  assert.equal((await heard(page, "change", "c")).length, 1);
  await page.evaluate(() => document.querySelector("#a").removeAttribute("num_gpus"));
  // Elements of one kind have landmarks of one name; what tells them apart is the article around them.
  assert.deepEqual(
    (await findings(page)).filter((finding) => !finding.startsWith("landmark-unique")),
    [],
  );
  await page.done();
});

test("each element writes sizes as its own attribute says, now and later", { tag: "@long" }, async () => {
  const page = await openHost(
    `<commcost-calculator id="usual"></commcost-calculator><commcost-calculator id="binary" units="binary"></commcost-calculator>`,
  );
  const sent = (id) => page.locator(`#${id} dd:has([data-result="total_comm_volume_bytes"]) .human`).innerText();
  await page.locator("#binary [data-result]").first().waitFor();
  assert.deepEqual([await sent("usual"), await sent("binary")], ["15.03 GB · 14 GiB", "14 GiB"]);
  await page.evaluate(() => document.querySelector("#usual").setAttribute("units", "decimal"));
  await page.evaluate(() => document.querySelector("#binary").removeAttribute("units"));
  await settled(page);
  assert.deepEqual([await sent("usual"), await sent("binary")], ["15.03 GB", "15.03 GB · 14 GiB"]);
  await page.done();
});

test("colours, type and parts are the page's to set, in its own colour scheme", { tag: "@long" }, async () => {
  const css = `commcost-calculator { --commcost-accent: rgb(1, 2, 3); --commcost-sans: monospace; --commcost-rule-strong: rgb(4, 5, 6); }
    commcost-calculator::part(headline) { font-size: 40px; } commcost-calculator::part(chart) { display: none; }`;
  const page = await openHost(`<commcost-calculator></commcost-calculator>`, {
    css,
    scheme: "light",
    context: { colorScheme: "dark" },
  });
  const style = (selector, name) =>
    page
      .locator(`commcost-calculator ${selector}`)
      .first()
      .evaluate((element, property) => getComputedStyle(element)[property], name);
  // What can be clicked has the accent; a number is ink.
  assert.equal(await style("commcost-line-chart summary", "color"), "rgb(1, 2, 3)");
  assert.notEqual(await style(".headline b", "color"), "rgb(1, 2, 3)");
  assert.equal(await style(".headline", "fontSize"), "40px");
  assert.equal(await style("commcost-line-chart", "display"), "none");
  assert.equal(await style("input", "borderTopColor"), "rgb(4, 5, 6)");
  assert.equal(await style("label", "fontFamily"), "monospace");
  // The page is light however dark the system, and so is the element by default.
  const calculator = page.locator("commcost-calculator");
  const paper = () => calculator.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.equal(await paper(), "rgb(255, 254, 251)");
  await calculator.evaluate((element) => (element.colors = "dark"));
  await page.locator("commcost-calculator[colors=dark]").waitFor();
  assert.notEqual(await paper(), "rgb(255, 254, 251)");
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`an exercise is solved by keyboard alone, in ${colorScheme}`, { tag: "@long" }, async () => {
    const page = await openHost(`<commcost-calculator exercise seed="42" level="3"></commcost-calculator>`, {
      context: { colorScheme },
    });
    await hears(page, "exercise");
    const [posed] = await heard(page, "exercise");
    const { inputs } = engine.draw_exercise({ seed: 42, level: 3 });
    assert.deepEqual(posed, { seed: 42, level: 3, edition: 1, inputs });
    assert.equal(await page.locator("[part~=solution]").count(), 0);
    assert.ok(
      !(await page.locator("commcost-calculator").innerText()).includes(String(inputs.hidden_size * inputs.batch_size)),
    );

    const expected = engine.tensor_parallel_allreduce_cost(inputs);
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.id || at?.textContent.trim();
      });
    const reach = async (name) => {
      for (let presses = 0; presses < 30; presses++) {
        if ((await focused()) === name) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`${name} is not reached by Tab`);
    };
    await reach("answer_message_size_bytes");
    await page.keyboard.type(String(expected.message_size_bytes));
    await reach("answer_comm_volume_per_allreduce_bytes");
    await page.keyboard.type(String(expected.comm_volume_per_allreduce_bytes / 2));
    await page.keyboard.press("Enter");
    await hears(page, "answer");
    const [wrong] = await heard(page, "answer");
    assert.equal(wrong.mistake, "missing_factor_2");
    assert.deepEqual([wrong.correct, wrong.attempt, wrong.solution_shown], [false, 1, false]);
    assert.deepEqual(wrong.right, { message_size_bytes: true, comm_volume_per_allreduce_bytes: false });
    assert.deepEqual(Object.keys(wrong.expected), Object.keys(wrong.answers));
    assert.equal(wrong.tolerance.message_size_bytes, 0.00005);
    await page.getByText("the factor 2 is missing").waitFor();
    assert.deepEqual(await findings(page), []);

    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(String(expected.comm_volume_per_allreduce_bytes));
    for (const name of ["total_comm_volume_bytes", "total_comm_time_ms"]) {
      await reach(`answer_${name}`);
      await page.keyboard.type(String(expected[name]));
    }
    await page.keyboard.press("Enter");
    await hears(page, "answer", 2);
    const right = (await heard(page, "answer")).at(-1);
    assert.deepEqual([right.correct, right.mistake, right.attempt], [true, null, 2]);
    await page.locator("[part~=solution]").waitFor();
    assert.equal(await result(page, "total_comm_time_ms").textContent(), String(expected.total_comm_time_ms));
    assert.deepEqual(await heard(page, "change"), []);
    assert.deepEqual(await findings(page), []);

    await page.evaluate(() => document.querySelector("commcost-calculator").focus());
    await page.getByRole("button", { name: "New exercise" }).focus();
    await page.keyboard.press("Enter");
    await hears(page, "exercise", 2);
    assert.deepEqual(
      (await heard(page, "exercise"))[1].inputs,
      engine.draw_exercise({ seed: 43, level: 3, edition: 2 }).inputs,
    );
    assert.equal(await page.locator("#answer_message_size_bytes").inputValue(), "");
    assert.equal(await page.locator("[part~=solution]").count(), 0);
    await page.done();
  });
}

test("an element shows the parts that its page asks for, and what is wrong in any case", { tag: "@long" }, async () => {
  const page = await openHost(
    `<commcost-calculator id="a" parts="headline results" num_gpus="4"></commcost-calculator><commcost-ring id="b" parts="headline inputs"></commcost-ring>`,
  );
  await hears(page, "change", 2);
  await settled(page);
  const visible = (selector) => page.locator(selector).locator("visible=true").count();
  assert.deepEqual(
    [await visible("#a [part~=headline]"), await visible("#a [part~=results]"), await visible("#a [part~=inputs]")],
    [1, 1, 0],
  );
  assert.deepEqual(
    [await visible("#a h2"), await visible("#a [part~=chart]"), await visible("#b [part~=chart]")],
    [0, 0, 0],
  );
  assert.ok((await visible("#b [part~=inputs]")) > 0);
  // An article has no room for a page: the bare numbers.
  assert.ok((await page.locator("#a").evaluate(({ clientHeight }) => clientHeight)) < 420);
  await page.evaluate(() => (document.querySelector("#a").hidden_size = "many"));
  await page.locator("#a [role=alert]").waitFor();
  assert.deepEqual(await findings(page), []);
  await page.done();
});

test("an answer says what it is of, and its link opens the page with these numbers", { tag: "@long" }, async () => {
  const page = await openHost(
    `<commcost-cost base="${site.address}" parts="headline results" model="llama-3.1-70b" system="dgx-h100" num_gpus="4"></commcost-cost>
    <commcost-calculator id="exercise" base="${site.address}" exercise seed="3"></commcost-calculator>`,
  );
  await hears(page, "change");
  const below = page.locator("commcost-cost .back");
  await below.getByText(/^Llama\s3\.1\s70B\s·\s4\s×\sH100\s\(DGX\sH100\)\s·\s\d+\s×\s\d+\stokens/).waitFor();
  const link = page.getByRole("link", { name: /^Open with these numbers: / });
  await page.evaluate(() => (document.querySelector("commcost-cost").num_gpus = 2));
  await link.focus();
  const { hash, pathname } = new URL(await link.getAttribute("href"));
  assert.match(pathname, /\/index\.html$/);
  const asked = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  assert.deepEqual(
    [asked.view, asked.model, asked.system, asked.tensor_parallel],
    ["cost", "llama-3.1-70b", "dgx-h100", "2"],
  );
  assert.equal(await link.count(), 1, "an exercise has none");
  assert.deepEqual(await findings(page), []);
  await below.getByText(/2\s×\sH100/).waitFor();
  await page.evaluate(() => document.querySelector("commcost-cost").removeAttribute("base"));
  await link.waitFor({ state: "detached" });
  // The form names the scenario.
  await page.evaluate(() => document.querySelector("commcost-cost").removeAttribute("parts"));
  await below.waitFor({ state: "hidden" });
  await page.done();
});

test("text runs from left to right and is marked as English on a page that does neither", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<div dir="rtl" lang="ar"><commcost-cost num_gpus="4"></commcost-cost><commcost-figure of="volume" num_gpus="4"></commcost-figure></div>`,
  );
  await hears(page, "change");
  for (const tag of ["commcost-cost", "commcost-figure"]) {
    const element = page.locator(tag);
    assert.equal(await element.evaluate((one) => getComputedStyle(one).direction), "ltr", tag);
    assert.equal(await element.getAttribute("lang"), "en", tag);
  }
  const inner = page.locator("commcost-cost [part~=headline]").first();
  assert.equal(await inner.evaluate((one) => getComputedStyle(one).direction), "ltr");
  await page.done();
});

test("a page whose policy forbids WebAssembly is told so in words", { tag: "@long" }, async () => {
  const other = await hostPage(
    site.address,
    `<commcost-ring></commcost-ring>`,
    `await import("${site.address}commcost-element.js");`,
    { wasm: false },
  );
  others.push(other);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(other.address);
  const said =
    "The calculator did not load: this page’s security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src.";
  await page.getByRole("alert").getByText(said).waitFor();
  await context.close();
});

test("an exercise holds what its page fixes, in the page's words, and as exactly as it says", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<commcost-calculator exercise num_gpus="3" bandwidth_gb_per_sec="400 Gb/s" tolerance_percent="1" readonly></commcost-calculator>`,
  );
  await hears(page, "exercise");
  const [{ seed, inputs }] = await heard(page, "exercise");
  assert.equal(seed, undefined);
  assert.deepEqual([inputs.num_gpus, inputs.bandwidth_gb_per_sec, inputs.hidden_size], [3, 50, 4096]);
  await page.getByText("400 Gb/s, one way").waitFor();
  assert.equal(await page.getByRole("button", { name: "New exercise" }).count(), 0);
  await page.locator("#answer_message_size_bytes").fill("135e6");
  await page.locator("#answer_total_comm_time_ms").fill("two");
  await page.getByRole("button", { name: "Check" }).click();
  await hears(page, "answer");
  assert.equal((await heard(page, "answer"))[0].right.message_size_bytes, true);
  await page.getByText("We can’t read").waitFor();
  await page.getByRole("button", { name: "Show the solution" }).click();
  await page.locator("[part~=solution]").waitFor();

  // Fixed inputs stay when a seed draws the others; inputs that cannot be are named.
  await page.evaluate(() => {
    document.querySelector("commcost-calculator").seed = 7;
  });
  await hears(page, "exercise", 2);
  const drawn = (await heard(page, "exercise"))[1].inputs;
  assert.deepEqual([drawn.num_gpus, drawn.bandwidth_gb_per_sec], [3, 50]);
  assert.equal(drawn.num_layers, engine.draw_exercise({ seed: 7 }).inputs.num_layers);
  await page.evaluate(() => {
    document.querySelector("commcost-calculator").num_gpus = 1.5;
  });
  await page.getByText("GPUs: enter a whole number, not 1.5").waitFor();
  await page.done();
});

test("an exercise of the track is posed by attributes and tells its answer and its progress", {
  tag: "@long",
}, async () => {
  const page = await openHost(
    `<commcost-calculator exercise track="ring_rounds" seed="7" level="1" readonly></commcost-calculator>`,
    {
      script: `for (const type of ["hint", "progress"]) addEventListener(type, ({ detail }) => heard.push({ type, detail }));`,
    },
  );
  await hears(page, "exercise");
  const { asked, given } = engine.pose_exercise({ track: "ring_rounds", seed: 7 });
  assert.deepEqual((await heard(page, "exercise")).at(-1), {
    track: "ring_rounds",
    seed: 7,
    level: 1,
    edition: 1,
    inputs: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  });
  assert.equal(await page.locator('[name="track"]').count(), 0, "a page that holds it holds the kind too");
  await page.getByRole("button", { name: "Hint" }).click();
  for (const { name, expected } of asked) await page.locator(`#${name}`).fill(String(expected));
  await page.keyboard.press("Enter");
  await hears(page, "progress");
  const [answer] = await heard(page, "answer");
  assert.deepEqual([answer.correct, answer.hints, answer.solution_shown], [true, 1, false]);
  assert.equal((await heard(page, "hint"))[0].step, 1);
  assert.deepEqual((await heard(page, "progress"))[0], { track: "ring_rounds", level: 1, solved: 1 });
  await page.done();
});

test("an engine that may not start says so", { tag: "@long" }, async () => {
  const other = await hostPage(
    site.address,
    `<commcost-ring></commcost-ring>`,
    `await import("${site.address}commcost-element.js");`,
  );
  others.push(other);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    WebAssembly.instantiate = () => Promise.reject(new Error("not here"));
  });
  await page.goto(other.address);
  await page
    .getByRole("alert")
    .getByText("The calculator did not load: WebAssembly did not start in this browser.")
    .waitFor();
  await context.close();
});

test("what the page shows can be taken into another page, with a digest that the browser checks", {
  tag: "@long",
}, async () => {
  const page = await openPage(browser, `${site.address}#view=ring&ranks=6`, { ready: "commcost-ring" });
  await unfold(page, "More");
  await page.getByRole("button", { name: "Embed" }).click();
  const light = await page.getByRole("group", { name: "As an element" }).innerText();
  const script = await page.getByRole("group", { name: "The script in one file" }).innerText();
  const snippet = light.replace(/<script[\s\S]*<\/script>/, script);
  const digest = createHash("sha384")
    .update(readFileSync(`${siteFolder}commcost-element-whole.js`))
    .digest("base64");
  assert.ok(script.includes(`integrity="sha384-${digest}"`));
  assert.match(light, /commcost-element\.js"><\/script>\n<commcost-ring base="http[^"]*" ranks="6"><\/commcost-ring>/);
  assert.match(await page.getByRole("group", { name: "In a frame" }).innerText(), /embed\.html\?view=ring&#38;ranks=6/);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();

  const other = await hostPage(
    site.address,
    snippet.replace(/sha384-..../, "sha384-AAAA") + snippet.replace(/<script[\s\S]*<\/script>/, ""),
    "",
  );
  others.push(other);
  const context = await browser.newContext();
  const refused = await context.newPage();
  const refusal = refused.waitForEvent("console", (message) => message.text().includes("integrity"));
  await refused.goto(other.address);
  await refusal;
  assert.equal(await refused.evaluate(() => customElements.get("commcost-ring")), undefined);
  await context.close();
  const whole = await openHost("", { ready: "h1" });
  await whole.done();
  const good = await hostPage(site.address, snippet, "");
  others.push(good);
  const shown = await openPage(browser, good.address, {
    ready: "commcost-ring form",
    hosts: [new URL(site.address).host],
  });
  await shown.done();
});
