// From saving a source to seeing it on the page of `npm run dev`. Each source is as before afterwards, whatever happens.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "vite";
import { startBrowser } from "../../tests/page/support/browser.mjs";
import { median } from "./statistics.mjs";

const root = new URL("../../", import.meta.url).pathname;
const times = 3;
const longest_ms = 300_000;
const scenario = "tensor_parallel=4";

/** What is edited: the text that `found` finds in a file, once, and whether the page shows a text, asked in the page. */
const edits = {
  typescript: {
    file: "web/app/views.ts",
    found: /(?<=id: "cost",\s+title: ")[^"]+/g,
    shown: (text) => document.querySelector("commcost-app").renderRoot.textContent.includes(text),
  },
  core: {
    file: "core/calculator/tensor_parallel_allreduce_cost.cpp",
    found: /(?<=result<&Results::comm_volume_per_allreduce_bytes>\(\s*")[^"]+/g,
    shown: (text) => {
      const cost = document.querySelector("commcost-app").renderRoot.querySelector("commcost-cost");
      return JSON.stringify(cost.scenario.engine.describe()).includes(text);
    },
  },
};

/** Resolves once the page shows the text; while it is loaded anew nothing can be asked. */
async function until(page, shown, text) {
  const end = performance.now() + longest_ms;
  while (!(await page.evaluate(shown, text).catch(() => false))) {
    if (performance.now() > end) throw new Error(`after ${longest_ms / 1e3} s the page does not show "${text}"`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Seconds from each save to its sight on the page; the first is not counted, since it also builds what was changed before. */
async function secondsOf(page, { file, found, shown }) {
  const path = `${root}${file}`;
  const before = readFileSync(path, "utf8");
  const places = before.match(found) ?? [];
  if (places.length !== 1)
    throw new Error(`${file} has ${places.length} places that ${found} finds, and one is to be edited`);
  if (!(await page.evaluate(shown, places[0]))) throw new Error(`the page does not show "${places[0]}" of ${file}`);
  const restore = () => writeFileSync(path, before);
  process.once("exit", restore);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const seconds = [];
  try {
    for (let round = 0; round <= times; ++round) {
      const text = `${places[0]} ${round}`;
      const began = performance.now();
      writeFileSync(path, before.replace(found, text));
      await until(page, shown, text);
      if (round > 0) seconds.push((performance.now() - began) / 1e3);
      const address = await page.evaluate(() => location.hash);
      if (!address.includes(scenario)) throw new Error(`the page was loaded anew without its scenario: ${address}`);
    }
  } finally {
    restore();
    process.off("exit", restore);
  }
  return seconds;
}

/** The median of the seconds that an edit takes: "typescript" or "core". */
export async function editToScreen(kind) {
  const browser = await startBrowser();
  const server = await createServer({
    configFile: `${root}web/vite.config.mjs`,
    server: { port: 0 },
    logLevel: "error",
  });
  try {
    await server.listen();
    const page = await browser.newPage();
    await page.goto(`${server.resolvedUrls.local[0]}#view=cost&${scenario}`);
    await until(page, edits.core.shown, "");
    return median(await secondsOf(page, edits[kind]));
  } finally {
    await browser.close();
    await server.close();
  }
}
