// How the page is tested; what it shows of a failure lies in build/test/page.
import { defineConfig } from "@playwright/test";
import { launching } from "./support/browser.mjs";

const results = new URL("../../build/test/", import.meta.url).pathname;
/** `npm test` runs each view's main path; where else the page stands, and what takes long, is tagged @long. COMMCOST_TESTS=all: both. */
const kinds = { quick: { grepInvert: /@long/ }, long: { grep: /@long/ }, all: {} };
const kind = process.env.COMMCOST_TESTS ?? "quick";

export default defineConfig({
  testMatch: "*.test.mjs",
  ...kinds[kind],
  outputDir: `${results}${kind === "long" ? "long" : "page"}`,
  // As many as Debian's smallest build machine has cores; a file's tests run one after another.
  workers: 2,
  // Long enough that only a stall fails, not a busy machine.
  timeout: 300_000,
  // A loaded machine's stall is not the page's; what passes at the second try alone is named at the end.
  retries: 1,
  forbidOnly: true,
  reporter: [
    ["list"],
    ["junit", { outputFile: `${results}${kind === "long" ? "long" : "page"}.xml`, includeRetries: true }],
  ],
  // A trace takes a third of the time again: --trace retain-on-failure where a failure is to be looked at.
  use: { launchOptions: launching, actionTimeout: 60_000, trace: "off" },
});
