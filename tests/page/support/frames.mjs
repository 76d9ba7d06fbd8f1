// How smoothly the page runs while something goes on: gaps between frames, and tasks that hold its thread.

/** Starts watching; `frames.read(page)` ends it. */
export async function watchFrames(page) {
  await page.evaluate(() => {
    const watch = (globalThis.frameWatch = { gaps: [], tasks: [], running: true });
    watch.observer = new PerformanceObserver((list) =>
      watch.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    watch.observer.observe({ type: "longtask" });
    let before = performance.now();
    const frame = (now) => {
      watch.gaps.push(now - before);
      before = now;
      if (watch.running) requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      before = now;
      requestAnimationFrame(frame);
    });
  });
}

/** {frames, p50_ms, p95_ms, greatest_ms, long_tasks_ms}: gaps between frames since the watch began, tasks of 50 ms and more. */
export async function readFrames(page) {
  return page.evaluate(async () => {
    const { frameWatch: watch } = globalThis;
    watch.running = false;
    await new Promise((resolve) => setTimeout(resolve));
    watch.tasks.push(...watch.observer.takeRecords().map(({ duration }) => duration));
    watch.observer.disconnect();
    const sorted = watch.gaps.sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return {
      frames: sorted.length,
      p50_ms: at(0.5),
      p95_ms: at(0.95),
      greatest_ms: sorted.at(-1),
      long_tasks_ms: watch.tasks,
    };
  });
}

/** The same of `work`, a function. */
export async function framesDuring(page, work) {
  await watchFrames(page);
  await work();
  return readFrames(page);
}
