import type { LikelyMistake } from "./events.js";

/** What each mistake is, in words for the one who made it. */
export const explained: Record<LikelyMistake, string> = {
  element_bytes_forgotten: "elements were counted, not bytes",
  message_divided_by_gpus:
    "the message was divided by the GPUs: each of them holds a partial sum of all of it, and all of it is summed",
  missing_factor_2: "the factor 2 is missing: an all-reduce is a reduce-scatter and then an all-gather",
  missing_ring_fraction: "(n − 1)/n is missing: a GPU does not send itself its own share",
  not_divided_by_gpus:
    "n − 1 is there, but not the division by n: each round moves one n-th of the message (or all GPUs’ bytes were added up: one GPU’s are asked for)",
  steps_forgotten: "the division by n is there, but not n − 1: each lap of the ring has n − 1 rounds",
  layers_forgotten: "one layer was counted, not all of them",
  allreduces_forgotten: "one all-reduce was counted, not all of a layer",
  backward_forgotten: "the forward pass alone was counted; more passes over the layers are asked for",
  counted_twice:
    "it is twice too much: the volume has its factor 2 already, and no more passes than asked for are counted",
  decimal_units: "a binary unit was taken for a decimal one: 1 MiB is 1,048,576 bytes, 1 MB a million",
  not_in_bytes: "it is in a larger unit; bytes are asked for (a unit such as MiB may be typed behind the number)",
  gb_as_2_30: "1 GB was taken as 2³⁰ bytes; bandwidth is sold in 10⁹",
  bits_for_bytes: "it is 8 times too much: bits for bytes",
  bytes_for_bits: "it is 8 times too little: bytes for bits",
  seconds_for_milliseconds: "it is in seconds; milliseconds are asked for",
  microseconds_for_milliseconds: "it is in microseconds; milliseconds are asked for",
  both_directions: "the bandwidth was halved: it is one way already",
  bandwidth_doubled: "the bandwidth was doubled: a GPU sends this much one way, whatever it receives meanwhile",
  one_gpu_not_treated: "one GPU has nobody to send to: nothing is communicated",
};
