// The package as its users get it: packed, installed into an empty folder, and used as its examples do.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "@playwright/test";
import { build } from "vite";
import { openPage, result, serve } from "./support/browser.mjs";

const root = new URL("../../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "commcost-package-"));
const installed = join(folder, "node_modules/commcost");
const npm = (cwd, ...args) => execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

let browser, host;
test.beforeAll(async ({ browser: launched }) => {
  execFileSync(process.execPath, [`${root}web/build/package.mjs`]);
  const tarball = npm(`${root}build/package`, "pack", "--silent", "--pack-destination", folder).trim();
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  npm(folder, "install", `./${tarball}`, "--offline", "--no-audit", "--no-fund");
  browser = launched;
  host = await serve("/", folder);
});
test.afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true });
});

/** Copies an example beside the installed package and opens it. */
async function open(example, ready) {
  cpSync(join(installed, "examples", example), folder, { recursive: true });
  return openPage(browser, host.address, { ready });
}

test("is one package with notices, types and all that it exports", () => {
  const { version, exports, license } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(license, "MIT");
  for (const target of Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  )) {
    assert.ok(existsSync(join(installed, target)), target);
  }
  for (const name of ["LICENSE", "README.md", "licenses.txt"]) assert.ok(existsSync(join(installed, name)), name);
  const notices = readFileSync(join(installed, "licenses.txt"), "utf8");
  for (const part of ["lit-html", "d3-scale", "Emscripten", "libc++", "musl"]) assert.ok(notices.includes(part), part);
});

test("calculates in Node", () => {
  const printed = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { loadEngine } from "commcost";
    const engine = await loadEngine();
    process.stdout.write(String(engine.tensor_parallel_allreduce_cost({ hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 }).total_comm_time_ms));`,
    ],
    { cwd: folder, encoding: "utf8" },
  );
  assert.equal(printed.trim(), "50.108");
});

test("has types that hold the examples and refuse what is wrong", () => {
  cpSync(join(installed, "examples/bundler/main.ts"), join(folder, "main.ts"));
  writeFileSync(
    join(folder, "usage.ts"),
    `import { mount, followHeight } from "commcost/embed";
import type { AnswerDetail, Outcome } from "commcost/element";
import type { CollectiveCostResults } from "commcost";
const { frame, set, remove } = mount("#here", { view: "ring", inputs: { ranks: 8, latency_us: "3 us" }, colors: "dark", sandbox: null });
set({ ranks: 4 });
followHeight(frame, { greatest: 900 })();
remove();
const calculator = document.createElement("commcost-calculator");
calculator.exercise = true;
calculator.seed = 7;
calculator.colors = "dark";
calculator.addEventListener("answer", ({ detail }) => { const answer: AnswerDetail = detail; console.log(answer.mistake === "missing_factor_2"); });
document.querySelector("commcost-ring")!.addEventListener("change", ({ detail }) => {
  const outcome: Outcome<CollectiveCostResults> = detail;
  console.log(outcome.results?.rounds, outcome.problems?.[0]?.message);
});
// @ts-expect-error: results of one view are not another's
document.querySelector("commcost-plan")!.addEventListener("change", ({ detail }) => detail.results?.rounds);
// @ts-expect-error: no such algorithm
document.querySelector("commcost-ring")!.algorithm = "square";
// @ts-expect-error: no such colours
calculator.colors = "sepia";
// @ts-expect-error: no such colours
mount("#here", { colors: "sepia" });
`,
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(
    process.execPath,
    [
      compiler,
      "--noEmit",
      "--strict",
      "--target",
      "es2022",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
      "--lib",
      "es2023,dom,dom.iterable",
      "--types",
      "",
      "main.ts",
      "usage.ts",
    ],
    { cwd: folder, stdio: "inherit" },
  );
});

test("runs in a plain page", async () => {
  const page = await open("plain", "commcost-calculator .headline");
  await page
    .getByText(/^[\d.]+ ms$/)
    .first()
    .waitFor();
  assert.equal(
    await page.locator("#time").textContent(),
    `${await result(page, "total_comm_time_ms").textContent()} ms`,
  );
  await page.done();
});

test("runs through a bundler", async () => {
  const source = join(folder, "source");
  cpSync(join(installed, "examples/bundler"), source, { recursive: true });
  cpSync(join(folder, "node_modules"), join(source, "node_modules"), { recursive: true });
  const outDir = join(folder, "bundled");
  await build({
    root: source,
    configFile: false,
    logLevel: "error",
    build: { outDir, emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false } },
  });
  const bundled = await serve("/", outDir);
  const page = await openPage(browser, bundled.address, { ready: "commcost-ring form" });
  await page.waitForFunction(() => document.title === "12 rounds");
  await page.locator("#time", { hasText: "50.108 ms" }).waitFor();
  await page.done();
  await bundled.stop();
});

test("runs in a frame, from the folder it was installed into", async () => {
  const page = await open("frame", "iframe");
  const frame = page.frameLocator("iframe");
  await frame.locator("#answer_message_size_bytes").fill("1");
  await page.keyboard.press("Enter");
  await page.getByText("Likely missed: not known").waitFor();
  await page.done();
});
