import { passedOn, version, type FrameMessage } from "./protocol.js";

/** A frame's side of the protocol: what it says to the page around it, and to whom. */

/** The origin that the host says is its own; "null" where it has none; nothing where it did not say. */
export const host = new URLSearchParams(location.search).get("host");

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Whether a host has named itself: what is nobody else's business reaches it alone. */
export const isHeard = host !== null && parent !== window && (host === "null" || isOrigin(host));

/** Says something to the host that has named itself. */
export function say(message: FrameMessage): void {
  // An opaque origin cannot be addressed; it can be checked.
  if (isHeard) parent.postMessage(message, host === "null" ? "*" : host!);
}

/** Says the page's height from now on. It is no secret, so that a host that did not name itself can follow it. */
export function sayHeight(): void {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    parent.postMessage({ type: "commcost:height", v: version, height } satisfies FrameMessage, "*");
  }).observe(document.documentElement);
}

/** Passes on the events of what `place` shows. */
export function passOn(place: EventTarget): void {
  for (const type of passedOn)
    place.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) say({ type: `commcost:${type}`, v: version, detail: event.detail });
    });
}
