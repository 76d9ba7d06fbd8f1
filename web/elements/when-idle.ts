/** Has something done once nothing else is to be done, or after so long, ms. */
export function whenIdle(then: () => void, latest: number): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(() => then(), { timeout: latest });
  else setTimeout(then, 50);
}
