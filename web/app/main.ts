import { Part } from "../engine/part.js";
import { scriptAddress } from "../state/trusted.js";
import type { App } from "./app.js";
import "./app.js";
// What only the page has around its views.
import "../elements/scenario-panel.js";
import "./compare-bar.js";
import "./keys-dialog.js";
import { renew } from "./renew.js";

/** Empty where the page is one file, which is kept by whoever has saved it. */
declare const ENGINE_FILE: string;

/** Offline use is a comfort; where storage is refused the page calculates all the same. */
async function keepForOffline(): Promise<void> {
  try {
    // In a sandbox already the look at it throws.
    await navigator.serviceWorker?.register(scriptAddress("sw.js"));
  } catch {
    // A comfort less.
  }
}

if (ENGINE_FILE) Part.renew = renew;
if (ENGINE_FILE && /^https?:$/.test(location.protocol) && !new URLSearchParams(location.search).has("no-sw"))
  // What the first answer needs comes before what is kept.
  void document.querySelector<App>("commcost-app")!.whole.then(keepForOffline);
