// From saving a source to seeing it on the page of `npm run dev`: of TypeScript and of the core, three times each.
// node bench/edit-to-screen.mjs [times [part of a name]]; the sources are as before afterwards. Build wasm-dev first (npm run
// dev does); the first edit of each kind is made for nothing, so that what was changed before is not counted.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const root = new URL("../", import.meta.url).pathname;
const [times = 3, wanted = ""] = process.argv.slice(2);

/** What is edited, and where the page shows it. */
const edits = [
  {
    what: "TypeScript (web/app/views.ts)",
    file: `${root}web/app/views.ts`,
    from: `title: "Cost"`,
    to: (mark) => `title: "Cost ${mark}"`,
    seen: (mark) =>
      document.querySelector("commcost-app")?.renderRoot?.querySelector("nav")?.textContent.includes(mark),
  },
  {
    what: "core (core/calculator/tensor_parallel_allreduce_cost.cpp)",
    file: `${root}core/calculator/tensor_parallel_allreduce_cost.cpp`,
    from: /"Sent by each GPU in one/,
    to: (mark) => `"${mark} Sent by each GPU in one`,
    seen: (mark) =>
      JSON.stringify(
        document
          .querySelector("commcost-app")
          ?.renderRoot?.querySelector("commcost-cost")
          ?.scenario?.engine.describe() ?? "",
      ).includes(mark),
  },
];

const server = await createServer({ configFile: `${root}web/vite.config.mjs`, server: { port: 0 }, logLevel: "warn" });
await server.listen();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.goto(`${server.resolvedUrls.local[0]}#num_gpus=4`);
await page.locator("commcost-cost").waitFor();
for (const { what, file, from, to, seen } of edits.filter((edit) => edit.what.includes(wanted))) {
  const before = readFileSync(file, "utf8");
  const took = [];
  try {
    for (let round = 0; round <= times; ++round) {
      const mark = `m${round}${Date.now()}`;
      const began = performance.now();
      writeFileSync(file, before.replace(from, to(mark)));
      await page.waitForFunction(seen, mark, { timeout: 300_000, polling: 20 });
      if (round > 0) took.push(performance.now() - began);
      const kept = await page.evaluate(() => location.hash);
      if (!kept.includes("num_gpus=4")) throw new Error(`the scenario is lost: ${kept}`);
    }
  } finally {
    writeFileSync(file, before);
  }
  console.log(`${what}: ${took.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(", ")}`);
}
await browser.close();
await server.close();
