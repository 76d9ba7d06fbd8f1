import { Part } from "../engine/part.js";
import type { App } from "./app.js";
import "./app.js";
// What surrounds the views only on the page.
import "../elements/scenario-panel.js";
import "./compare-bar.js";
import "./keys-dialog.js";
import { keepForOffline } from "./keep-for-offline.js";
import { renew } from "./renew.js";

/** Empty if the page is a single file, which the reader keeps as saved. */
declare const ENGINE_FILE: string;

if (ENGINE_FILE) {
  Part.renew = renew;
  // What the first answer needs comes before storing anything for offline use.
  void document.querySelector<App>("commcost-app")!.whole.then(keepForOffline);
}
