import { passedOn, version, type FrameMessage } from "./protocol.js";

/** A frame's side of the protocol: what it tells the page around it, and to whom. */

/** The origin that the host states as its own; "null" if it has none; nothing if it did not say. */
export const host = new URLSearchParams(location.search).get("host");

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Whether a host has identified itself: private messages go only to it. */
export const isHeard = host !== null && parent !== window && (host === "null" || isOrigin(host));

/** Sends a message to the host that has identified itself. */
export function say(message: FrameMessage): void {
  // An opaque origin can't be addressed, but it can be checked.
  if (isHeard) parent.postMessage(message, host === "null" ? "*" : host!);
}

/** Reports the page's height from now on. It is no secret, so a host that did not identify itself can follow it. */
export function sayHeight(): void {
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    parent.postMessage({ type: "commcost:height", v: version, height } satisfies FrameMessage, "*");
  }).observe(document.documentElement);
}

/** Passes on the events of the content of `place`. */
export function passOn(place: EventTarget): void {
  for (const type of passedOn)
    place.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) say({ type: `commcost:${type}`, v: version, detail: event.detail });
    });
}
