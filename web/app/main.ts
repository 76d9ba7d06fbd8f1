import { Part } from "../engine/part.js";
import type { App } from "./app.js";
import "./app.js";
// What only the page has around its views.
import "../elements/scenario-panel.js";
import "./compare-bar.js";
import "./keys-dialog.js";
import { keepForOffline } from "./keep-for-offline.js";
import { renew } from "./renew.js";

/** Empty where the page is one file, which is kept by whoever has saved it. */
declare const ENGINE_FILE: string;

if (ENGINE_FILE) {
  Part.renew = renew;
  // What the first answer needs comes before what is kept.
  void document.querySelector<App>("commcost-app")!.whole.then(keepForOffline);
}
