// The first script of the hosted pages: it brings the page's own, and says so where that does not come. Its name is the
// same in every version, so that a page of one version beside the files of the next loads all of those.
import type { MissingPart } from "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import "../elements/missing-part.js";
import { renew } from "./renew.js";

/** The script of each page. */
declare const SCRIPTS: Record<string, string>;

Part.renew = renew;
const page = (document.currentScript as HTMLScriptElement).dataset["page"]!;
const part = new Part(page === "scoreboard" ? "The scoreboard" : "The calculator", () => import(SCRIPTS[page]!));

// What the element shows before its script is here.
const place = document.querySelector("commcost-app, commcost-practice-page, commcost-scoreboard")!;
const loading = document.createElement("p");
loading.textContent = "Loading…";
const missing = document.createElement("commcost-missing") as MissingPart;
missing.of = part;
place.replaceChildren(loading, missing);
part.addEventListener("change", () => (loading.hidden = part.state === "missing" || part.tries > 1));
void part.ask();
