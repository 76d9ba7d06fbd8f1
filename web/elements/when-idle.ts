/** Runs something when the browser is idle, or at the latest after this time, ms. */
export function whenIdle(then: () => void, latest: number): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(() => then(), { timeout: latest });
  else setTimeout(then, 50);
}
