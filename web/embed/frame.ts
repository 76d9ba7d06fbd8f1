import type { App } from "../app/app.js";
import "../app/app.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { announce } from "./announce.js";
import { version, type HostMessage } from "./protocol.js";
import { host, isHeard, passOn, say, sayHeight } from "./speak.js";

/** The frame's side of the protocol: what the page in it has to say, it says to its parent alone. */

const app = document.querySelector("commcost-app") as App;

sayHeight();

if (isHeard) {
  // What the frame shows, not what that is made of.
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
    // As if it stood in the frame's address: the same reading, the same refusals.
    app.take(new URLSearchParams(texts.map(([name, value]) => [name, String(value)])).toString());
  });
  void app.started.then(() => say({ type: "commcost:ready", v: version }));
}
