// The elements in templates: `import type {} from "commcost/vue"`, once; `isCustomElement` is told of "commcost-" besides.
import type { ElementAttributes, Elements } from "../commcost-element.js";

type Tags = { [Tag in keyof Elements]: new () => { $props: ElementAttributes<Elements[Tag]> } };

declare module "vue" {
  interface GlobalComponents extends Tags {}
}
