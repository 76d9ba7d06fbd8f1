import type { LikelyMistake } from "./events.js";

/** A mistake in words for the one who made it. */
interface Words {
  /** Shown for an answer that nothing else gives. */
  said: string;
  /** Asked after "Did you". */
  asked: string;
}

/** What each mistake is. */
export const explained: Record<LikelyMistake, Words> = {
  element_bytes_forgotten: {
    said: "that counts elements, not bytes",
    asked: "count elements instead of bytes",
  },
  message_divided_by_gpus: {
    said: "the message isn’t divided by the GPUs: each holds a partial sum of all of it, and all of it is added up",
    asked: "divide the message by the GPUs",
  },
  missing_factor_2: {
    said: "the factor 2 is missing: an all-reduce is a reduce-scatter and then an all-gather",
    asked: "leave out the factor 2",
  },
  missing_ring_fraction: {
    said: "(n − 1)/n is missing: a GPU doesn’t send itself its own share",
    asked: "leave out (n − 1)/n",
  },
  not_divided_by_gpus: {
    said: "n − 1 is there, but not the division by n: each round moves one n-th of the message (or you added up what all GPUs send; one GPU’s bytes are asked for)",
    asked: "leave out the division by n",
  },
  steps_forgotten: {
    said: "the division by n is there, but not n − 1: each lap of the ring has n − 1 rounds",
    asked: "leave out the n − 1 rounds",
  },
  layers_forgotten: { said: "that is one layer, not all of them", asked: "count one layer only" },
  allreduces_forgotten: {
    said: "that is one all-reduce per layer, not all of them",
    asked: "count one all-reduce per layer",
  },
  backward_forgotten: {
    said: "that is the forward pass alone; more passes over the layers are asked for",
    asked: "count the forward pass alone",
  },
  counted_twice: {
    said: "that is twice as much as asked: the volume has its factor 2 already",
    asked: "multiply by 2 once more than needed",
  },
  decimal_units: {
    said: "a binary unit was taken for a decimal one: 1 MiB is 1,048,576 bytes, 1 MB a million",
    asked: "take MiB for MB",
  },
  not_in_bytes: {
    said: "that is in a larger unit; bytes are asked for (or type the unit behind the number, such as MiB)",
    asked: "give it in a larger unit than bytes",
  },
  gb_as_2_30: {
    said: "1 GB was taken as 2³⁰ bytes; bandwidth is sold in units of 10⁹",
    asked: "take 1 GB for 2³⁰ bytes",
  },
  bits_for_bytes: { said: "that is 8 times too much: bits instead of bytes", asked: "take bits for bytes" },
  bytes_for_bits: { said: "that is 8 times too little: bytes instead of bits", asked: "take bytes for bits" },
  seconds_for_milliseconds: {
    said: "that is in seconds; milliseconds are asked for",
    asked: "give seconds instead of milliseconds",
  },
  microseconds_for_milliseconds: {
    said: "that is in microseconds; milliseconds are asked for",
    asked: "give microseconds instead of milliseconds",
  },
  both_directions: {
    said: "the bandwidth was halved, but it is already one way",
    asked: "halve the bandwidth",
  },
  bandwidth_doubled: {
    said: "the bandwidth was doubled: a GPU sends at this rate, whatever it receives meanwhile",
    asked: "double the bandwidth",
  },
  one_gpu_not_treated: {
    said: "one GPU has no other to send to, so nothing is sent",
    asked: "send something from one GPU to itself",
  },
  batch_forgotten: { said: "that is one sequence; the batch is missing", asked: "leave out the batch" },
  sequence_forgotten: {
    said: "that is one token per sequence; the sequence length is missing",
    asked: "leave out the sequence length",
  },
  mlp_width: {
    said: "the activations that are added up are h wide; only inside the MLP are they 4h",
    asked: "take 4h for the width",
  },
  other_element_size: {
    said: "each element has another size here: read how many bytes it takes",
    asked: "take another number of bytes per element",
  },
  message_times_gpus: {
    said: "that is the message of all GPUs together; one GPU’s is asked for",
    asked: "add up the messages of all GPUs",
  },
  weights_for_activations: {
    said: "that is the size of a weight matrix; activations are added up, not weights",
    asked: "take the weights, h × h, for the activations",
  },
  logarithmic_steps: {
    said: "that is log₂ n messages, as a tree would send; a ring sends 2(n − 1)/n of one",
    asked: "send log₂ n whole messages, as in a tree",
  },
  sent_and_received: {
    said: "that adds what a GPU receives to what it sends; only what it sends is asked for",
    asked: "add what a GPU receives",
  },
  one_share_too_few: { said: "n − 1 shares are sent, not n − 2", asked: "take n − 2 for n − 1" },
  integer_division: {
    said: "the division was cut off to a whole number: write / instead of //, and divide last",
    asked: "divide whole numbers, as // does",
  },
  all_gpus_counted: {
    said: "that is what all GPUs send together; one GPU’s bytes are asked for",
    asked: "add up what all GPUs send",
  },
  one_call_counted: {
    said: "that is a single all-reduce; the pass has one for each layer and sum",
    asked: "count a single all-reduce",
  },
  time_divided_by_gpus: {
    said: "the GPUs all send at the same time: their number doesn’t divide the time again",
    asked: "divide the time by the GPUs",
  },
  one_call_timed: {
    said: "that is the time of a single all-reduce",
    asked: "take the time of a single all-reduce",
  },
  giga_forgotten: {
    said: "the bandwidth is in GB/s: a gigabyte is 10⁹ bytes, so that a millisecond carries 10⁶ times the number",
    asked: "divide by GB/s as if they were bytes",
  },
  caret_for_power: {
    said: "in Python ^ isn’t a power: 10^9 is 3; write 1e9 or 10**9",
    asked: "write 10^9, which is 3 in Python (10**9 is the power)",
  },
  hidden_forgotten: {
    said: "that is one number per token; the hidden size is missing",
    asked: "leave out the hidden size",
  },
  message_for_volume: {
    said: "that is the message itself; each GPU sends 2(n − 1)/n of it",
    asked: "give the message itself",
  },
  backward_counted: {
    said: "that counts the backward pass too; only the forward pass is asked for",
    asked: "count the backward pass too",
  },
};
