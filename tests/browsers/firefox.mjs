// Debian's Firefox over WebDriver BiDi.
import puppeteer from "puppeteer-core";

/** A browser as the tests drive each: a page at a time, asked by scripts, typed into. */
export async function startFirefox() {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  let place = page;
  return {
    open: async (url) => {
      place = page;
      await page.goto(url);
    },
    /** What a function gives where it runs in the page, or in the frame that was entered. */
    ask: (script, ...args) => place.evaluate(script, ...args),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    /** Goes into the page's first frame. */
    enterFrame: async () => {
      place = page.frames().find((frame) => frame.parentFrame());
    },
    screenshot: () => page.screenshot({ encoding: "base64" }),
    stop: () => browser.close(),
  };
}
