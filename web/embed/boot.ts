// Loads the frame's scripts (web/build/classic.mjs makes them): each hands in its module, which runs once it is required.
import type { MissingPart } from "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import "../elements/missing-part.js";

type Exports = Record<string, unknown>;
type Load = (names: readonly string[]) => Promise<Exports>;
type Make = (require: (path: string) => Exports, exports: Exports, load: Load) => void;

/** The scripts of the page itself, the last its own; and the engine's first part. */
declare const START: readonly string[];
declare const FIRST: string;

const given = new Map<string, Make>();
const made = new Map<string, Exports>();
const asked = new Map<string, Promise<void>>();

/** After this time, ms, a script that did not arrive is requested anew by the code that needs it. */
const patience = 10_000;

Object.assign(globalThis, { commcostScript: (name: string, make: Make) => given.set(name, make) });

const require = (path: string): Exports => {
  const name = path.replace("./", "");
  if (!made.has(name)) {
    const exports = {};
    made.set(name, exports);
    given.get(name)!(require, exports, load);
  }
  return made.get(name)!;
};

/** A repeated request has another address: the browser may have kept something else under the first. */
const fetched = (name: string, again: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `./frame/${name}${again}`;
    const failed = () => reject(new Error(`${name} did not arrive`));
    script.onload = () => (given.has(name) ? resolve() : failed());
    script.onerror = failed;
    document.head.append(script);
  });

let tries = 0;

function came(name: string): Promise<void> {
  if (given.has(name)) return Promise.resolve();
  const before = asked.get(name);
  if (before) return before;
  const script = fetched(name, tries > 0 ? `?again=${tries}` : "");
  asked.set(name, script);
  const forget = () => {
    if (given.has(name) || asked.get(name) !== script) return;
    asked.delete(name);
    tries++;
  };
  script.catch(forget);
  setTimeout(forget, patience);
  return script;
}

/** The last one's module, once all are there. */
const load: Load = async (names) => {
  await Promise.all(names.map(came));
  return require(names.at(-1)!);
};

const app = document.querySelector("commcost-app")!;
const part = new Part("The calculator", () => load(START));
const missing = document.createElement("commcost-missing") as MissingPart;
missing.of = part;
app.append(missing);
part.addEventListener("change", () => {
  app.querySelector<HTMLElement>(":scope > p")!.hidden = part.state === "missing" || part.tries > 1;
});
void part.ask();
// The engine's first part is requested at the same time.
load([FIRST]).catch(() => {});
