// The elements in components: `import type {} from "commcost/svelte"`, once.
import type { ElementAttributes, Elements } from "../commcost-element.js";
import type { HTMLAttributes } from "svelte/elements";

/** What every element takes, but for what ours have under the same name. */
type Common<Own> = Omit<HTMLAttributes<HTMLElement>, keyof Own>;
type Tags = {
  [Tag in keyof Elements]: ElementAttributes<Elements[Tag]> & Common<ElementAttributes<Elements[Tag]>>;
};

declare module "svelte/elements" {
  interface SvelteHTMLElements extends Tags {}
}
