// The cards that other sites get for each page of the site.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cards } from "../../web/build/cards.mjs";

const site = new URL("../../build/site/", import.meta.url).pathname;
const base = "https://example.org/tools/commcost/";
let copy;
before(() => {
  copy = mkdtempSync(join(tmpdir(), "commcost-cards-"));
  const plain = (path) => !/\.(?:js|csv|png)$/.test(path);
  cpSync(site, copy, { recursive: true, filter: plain });
  cards(copy, base);
});
after(() => rmSync(copy, { recursive: true }));

const pagesOf = (folder) =>
  readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith(".html") && !["embed.html", "commcost.html"].includes(name),
  );
const meta = (html, name) =>
  [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].find(([, key]) => key === name)?.[2];

test("every page has a title and a description of its own", () => {
  const pages = pagesOf(site);
  assert.ok(pages.length > 10, pages.join());
  const said = pages.map((page) => {
    const html = readFileSync(join(site, page), "utf8");
    const description = meta(html, "description");
    assert.ok(description?.length > 20 && description.length <= 200, `${page}: ${description}`);
    assert.equal(meta(html, "og:description"), description, page);
    assert.equal(meta(html, "og:title"), /<title>([^<]*)/.exec(html)[1], page);
    assert.equal(html.split('name="description"').length, 2, page);
    return description;
  });
  assert.equal(new Set(said).size, said.length);
  // A frame's content should be no search result.
  assert.equal(meta(readFileSync(join(site, "embed.html"), "utf8"), "robots"), "noindex");
});

test("with the site's address each page has its own, and a picture that is there", () => {
  for (const page of pagesOf(copy)) {
    const html = readFileSync(join(copy, page), "utf8");
    const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(html);
    assert.equal(canonical, base + page.replace(/(^|\/)index\.html$/, "$1"), page);
    // The build has already written the rest, without an address.
    assert.equal(html.split(`property="og:url" content="${canonical}"`).length, 2, page);
    const picture = meta(html, "og:image");
    assert.ok(picture.startsWith(`${base}pictures/`) && existsSync(join(copy, picture.slice(base.length))), picture);
  }
  assert.throws(() => cards(copy, "commcost.example"), /must be an address/);
});

test("a citation names the version that is built, and its date", () => {
  const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  const [, version] = /project\(commcost VERSION ([\d.]+)/.exec(read("CMakeLists.txt"));
  const escaped = version.replaceAll(".", "\\.");
  assert.match(read("CITATION.cff"), new RegExp(`^version: ${escaped}$`, "m"));
  const [, date] = new RegExp(`^## \\[${escaped}\\] - (\\S+)$`, "m").exec(read("CHANGELOG.md"));
  assert.match(read("CITATION.cff"), new RegExp(`^date-released: ${date}$`, "m"));
});
