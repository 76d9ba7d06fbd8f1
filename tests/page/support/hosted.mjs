// What a file of page tests stands on: the browser, and the site served for it.
import { test } from "@playwright/test";
import { serve } from "./browser.mjs";

/** Those of the file that runs. */
export let browser, host;

/** Called once at the head of a file: serves the site, under a path where one is given, while its tests run. */
export function hosted(prefix) {
  test.beforeAll(async ({ browser: launched }) => {
    browser = launched;
    host = await serve(prefix);
  });
  test.afterAll(() => host.stop());
}
