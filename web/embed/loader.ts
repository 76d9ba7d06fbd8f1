import { modules } from "virtual:commcost-elements";

// Loads each element once its tag is in the page.

/** On a server there is no document, and nothing to define. */
const here = "document" in globalThis;

/** Elements that failed to load are requested again with their next tag. */
const asked = new Map<string, Promise<unknown>>();

/** Defines an element, as `commcost-ring`; only needed if its tag is in a shadow root. */
export function define(name: string): Promise<unknown> {
  const load = modules[name];
  if (!load || !here) return Promise.resolve();
  let module = asked.get(name);
  if (!module) {
    module = load();
    asked.set(name, module);
    module.catch(() => asked.delete(name));
  }
  return module;
}

const tags = Object.keys(modules).join();

function find(root: ParentNode): void {
  for (const { localName } of root.querySelectorAll(tags)) ask(localName);
}

// What its author put between the tags stays.
const ask = (name: string) => define(name).catch((error: unknown) => console.error(error));

if (here) {
  find(document);
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element) {
        if (node.matches(tags)) void ask(node.localName);
        find(node);
      }
  }).observe(document, { childList: true, subtree: true });
}
