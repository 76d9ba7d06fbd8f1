// The function that learners write: run in the page by MicroPython, judged over all cases, one verdict with CPython.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { engine } from "../wasm/support.mjs";
import { axeFindings, openPage, settled } from "./support/browser.mjs";
import { functions, written } from "./support/functions.mjs";
import { browser, hosted, host as site } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

hosted();

const { callOf, judged, saidOf } = await load("exercise/judge.ts");
const { asPytest, functionName, vectors } = await load("exercise/vectors.ts");
const cases = vectors(engine, { seed: 1, levels: [1], edition: 2 });
const scenario = { engine, fields: new Map() };

const open = async (options = {}) => {
  const page = await openPage(browser, `${site.address}practice.html`, { ready: "commcost-exercise form", ...options });
  await page.evaluate(() => addEventListener("function", ({ detail }) => (window.heard = detail)));
  return page;
};
const openEditor = async (page) => {
  await page.locator("summary", { hasText: "Write the function" }).click();
  await page.locator("#code").waitFor();
};
const run = (page) => page.getByRole("button", { name: "Run" }).click();

/** Runs code in the page; returns what its `function` event says. */
async function ran(page, code) {
  await page.locator("#code").fill(code);
  await page.evaluate(() => (window.heard = undefined));
  await run(page);
  await page.waitForFunction(() => window.heard);
  return page.evaluate(() => window.heard);
}

/** What CPython makes of each code: its run, as the interpreter in the page would say it, and whether the saved tests pass. */
const harness = `
import contextlib, io, json, sys, types, unittest
asked = json.load(sys.stdin)
def run(code):
    space, printed = {}, []
    exec(asked["driver"], space)
    def heard(function, *texts):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            said = json.loads(function(*texts))
        printed.append(out.getvalue())
        return said
    loaded = heard(space["load"], code, asked["name"])
    calls = [heard(space["call"], call) for call in asked["calls"]] if loaded.get("found") else []
    return {"loaded": loaded, "calls": calls, "printed": printed, "late": False}
def passes(code):
    sys.modules["solution"] = types.ModuleType("solution")
    tests = types.ModuleType("tests")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "solution.py", "exec"), sys.modules["solution"].__dict__)
            exec(asked["tests"], tests.__dict__)
            return unittest.defaultTestLoader.loadTestsFromModule(tests).run(unittest.TestResult()).wasSuccessful()
    except (ImportError, SyntaxError):
        return False
print(json.dumps([{"run": run(code), "passes": passes(code)} for code in asked["codes"]]))
`;

function inCPython(codes) {
  const input = JSON.stringify({
    codes,
    driver: readFileSync(new URL("../../web/exercise/interpreter/driver.py", import.meta.url), "utf8"),
    name: functionName,
    calls: cases.map((one) => callOf(scenario, one)),
    tests: asPytest(engine, cases),
  });
  const { status, stdout, stderr } = spawnSync("python3", ["-c", harness], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).map(({ run, passes }) => ({ ...judged(scenario, cases, run), passes }));
}

/** Where Python stopped, without its words for why: they are the interpreter's own. */
const without = (words) => words.replace(/(Python stopped in line \d+: \w+Error).*/, "$1");

test("of each function with a usual bug the first wrong case is shown, with its reason, the same as in CPython", async () => {
  const page = await open();
  await openEditor(page);
  assert.equal(cases.length, 31);
  const everywhere = Object.entries(functions).filter(([, { elsewhere }]) => !elsewhere);
  const verdicts = inCPython(everywhere.map(([, { code }]) => code));
  const there = new Map(everywhere.map(([name], at) => [name, verdicts[at]]));
  for (const [name, { code, right, failed = "seed 1, level 1", said = [] }] of Object.entries(functions)) {
    const heard = await ran(page, code);
    assert.deepEqual([heard.cases, heard.right, heard.correct], [31, right, right === 31], name);
    assert.equal(heard.failed?.name, right === 31 ? undefined : failed, name);
    assert.equal(heard.failed?.said.length ?? 0, said.length, `${name}: ${heard.failed?.said}`);
    said.forEach((words, at) => assert.match(heard.failed.said[at], words, name));
    // What the event says, the learner reads.
    const read = heard.failed?.said[0].replace(/^\w+: /, "") ?? "✓ All 31 cases are right.";
    await page.getByText(read, { exact: false }).first().waitFor();
    const other = there.get(name);
    if (!other) continue;
    assert.deepEqual([other.right, other.failed?.name], [right, heard.failed?.name], name);
    assert.equal(other.passes, right === 31, `${name}: the saved tests`);
    assert.deepEqual(
      heard.failed?.said.map(without),
      other.failed && saidOf(other.failed).map((words) => without(words.filter(Boolean).join(": "))),
      name,
    );
  }
  await page.done();
});

