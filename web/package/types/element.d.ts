// What a module that defines one element has: the types of all, and no `define`.
export type * from "../commcost-element.js";
