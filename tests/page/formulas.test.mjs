// The pages of formulas: every calculation explained once, what they name exists, their numbers are the engine's.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, openPage, site } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

const root = new URL("../../", import.meta.url).pathname;
const names = readdirSync(`${site}formulas`).filter((name) => name.endsWith(".html"));
const pages = names.map((name) => ({ name, html: readFileSync(`${site}formulas/${name}`, "utf8") }));
const engine = await loadEngine();
hosted();

test("every calculation is explained on one page, and nothing else is offered as one", () => {
  for (const calculation of Object.keys(engine.describe())) {
    const where = pages.filter(({ html }) => html.includes(`<section id="${calculation}"`)).map(({ name }) => name);
    assert.equal(where.length, 1, `${calculation} is explained on ${where.join(", ") || "no page"}`);
  }
  const explained = pages.flatMap(({ html }) => [...html.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id));
  assert.deepEqual(explained.toSorted(), Object.keys(engine.describe()).toSorted());
});

test("every file and every test that a page names exists", () => {
  let tests = 0;
  for (const { name, html } of pages) {
    for (const [, text] of html.matchAll(/<code>((?:core|tests|bench|web)\/[^<]*)<\/code>/g))
      assert.ok(existsSync(root + text), `${name}: ${text}`);
    for (const [, cell] of html.matchAll(/<dd>(<code>(?:tests|bench)\/.*?)<\/dd>/g)) {
      const [file, ...cases] = [...cell.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text]) => text);
      const source = readFileSync(root + file, "utf8");
      for (const one of cases) {
        const [suite, test] = one.split(".");
        assert.match(source, new RegExp(`^TEST(_P|_F)?\\(${suite}, ${test}\\)`, "m"), `${name}: ${file} holds ${one}`);
        ++tests;
      }
    }
    for (const [, proof] of html.matchAll(/<dl class="proof">(.*?)<\/dl>/gs)) {
      for (const heading of ["Source", "Code", "Proof"])
        assert.ok(proof.includes(`<dt>${heading}</dt>`), `${name}: ${heading}`);
    }
  }
  assert.ok(tests > 60);
});

test("every slip of the exercise is in the table of slips, and no other", () => {
  const { html } = pages.find(({ name }) => name === "exercise.html");
  const [table] = /<caption>Effect of each slip.*?<\/table>/s.exec(html);
  const [{ columns }] = engine.describe()["check_answers"].results;
  const { choices } = columns.find(({ name }) => name === "mistakes");
  const listed = [...table.matchAll(/<code>([a-z_0-9]+)<\/code>/g)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), choices.toSorted());
});

test("every worked number is what the engine says", () => {
  let numbers = 0;
  for (const { name, html } of pages) {
    for (const [, calculation, inputs, body] of html.matchAll(
      /<div class="worked" data-calculation="(\w+)"\s+data-inputs='([^']*)'>(.*?)<\/div>/gs,
    )) {
      const results = engine[calculation](JSON.parse(inputs));
      const worked = [...body.matchAll(/<data ([^>]*)>([^<]*)<\/data>/g)];
      assert.ok(worked.length > 0, `${name}: ${calculation} shows no number`);
      for (const [, attributes, shown] of worked) {
        const [, path, value] = /^data-result="([^"]*)" value="([^"]*)"$/.exec(attributes);
        const result = path.split(".").reduce((at, key) => at[key], results);
        if (typeof result === "number") {
          assert.ok(
            Math.abs(result - Number(value)) <= 1e-9 * Math.abs(result),
            `${name}: ${calculation} ${path} is ${result}, not ${value}`,
          );
          const decimals = shown.split(".")[1]?.length ?? 0;
          const rounded = result.toLocaleString("en", {
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
          });
          assert.equal(shown, rounded, `${name}: ${calculation} ${path}`);
        } else {
          assert.equal(value, String(result));
          assert.equal(shown, value);
        }
        ++numbers;
      }
    }
    assert.doesNotMatch(html, /<data result=/, `${name}: a number outside of any example`);
  }
  assert.ok(numbers > 50);
});

test("every link of the pages leads somewhere", () => {
  for (const { name, html } of pages) {
    for (const [, target] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^https:\/\//.test(target)) continue;
      const [path, id] = target.split("#");
      const file = `${site}formulas/${path || name}`;
      assert.ok(existsSync(file), `${name}: ${target}`);
      if (id) assert.match(readFileSync(file, "utf8"), new RegExp(`id="${id}"`), `${name}: ${target}`);
    }
  }
});

test("clean for axe, nothing beyond 360 px", { tag: "@long" }, async () => {
  for (const { name } of pages) {
    const page = await openPage(browser, `${host.address}formulas/${name}`, {
      ready: "main",
      viewport: { width: 360, height: 800 },
    });
    assert.deepEqual(await axeFindings(page), [], name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("math")]
        .filter((math) => !math.closest(".scroll") && math.getBoundingClientRect().right > innerWidth)
        .map((math) => math.textContent),
    );
    assert.deepEqual(cut, [], `${name}: formulas cut off`);
    await page.done();
  }
});

test("clean for axe in the dark", async () => {
  const page = await openPage(browser, `${host.address}formulas/network.html`, { ready: "main", colorScheme: "dark" });
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});
