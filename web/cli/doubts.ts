import { exact } from "../state/format.js";

/** No training step has this many sequences. */
const mostSequences = 100_000;

/** Valid inputs that were probably not meant. */
export function doubts({
  global_batch_size: batch,
  sequence_length: tokens,
}: Readonly<Record<string, unknown>>): string[] {
  if (typeof batch !== "number" || typeof tokens !== "number" || batch <= mostSequences) return [];
  const sequences = Math.round(batch / tokens);
  if (sequences < 1) return [];
  const count = `${sequences * tokens === batch ? "" : "about "}${exact(sequences)}`;
  return [
    `The global batch is in sequences: ${exact(batch)} of ${exact(tokens)} tokens each. Did you mean tokens? Then type gbs=${sequences} (${count} sequences).`,
  ];
}
