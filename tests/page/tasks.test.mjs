// What an engineer comes to do, done by mouse and by keyboard from a first visit: as few inputs as it takes, and the answer in the first
// screen. Each task prints its row: inputs, keys, seconds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before, filesOf } from "../support/diagnosis/cases.mjs";
import { dropFiles, openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const screen = { width: 1440, height: 900 };
const tabs = ["Learn", "Practice", "Cost", "Collectives", "Train", "Serve", "Diagnose"];

/** A reader with a mouse: presses what they see, types into it. */
function mouse(page) {
  // A label may have its unit behind it, and what is folded is not seen.
  const labelled = (label) =>
    page
      .getByLabel(new RegExp(`^${label}\\b`))
      .filter({ visible: true })
      .first();
  const box = (label) => page.getByRole("combobox", { name: label, exact: true });
  return {
    view: (title) => page.getByRole("link", { name: title, exact: true }).first().click(),
    press: (name) => page.getByRole("button", { name, exact: true }).first().click(),
    async preset(label, words) {
      await box(label).click();
      await box(label).fill(words);
      await page.locator("[role=option]").first().click();
    },
    type: (label, text) => labelled(label).fill(text),
    choose: (label, option) => labelled(label).selectOption({ label: option }),
  };
}

/** A reader without one: single keys, Tab, and what is typed. */
function keyboard(page) {
  let pressed = 0;
  const press = (key) => {
    pressed += 1;
    return page.keyboard.press(key);
  };
  const type = (text) => {
    pressed += text.length;
    return page.keyboard.type(text);
  };
  /** What has the focus, by its label; a single key is one only where nothing is typed into. */
  const focused = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return (at?.labels?.[0] ?? at)?.textContent?.trim() ?? "";
    });
  /** From where the last input was, forwards or back. */
  async function reach(label, key = "Tab") {
    for (let tries = 0; tries < 60; tries++) {
      await press(key);
      if ((await focused()).startsWith(label)) return;
    }
    assert.fail(`“${label}” is not reached by Tab`);
  }
  return {
    view: (title) => press(String(tabs.indexOf(title) + 1)),
    press: () => press("p"),
    async preset(label, words, back = false) {
      if (label === "Model") await press("/");
      else await reach(label, back ? "Shift+Tab" : "Tab");
      await type(words);
      await press("Enter");
    },
    async type(label, text) {
      await reach(label);
      await press("Control+A");
      await type(text);
    },
    async choose(label, option) {
      await reach(label);
      await type(option);
    },
    keys: () => pressed,
  };
}

const engine = await loadEngine();
const headline = (page, view) => page.locator(`commcost-${view} .headline`).first();
const finished = (page) => page.getByText(/on this machine/).waitFor();

