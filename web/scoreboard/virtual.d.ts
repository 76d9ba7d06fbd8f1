declare module "virtual:scoreboard" {
  import type { Packed } from "./runs.js";
  export const steps: Packed;
  export const collectives: Packed;
  export const serving: Packed;
}

declare module "virtual:kernels" {
  import type { Packed } from "./runs.js";
  /** Measured all-reduces by serving stacks' kernels. */
  export const kernels: Packed;
}

declare module "virtual:step-errors" {
  /** Errors of measured steps in whole percent, by recipe, generation and kind. */
  export const errors: Readonly<Record<string, readonly number[]>>;
  /** Accelerators of the measured steps, each with its generation. */
  export const generations: Readonly<Record<string, string>>;
}
