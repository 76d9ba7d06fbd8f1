import type { LikelyMistake } from "./events.js";

/** What each mistake is, in words for the one who made it. */
export const explained: Record<LikelyMistake, string> = {
  missing_factor_2: "the factor 2 is missing: an all-reduce is a reduce-scatter and then an all-gather",
  missing_ring_fraction: "(n − 1)/n is missing: a GPU does not send itself its own share",
  not_divided_by_gpus: "n − 1 is there, but not the division by n: each step moves one n-th of the message",
  element_bytes_forgotten: "elements were counted, not bytes",
  layers_forgotten: "one layer was counted, not all of them",
  allreduces_forgotten: "one all-reduce was counted, not all of a layer",
  gb_as_2_30: "1 GB was taken as 2³⁰ bytes; bandwidth is sold in 10⁹",
  bits_for_bytes: "it is 8 times too much: bits for bytes",
  bytes_for_bits: "it is 8 times too little: bytes for bits",
  seconds_for_milliseconds: "it is in seconds; milliseconds are asked for",
  both_directions: "the bandwidth was halved: it is one way already",
  one_gpu_not_treated: "one GPU has nobody to send to: nothing is communicated",
};
