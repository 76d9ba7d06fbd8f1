// Elements of the page without a page: lit's own replacements for the DOM in node, and here what those lack. Nothing is
// laid out, seen, clicked or attached; an element is given its properties, and its templates are read as text.
import { customElements, HTMLElement } from "@lit-labs/ssr-dom-shim";

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

Object.assign(globalThis, {
  HTMLElement,
  customElements,
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  IntersectionObserver: Observer,
  ResizeObserver: Observer,
  addEventListener() {},
  location: new URL("http://localhost/"),
  ...{ PYTHON: false, VERSION: "0", SCRIPTS: {} },
  document: { createElement: () => ({}), createTreeWalker: () => ({}), querySelector: () => null },
});

/** An element of a module, with its properties set. */
export function elementOf(module, properties) {
  const [Element] = Object.values(module).filter((one) => one.prototype?.render);
  const element = Object.assign(new Element(), properties);
  element.matches = () => false;
  element.dispatchEvent = () => true;
  element.willUpdate(new Map(Object.keys(properties).map((name) => [name, undefined])));
  return element;
}