test("Python is fetched once the editor is opened, from the page's own host, and then works offline", async () => {
  const page = await open({ serviceWorkers: "allow" });
  const asked = [];
  page.on("request", (request) => /micropython/.test(request.url()) && asked.push(new URL(request.url()).pathname));
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  assert.deepEqual(asked, []);
  const kept = () =>
    page.evaluate(async () => {
      const cache = await caches.open((await caches.keys())[0]);
      return (await cache.keys()).filter(({ url }) => /micropython/.test(url)).length;
    });
  assert.equal(await kept(), 0);
  await openEditor(page);
  assert.equal((await ran(page, written())).right, 31);
  assert.equal(new Set(asked).size, 2);
  assert.equal(await kept(), 2);
  await page.context().setOffline(true);
  await page.reload();
  await page.evaluate(() => addEventListener("function", ({ detail }) => (window.heard = detail)));
  await openEditor(page);
  assert.equal((await ran(page, written())).right, 31);
  await page.done();
});

test("what was opened before the service worker was there is kept by it as well", async () => {
  const page = await open({ serviceWorkers: "allow" });
  await openEditor(page);
  assert.equal((await ran(page, written())).right, 31);
  await page.waitForFunction(async () => {
    const [name] = await caches.keys();
    const found = name && (await (await caches.open(name)).keys());
    return found && found.filter(({ url }) => /micropython/.test(url)).length === 2;
  });
  await page.done();
});

test("offline, an editor that was never opened says what is missing", { tag: "@long" }, async () => {
  const page = await open({ serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await page.context().setOffline(true);
  await page.locator("summary", { hasText: "Write the function" }).click();
  const missing = page.getByText("Python did not load: you are offline.");
  await missing.waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("commcost-write-function .actions [role=status]:empty").waitFor({ state: "attached" });
  await page.context().setOffline(false);
  await missing.waitFor({ state: "detached" });
  assert.equal((await ran(page, written())).right, 31);
  await page.context().close();
});

test("Tab indents, Escape and then Tab leaves, lines keep their indentation, Ctrl+Enter runs", async () => {
  const page = await open();
  await openEditor(page);
  const code = page.locator("#code");
  const focused = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.id || at.textContent.trim();
    });
  await code.fill("");
  await code.pressSequentially("def f():");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x = 1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("y");
  assert.equal(await code.inputValue(), "def f():\n    x = 1\n        y");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await code.inputValue(), "def f():\n    x = 1\n    y");
  await page.keyboard.press("Control+z");
  assert.equal(await code.inputValue(), "def f():\n    x = 1\n        y", "the browser's own undo");
  assert.equal(await focused(), "code");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Run");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "code");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Python stopped in line 3: IndentationError").waitFor();
  await page.done();
});

test("no verdict outlives its code or its exercise; the code outlives the page", async () => {
  const page = await open();
  await openEditor(page);
  await ran(page, written());
  const ticked = page.getByText("✓ All 31 cases are right.");
  await ticked.waitFor();
  await page.locator("#code").press("End");
  await page.keyboard.type("#");
  await settled(page);
  assert.equal(await ticked.count(), 0);
  await ran(page, written());
  await ticked.waitFor();
  await page.getByRole("button", { name: "New exercise" }).click();
  await page.getByText("Exercise 2, level 1").waitFor();
  assert.equal(await ticked.count(), 0);
  await page.reload();
  await openEditor(page);
  assert.equal(await page.locator("#code").inputValue(), written());
  await page.locator("#code").fill(" ");
  await page.reload();
  await openEditor(page);
  assert.match(
    await page.locator("#code").inputValue(),
    /^def tensor_parallel_allreduce_cost\(\n {4}hidden_size: int,/,
  );
  await page.done();
});

test("an exception shows its line, prints are shown, nothing of one run is left in the next", async () => {
  const page = await open();
  await openEditor(page);
  await ran(page, written({ before: 'print("seen", num_gpus); undefined_name' }));
  await page.locator("commcost-code-editor .marked", { hasText: "3" }).waitFor();
  await page.getByLabel("Printed").getByText("seen 4").waitFor();
  await page.getByLabel("Traceback").getByText('File "function.py", line 3').waitFor();
  // A module that one run changes is as it was in the next.
  await ran(page, `import json\njson.dumps = None\n${written()}`);
  assert.equal((await ran(page, `import json\njson.dumps({})\n${written()}`)).right, 31);
  await page.done();
});

for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 360],
])
  test(`the editor and what it says are accessible, ${colorScheme}, ${width} px wide`, async () => {
    const page = await open({ colorScheme, viewport: { width, height: 900 } });
    await openEditor(page);
    for (const name of ["seconds", "a name mistyped"]) {
      await ran(page, functions[name].code);
      assert.deepEqual(await axeFindings(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    }
    await page.done();
  });

test("where Python may not be loaded the paste box stays, and says why: in a frame, and from file://", async () => {
  const saved = new URL("../../build/site/commcost.html", import.meta.url).href;
  for (const address of [`${site.address}embed.html?`, `${saved}#`]) {
    const page = await openPage(browser, `${address}view=exercise&seed=1&level=1`, { ready: "commcost-exercise form" });
    await page.locator("summary", { hasText: "Write the function" }).click();
    await page.getByText("Python runs on commcost’s own page alone").waitFor();
    assert.equal(await page.locator("#code").count(), 0, address);
    await page.locator("#printed").fill("None");
    await page.locator("#printed").blur();
    await page.getByText("Your function returned None").waitFor();
    await page.done();
  }
});