/** Each: how many inputs it may take, what is done, where the answer is; `files` are dropped, by hand or by a file manager. */
const tasks = [
  {
    name: "a layout for Llama 3.1 70B on 64 H100, 8k tokens, batch 1,024",
    most: 4,
    async walk(hands, page) {
      await hands.view("Train");
      await page.locator("commcost-plan").waitFor();
      await hands.preset("Model", "llama 3.1 70b");
      await hands.type("Sequence length", "8192");
      await hands.type("Global batch", "1024");
      await hands.preset("Machine", "dgx h100");
      await expect(headline(page, "plan")).toContainText(/on\s64\sGPUs:\s+TP\s\d/);
      await page.waitForFunction(() => /cluster_gpus|system=dgx-h100/.test(location.hash));
      await finished(page);
      return [headline(page, "plan"), page.locator("commcost-plan .figure svg").first()];
    },
  },
  {
    name: "DeepSeek-V3 on 2,048 H800",
    most: 6,
    async walk(hands, page) {
      await hands.view("Train");
      await page.locator("commcost-plan").waitFor();
      await hands.preset("Model", "deepseek v3");
      await hands.type("Sequence length", "4096");
      await hands.type("Global batch", "15360");
      await hands.choose("Precision", "FP8");
      await hands.preset("Machine", "h800 deepseek");
      await hands.type("GPUs", "2048");
      // Experts are spread: the answer of a search that knows what the stack can do.
      await expect(headline(page, "plan")).toContainText(/on\s2,048\sGPUs:.*EP\s\d/s, { timeout: 120_000 });
      await finished(page);
      return [headline(page, "plan"), page.locator("commcost-plan .figure svg").first()];
    },
  },
  {
    name: "Llama 3.1 70B in FP8 on 8 H200 within 50 ms",
    most: 3,
    async walk(hands, page) {
      await hands.view("Serve");
      await page.locator("commcost-serve").waitFor();
      await hands.preset("Model", "llama 3.1 70b");
      await hands.choose("Precision", "FP8");
      await hands.preset("Machine", "dgx h200");
      await expect(headline(page, "serve")).toContainText(/Serve it as .*requests\/s.*TPOT within\s+50\s+ms/s);
      return [headline(page, "serve"), page.locator("commcost-serve .figure svg").first()];
    },
  },
  {
    name: "a run that is too slow: its log, its network test, its launch",
    most: 1,
    async walk(hands, page) {
      await hands.view("Diagnose");
      await page.locator("commcost-diagnose").waitFor();
      const slow = before.find(({ name }) => name === "one slow GPU");
      await hands.give(filesOf(engine, slow).files);
      const verdict = page.locator('commcost-diagnose [data-result="verdict"]');
      await expect(verdict).toContainText(/\d/);
      await page.locator("[data-waterfall] svg.drawing").waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      return [verdict, page.locator("[data-waterfall] svg.drawing")];
    },
  },
  {
    name: "800 Gb/s instead of 400, and what B200 would bring",
    most: 3,
    from: "#v=3&view=plan&model=llama-3.1-70b&system=dgx-h200&global_batch_size=128&sequence_length=8192",
    async walk(hands, page) {
      await finished(page);
      await hands.press("Pin");
      await page.locator("commcost-compare-bar section").waitFor();
      await hands.type("Network bandwidth GB/s", "100");
      const table = page.locator("commcost-plan [data-beside] table");
      await expect(table).toContainText("Step");
      await hands.preset("Machine", "dgx b200", true);
      await finished(page);
      await expect(table).toContainText("Step");
      return [headline(page, "plan"), table];
    },
  },
  {
    name: "a config.json of one’s own",
    most: 1,
    async walk(hands, page) {
      await hands.view("Train");
      await page.locator("commcost-plan").waitFor();
      await page.locator("commcost-own-files").waitFor();
      const text = readFileSync(new URL("../data/model_configs/qwen3-8b.json", import.meta.url), "utf8");
      await hands.give([{ name: "config.json", text }]);
      const said = page.getByText("config.json is the model now.").first();
      await said.waitFor();
      await finished(page);
      return [said, headline(page, "plan")];
    },
  },
];

/** Hands that count what they put in; a tab that is opened is no input. */
function counted(hands, page) {
  let inputs = 0;
  const counting =
    (put) =>
    (...given) => {
      inputs += 1;
      return put(...given);
    };
  const { preset, type, choose, press, ...rest } = hands;
  const each = Object.fromEntries(
    Object.entries({ preset, type, choose, press }).map(([name, put]) => [name, counting(put)]),
  );
  return { ...rest, ...each, give: counting((files) => dropFiles(page, files)), inputs: () => inputs };
}

for (const { name, most, from = "", walk } of tasks)
  for (const [way, hands] of [
    ["mouse", mouse],
    ["keyboard", keyboard],
  ])
    test(`${name}, by ${way}: at most ${most} inputs, and the answer in the first screen`, {
      tag: "@long",
    }, async () => {
      const page = await openPage(browser, `${host.address}${from}`, {
        ready: from ? "commcost-plan" : "commcost-learn",
        viewport: screen,
      });
      const reader = counted(hands(page), page);
      const began = performance.now();
      const answers = await walk(reader, page);
      const seconds = (performance.now() - began) / 1000;
      for (const answer of answers) {
        const { y, height } = await answer.boundingBox();
        assert.ok(
          y >= 0 && y + height <= screen.height,
          `${await answer.evaluate(({ localName }) => localName)}: ${y} to ${y + height}`,
        );
      }
      assert.equal(await page.evaluate(() => scrollY), 0, "nothing was scrolled");
      const inputs = reader.inputs();
      assert.ok(inputs <= most, `${inputs} inputs`);
      const keys = reader.keys ? `, ${reader.keys()} keys` : "";
      console.log(`${name}, ${way}: ${inputs} inputs${keys}, ${seconds.toFixed(1)} s`);
      await page.done();
    });
