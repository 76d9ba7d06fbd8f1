// Learn's figures and numbers moved by hand: script, style and layout of each frame. Chromium's own count of script leaves out what
// runs in microtasks, where elements draw themselves: script is what a profile says.
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";

const frames = 40;

const chapterOf = (page, id) => page.locator(`.chapter[data-chapter="${id}"]`);

/** Moves the mouse over an element, between two places in it and back, in shares of its width and height. */
const dragged =
  (selector, from, to, prepare = async () => {}) =>
  async (page, chapter) => {
    await prepare(chapter);
    const drawing = chapter.locator(selector).first();
    await drawing.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await drawing.boundingBox();
    const at = (share) =>
      [0, 1].map((axis) => [x, y][axis] + [width, height][axis] * (from[axis] + share * (to[axis] - from[axis])));
    await page.mouse.move(...at(0));
    await page.mouse.down();
    return (frame) => page.mouse.move(...at(1 - Math.abs(1 - (2 * (frame + 1)) / frames)));
  };

/** Presses keys in turn on a number in a sentence. */
const pressed = (name) => async (page, chapter) => {
  await chapter.getByRole("slider", { name }).first().focus();
  return (frame) => page.keyboard.press(frame % 2 === 0 ? "ArrowLeft" : "ArrowRight");
};

const guessed = async (chapter) => {
  await chapter.getByRole("button", { name: "Compare" }).click();
  await chapter.getByRole("slider", { name: "Round", exact: true }).waitFor();
};

/** What is moved: the chapter, and what makes each frame's move once it is taken hold of. */
const moves = {
  "layers poured into a GPU": { chapter: "fit", take: dragged("svg.fit", [0.7, 0.8], [0.7, 0.1]) },
  "the knife turned": { chapter: "cut", take: dragged("svg.cut", [0.8, 0.5], [0.5, 0.9]) },
  "sheets lifted": { chapter: "sum", take: dragged(".sheets", [0.5, 0.5], [-0.5, 0.5]) },
  "rounds guessed": { chapter: "ring", take: dragged("svg.ring", [0.5, 0.2], [0.8, 0.5]) },
  "the ring turned": { chapter: "ring", take: dragged("svg.ring", [0.5, 0.2], [0.8, 0.5], guessed) },
  "bars drawn": { chapter: "twice", take: dragged(".drawing svg", [0.6, 0.8], [0.9, 0.2]) },
  "a time guessed": { chapter: "links", take: dragged("svg.guessing", [0.2, 0.6], [0.8, 0.6]) },
  "GPUs pulled into a layer’s day": { chapter: "day", take: dragged("svg.rows", [0.3, 0.1], [0.3, 0.9]) },
  "work dragged over a layer": { chapter: "hide", take: dragged(".day .free", [0.5, 0.5], [3, 2]) },
  "GPUs in the prose": { chapter: "sum", take: pressed("GPUs that share each matrix") },
  "tokens in the prose": { chapter: "sum", take: pressed("Tokens in a sequence") },
  "GPUs in the prose, at the end": { chapter: "hide", take: pressed("GPUs that share each matrix") },
};

export const moved = Object.keys(moves);

/** CPU milliseconds of style and layout so far. */
async function laidOut(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  const of = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return 1000 * (of.RecalcStyleDuration + of.LayoutDuration);
}

/** Milliseconds in which a profile was in script or in its garbage collector. */
function scripted({ nodes, samples, timeDeltas }) {
  const outside = new Set(
    nodes
      .filter(({ callFrame }) => ["(program)", "(idle)", "(root)"].includes(callFrame.functionName))
      .map(({ id }) => id),
  );
  return samples.reduce((sum, node, index) => sum + (outside.has(node) ? 0 : timeDeltas[index] / 1000), 0);
}

const painted = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        requestAnimationFrame(() => port2.postMessage(0));
      }),
  );

/** Milliseconds of script, style and layout a frame while that is moved, without what the measurement itself costs. */
export async function learnFrame(what) {
  const { chapter: id, take } = moves[what];
  const browser = await startBrowser();
  const { address, stop } = await serve();
  try {
    const page = await openPage(browser, address, { ready: "commcost-learn" });
    // Every figure's script is loaded: loading counts for no frame.
    for (const chapter of await page.locator(".chapter:has(commcost-figure)").all()) {
      await chapter.scrollIntoViewIfNeeded();
      await chapter.locator('svg[role="img"]').first().waitFor();
    }
    const chapter = chapterOf(page, id);
    await chapter.scrollIntoViewIfNeeded();
    const move = await take(page, chapter);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await session.send("Profiler.enable");
    const during = async (act) => {
      const before = await laidOut(session);
      await session.send("Profiler.start");
      for (let frame = 0; frame < frames; ++frame) {
        await act(frame);
        await painted(page);
      }
      const { profile } = await session.send("Profiler.stop");
      return scripted(profile) + (await laidOut(session)) - before;
    };
    await during(move);
    const idle = await during(() => undefined);
    const busy = await during(move);
    await page.mouse.up();
    await page.context().close();
    return (busy - idle) / frames;
  } finally {
    await browser.close();
    await stop();
  }
}
