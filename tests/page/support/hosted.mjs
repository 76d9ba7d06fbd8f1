// What every file of page tests needs: the browser, and the site served for it.
import { test } from "@playwright/test";
import { serve } from "./browser.mjs";

/** Those of the file that runs. */
export let browser, host;

/** What a test has served in addition, to be stopped after it. */
export const others = [];

/** Called once at the head of a file: serves the site, under a path where one is given, while its tests run. */
export function hosted(prefix) {
  test.beforeAll(async ({ browser: launched }) => {
    browser = launched;
    host = await serve(prefix);
  });
  test.afterEach(async () => {
    for (const other of others.splice(0)) await other.stop();
  });
  test.afterAll(() => host.stop());
}
