// What web/HOSTING.md promises to those who host the page: the header is the page's own policy, and works as one.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "@playwright/test";
import { staticServer } from "./support/server.mjs";
import { openPage, site, unfold } from "./support/browser.mjs";

const hosting = readFileSync(new URL("../../web/HOSTING.md", import.meta.url), "utf8");
const [, header] = /^Content-Security-Policy: (.*)$/m.exec(hosting);
const policyOf = (name) =>
  /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(`${site}${name}`, "utf8"))[1];
const directives = (policy) => new Map(policy.split("; ").map((one) => [one.split(" ")[0], one.split(" ").slice(1)]));

/** Pages that allow their own inline script and style by their hashes, which the header would forbid; a frame's script loads others. */
const byHash = ["commcost.html", "embed.html"];

/** What a host may ask besides: no text becomes a script, or markup, but by these two. */
const trusting = "require-trusted-types-for 'script'; trusted-types commcost lit-html";

let browser, server, address;
test.beforeAll(async ({ browser: launched }) => {
  browser = launched;
  const files = staticServer(site);
  server = createServer((request, response) => {
    // Pages in one file name no icon: browsers ask the host for its own.
    if (request.url === "/favicon.ico") return void response.writeHead(204).end();
    const asked = request.url.includes("?trusted") ? `${header}; ${trusting}` : header;
    if (!byHash.some((name) => request.url.startsWith(`/${name}`)))
      response.setHeader("content-security-policy", asked);
    files.emit("request", request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
});
test.afterAll(async () => {
  server.closeAllConnections();
  server.close();
});

test("the header is the page's own policy, and forbids no page what its own allows", () => {
  assert.equal(header, policyOf("index.html"));
  const allowed = directives(header);
  const others = readdirSync(site, { recursive: true }).filter(
    (name) => name.endsWith(".html") && !byHash.includes(name),
  );
  for (const name of others) {
    for (const [directive, sources] of directives(policyOf(name))) {
      const by = allowed.get(directive) ?? allowed.get("default-src");
      for (const source of sources)
        assert.ok(source === "'none'" || by.includes(source), `${name}: ${directive} ${source}`);
    }
  }
});

test("pages with a script of their own allow what they hold by its hash, and what that loads, nothing else", () => {
  for (const name of byHash) {
    const allowed = directives(policyOf(name));
    for (const directive of ["script-src", "style-src"])
      for (const source of allowed.get(directive))
        assert.match(source, /^'(?:sha256-.*|wasm-unsafe-eval|strict-dynamic)'$/, name);
    assert.equal(allowed.get("script-src").includes("'strict-dynamic'"), name === "embed.html");
    assert.deepEqual(allowed.get("default-src"), ["'none'"]);
    assert.equal(allowed.has("connect-src"), false);
    const inside = /(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g;
    const markup = readFileSync(`${site}${name}`, "utf8").replaceAll(inside, "$1");
    assert.ok(markup.length < 4000 && !/<(?:script|link)[^>]*(?:src|href)=/.test(markup), name);
  }
});

test("under the header every view, the frame and the other pages work, and nothing is refused", async () => {
  const page = await openPage(browser, `${address}#view=cost`);
  for (const view of await page.locator("commcost-app nav a[data-view]").all()) {
    await view.click();
    await page.locator(`commcost-${await view.getAttribute("data-view")}`).waitFor();
  }
  for (const [name, ready] of [
    ["embed.html", "commcost-cost"],
    ["scoreboard.html", "main"],
    ["formulas/index.html", "main"],
    ["commcost.html", "commcost-learn"],
  ]) {
    await page.goto(address + name);
    await page.locator(ready).first().waitFor();
  }
  await page.done();
});

test("where a host trusts no text, plans are searched and functions run in a worker, and the page is kept all the same", {
  tag: "@long",
}, async () => {
  const page = await openPage(browser, `${address}?trusted#view=plan`, {
    ready: "commcost-plan",
    serviceWorkers: "allow",
  });
  await page.getByText(/on this machine/).waitFor();
  assert.notEqual(page.workers().length, 0);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await page.goto(`${address}practice.html?trusted`);
  await page.locator("summary", { hasText: "Write the function" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("0 of 31 cases are right").waitFor();
  await page.done();
});

test("only what web/HOSTING.md names is stored", { tag: "@long" }, async () => {
  const page = await openPage(browser, `${address}#view=cost`, { serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await unfold(page, "More");
  await page.getByRole("button", { name: /Colours/ }).click();
  const kept = await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    caches: (await caches.keys()).length,
    cookie: document.cookie,
    databases: (await indexedDB.databases()).length,
  }));
  assert.deepEqual(kept, { local: ["commcost:colors"], session: [], caches: 1, cookie: "", databases: 0 });
  await page.done();
});
