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
    /** Presses at the first point, moves over the others, lets go at the last; pointer: mouse or touch. */
    drag: async (points, pointer) => {
      const [first, ...others] = points;
      if (pointer === "mouse") {
        await page.mouse.move(...first);
        await page.mouse.down();
        for (const point of others) await page.mouse.move(...point);
        await page.mouse.up();
      } else {
        await page.touchscreen.touchStart(...first);
        for (const point of others) await page.touchscreen.touchMove(...point);
        await page.touchscreen.touchEnd();
      }
    },
    /** Goes into the page's first frame. */
    enterFrame: async () => {
      place = page.frames().find((frame) => frame.parentFrame());
    },
    screenshot: () => page.screenshot({ encoding: "base64" }),
    stop: () => browser.close(),
  };
}
