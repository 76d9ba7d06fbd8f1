import type { Part } from "../engine/part.js";
import { whenIdle } from "./when-idle.js";

const awaited = new Set<Part>();

/**
 * Requests a part once the answer is drawn and the page is idle, but not again with every drawing: a part that failed
 * to load says so until its reader asks again.
 */
export function askWhenIdle(part: Part): void {
  if (awaited.has(part)) return;
  awaited.add(part);
  const ask = () => part.state === "unasked" && void part.ask();
  whenIdle(ask, 2000);
}
