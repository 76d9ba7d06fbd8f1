import type { App } from "../app/app.js";
import "../app/app.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { announce } from "./announce.js";
import { passedOn, version, type FrameMessage, type HostMessage } from "./protocol.js";

/** The frame's side of the protocol: what the page in it has to say, it says to its parent alone. */

const app = document.querySelector("commcost-app") as App;

/** The origin that the host says is its own; "null" where it has none; nothing where it did not say. */
const host = new URLSearchParams(location.search).get("host");

/** A message whose content is nobody else's business reaches only an origin that has asked for it. */
function say(message: FrameMessage, to: string): void {
  parent.postMessage(message, to);
}

// Height is no secret, so that a host that did not name itself can follow it.
new ResizeObserver(() => {
  say(
    { type: "commcost:height", v: version, height: Math.ceil(document.documentElement.getBoundingClientRect().height) },
    "*",
  );
}).observe(document.documentElement);

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

if (host !== null && parent !== window && (host === "null" || isOrigin(host))) {
  // An opaque origin cannot be addressed; it can be checked.
  const to = host === "null" ? "*" : host;
  // What the frame shows, not what that is made of.
  ScenarioView.connected = (view) => {
    if (view.parentElement?.id === "main") announce(view);
  };
  for (const type of passedOn) {
    app.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) say({ type: `commcost:${type}`, v: version, detail: event.detail }, to);
    });
  }
  addEventListener("message", ({ source, origin, data }: MessageEvent<HostMessage | null>) => {
    if (source !== parent || origin !== host) return;
    if (data?.type !== "commcost:set" || data.v !== version || typeof data.inputs !== "object" || data.inputs === null)
      return;
    const texts = Object.entries(data.inputs).filter(([, value]) =>
      ["string", "number", "boolean"].includes(typeof value),
    );
    // As if it stood in the frame's address: the same reading, the same refusals.
    app.take(new URLSearchParams(texts.map(([name, value]) => [name, String(value)])).toString());
  });
  void app.started.then(() => say({ type: "commcost:ready", v: version }, to));
}
