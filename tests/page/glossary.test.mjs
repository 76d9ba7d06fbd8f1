// Each thing by one name: what the glossary lists as said elsewhere stands in no text for readers.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { axeFindings, openPage, serve } from "./support/browser.mjs";

const root = new URL("../../", import.meta.url).pathname;
const read = (file) => readFileSync(root + file, "utf8");
const glossary = read("web/formulas/glossary.html");
const entries = [...glossary.matchAll(/<dt id="([\w-]+)">(.*?)<\/dt>\n<dd>([\s\S]*?)<\/dd>/g)].map(
  ([, id, term, said]) => ({
    id,
    term,
    elsewhere: [...(/class="elsewhere">(.*?)<\/span>/s.exec(said)?.[1] ?? "").matchAll(/<i>(.*?)<\/i>/g)].map(
      ([, word]) => word,
    ),
  }),
);

/** Source without what only its authors read: imports and comments. */
const spoken = (source) =>
  source
    .replace(/^import [\s\S]*?;$/gm, "")
    .replace(/\/\*\*?[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "");

const under = (folder) => readdirSync(root + folder, { recursive: true }).map((name) => `${folder}/${name}`);

/** Every text that a reader may see, by where it stands. */
async function texts() {
  const sources = under("web").filter((file) => /\.(ts|html)$/.test(file) && !file.endsWith("formulas/glossary.html"));
  const manuals = [
    "README.md",
    "CONTRIBUTING.md",
    "web/EMBEDDING.md",
    "web/GRADING.md",
    "web/HOSTING.md",
    "web/package/README.md",
  ];
  const described = (await loadEngine()).describe();
  return [
    ...sources.map((file) => [file, spoken(read(file))]),
    ...manuals.map((file) => [file, read(file)]),
    ...Object.entries(described).map(([name, table]) => [`describe().${name}`, JSON.stringify(table, null, 1)]),
  ];
}

/** What is said elsewhere but has to stand there: options and formats of other programs. */
const theirs = new Map([
  ["iteration", /elapsed\.time\.per\.iteration/],
  ["process group", /"Process Group (Description|Name)"/],
]);

test("each term stands once, and no term is what another is called elsewhere", () => {
  assert.ok(entries.length >= 30, `${entries.length} terms`);
  assert.equal(entries.length, glossary.match(/<dt/g).length);
  for (const names of [entries.map(({ id }) => id), entries.map(({ term }) => term.toLowerCase())])
    assert.equal(new Set(names).size, names.length);
  const elsewhere = entries.flatMap((entry) => entry.elsewhere);
  assert.ok(elsewhere.length > 30);
  const terms = new Set(entries.map(({ term }) => term.toLowerCase()));
  assert.deepEqual(
    elsewhere.filter((word) => terms.has(word.toLowerCase())),
    [],
  );
});

test("what is said elsewhere is said in no text of the page, of the engine or of the manuals", async () => {
  const found = [];
  for (const [where, text] of await texts()) {
    for (const { term, elsewhere } of entries) {
      for (const word of elsewhere) {
        for (const line of text.split("\n").filter((line) => new RegExp(`\\b${word}s?\\b`, "i").test(line)))
          if (!theirs.get(word)?.test(line))
            found.push(`${where}: “${word}” for ${term}: ${line.trim().slice(0, 120)}`);
      }
    }
  }
  assert.deepEqual(found, []);
});

test("what may stand there all the same does", async () => {
  const all = (await texts()).map(([, text]) => text).join("\n");
  for (const [word, where] of theirs) assert.match(all, where, word);
});

test("the page leads to the glossary, which is clean for axe", async ({ browser }) => {
  const host = await serve();
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.getByRole("link", { name: "What the words mean" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Glossary/);
  assert.deepEqual(await axeFindings(page), []);
  await page.setViewportSize({ width: 360, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.done();
  await host.stop();
});
