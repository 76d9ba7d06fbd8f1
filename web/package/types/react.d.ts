// The elements in JSX: `import type {} from "commcost/react"`, once.
import type { ElementAttributes, Elements } from "../commcost-element.js";
import type { HTMLAttributes, RefAttributes } from "react";

/** What every element takes, but for what ours have under the same name. */
type Common<Own> = Omit<HTMLAttributes<HTMLElement>, keyof Own>;
type Tags = {
  [Tag in keyof Elements]: ElementAttributes<Elements[Tag]> &
    Common<ElementAttributes<Elements[Tag]>> &
    RefAttributes<Elements[Tag]>;
};

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
