import type { App } from "../app/app.js";
import "../app/app.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { announce } from "./announce.js";
import { version, type HostMessage } from "./protocol.js";
import { host, isHeard, passOn, say, sayHeight } from "./speak.js";

/** The frame's side of the protocol: the page in it reports only to its parent. */

const app = document.querySelector("commcost-app") as App;

sayHeight();

if (isHeard) {
  // Only what the frame shows, not its inner elements.
  ScenarioView.connected = (view) => {
    if (view.parentElement?.id === "main") announce(view);
  };
  passOn(app);
  addEventListener("message", ({ source, origin, data }: MessageEvent<HostMessage | null>) => {
    if (source !== parent || origin !== host) return;
    if (data?.type !== "commcost:set" || data.v !== version || typeof data.inputs !== "object" || data.inputs === null)
      return;
    const texts = Object.entries(data.inputs).filter(([, value]) =>
      ["string", "number", "boolean"].includes(typeof value),
    );
    // As if it were in the frame's address: read and refused in the same way.
    app.take(new URLSearchParams(texts.map(([name, value]) => [name, String(value)])).toString());
  });
  void app.started.then(() => say({ type: "commcost:ready", v: version }));
}
