import type { LitElement, ReactiveController } from "lit";

/** Parts inside an element of its own. */
const holders = new Map([["inputs", "commcost-scenario"]]);

const selectorOf = (name: string): string => {
  const holder = holders.get(name);
  return `[part~="${CSS.escape(name)}"]${holder ? `, ${holder}` : ""}`;
};

/** What stays whatever is chosen: problems of the inputs or the tag, and the link back to the page. */
const always = "[role=alert], .author, .back, .back *";

/**
 * Reduces a view to the parts that its page asks for: `parts="headline results"`. Whatever holds a part, or is inside
 * one, is kept; headings and everything else outside the parts are removed.
 */
export class ChosenParts implements ReactiveController {
  constructor(private readonly view: LitElement & { readonly parts: string | undefined }) {
    view.addController(this);
  }

  hostUpdated(): void {
    const { parts, renderRoot } = this.view;
    const names = parts?.split(/\s+/).filter(Boolean) ?? [];
    const marked = renderRoot.querySelectorAll("[data-left-out]");
    if (names.length === 0) {
      for (const element of marked) element.removeAttribute("data-left-out");
      return;
    }
    // An element that shows another whole view has chosen its parts.
    const chosen = `${[...names.map(selectorOf), always].join(", ")}, [data-view]`;
    const holding = new Set<Node>();
    for (const part of renderRoot.querySelectorAll(chosen))
      for (let node: Node | null = part.parentNode; node; node = node.parentNode) holding.add(node);
    for (const element of renderRoot.querySelectorAll("*"))
      element.toggleAttribute("data-left-out", !holding.has(element) && !element.closest(chosen));
  }
}
