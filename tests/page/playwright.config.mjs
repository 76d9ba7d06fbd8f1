// How the page is tested; what it shows of a failure lies in build/test/page.
import { defineConfig } from "@playwright/test";
import { launching } from "./support/browser.mjs";

const results = new URL("../../build/test/", import.meta.url).pathname;

export default defineConfig({
  testMatch: "*.test.mjs",
  outputDir: `${results}page`,
  // As many as Debian's smallest build machine has cores; a file's tests run one after another.
  workers: 2,
  // Nobody waits so long: a stall is a failure, a busy machine is not.
  timeout: 300_000,
  forbidOnly: true,
  reporter: [["list"], ["junit", { outputFile: `${results}page.xml` }]],
  use: { launchOptions: launching, actionTimeout: 60_000, trace: "retain-on-failure" },
});
