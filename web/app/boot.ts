// The first script of the hosted pages: it loads the page's own and reports if that fails. Its name is the same in
// every version, so that a page of one version next to the files of the next loads all of those.
import type { MissingPart } from "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import "../elements/missing-part.js";
import { renew } from "./renew.js";

/** The script of each page. */
declare const SCRIPTS: Record<string, string>;
/** Files, and those of them that the first answer waits for: of a view by its name, of any other by none, of a page without a link by its file. */
declare const FILES: readonly string[];
declare const EARLY: readonly (readonly [string, readonly number[]])[];

Part.renew = renew;
const page = (document.currentScript as HTMLScriptElement).dataset["page"]!;

/** Requests what the page's script would request once it is here itself. */
function askEarly(): void {
  const said = location.search + location.hash;
  const named = [...said.matchAll(/[?#&]view=([\w-]+)/g)].at(-1)?.[1];
  const early = new Map(EARLY);
  const places =
    page === "index" && said.length > 1 ? (early.get(named ?? "") ?? early.get("")) : early.get(`${page}.html`);
  for (const place of places ?? []) {
    const link = document.createElement("link");
    const file = FILES[place]!;
    link.rel = file.endsWith(".js") ? "modulepreload" : "preload";
    if (link.rel === "preload") link.as = "fetch";
    link.crossOrigin = "";
    link.href = `./${file}`;
    document.head.append(link);
  }
}
askEarly();

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
