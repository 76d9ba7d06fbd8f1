declare module "virtual:scoreboard" {
  import type { Packed } from "./runs.js";
  import type { Names } from "./words.js";
  /** What the catalogs call things. */
  export const names: Names;
  export const steps: Packed;
  export const collectives: Packed;
  export const serving: Packed;
}

declare module "virtual:unbeaten-runs" {
  import type { Packed } from "./runs.js";
  /** Measured steps of published models, those that none beats. */
  export const unbeaten: Packed;
}

declare module "virtual:kernels" {
  import type { Packed } from "./runs.js";
  /** Measured all-reduces by serving stacks' kernels. */
  export const kernels: Packed;
}

declare module "virtual:measured-kernels" {
  import type { Packed } from "./runs.js";
  /** Measured products of matrices. */
  export const products: Packed;
  /** Measured attention over whole prompts, causal, in 16 bits. */
  export const prompts: Packed;
  /** Measured attention of one token a sequence over its cache. */
  export const tokens: Packed;
}

declare module "virtual:step-errors" {
  /** Errors of measured steps in whole percent, by recipe, generation and kind. */
  export const errors: Readonly<Record<string, readonly number[]>>;
  /** The same runs as the recipe `other` prices them, as if nothing were known of their stacks. */
  export const asOther: readonly number[];
}

declare module "virtual:projection" {
  import type { Packed } from "./runs.js";
  /** Measured pairs of runs: what many GPUs are projected from, and what they did. */
  export const pairs: Packed;
}
