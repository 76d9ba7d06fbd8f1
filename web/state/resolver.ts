import { exactSize } from "./format.js";
import { givenWay } from "./layout.js";
import { filledText } from "./presets.js";
import type { Texts } from "./texts.js";

/** The value of a field that was not typed, from the rest of the scenario. */

/** The message of one all-reduce: what tensor ranks sum after attention and after the MLP. */
export function layerMessage(scenario: Texts): number {
  const factors = ["batch_size", "sequence_length", "hidden_size", "bytes_per_element"];
  return factors.reduce((bytes, name) => bytes * scenario.number(name), 1);
}

const followed: Readonly<Record<string, (scenario: Texts) => string>> = {
  ranks: (scenario) => scenario.text("tensor_parallel"),
  weight_bytes_per_element: (scenario) => scenario.text("bytes_per_element"),
  kv_bytes_per_element: (scenario) => scenario.text("bytes_per_element"),
  message_size_bytes: (scenario) => {
    const bytes = layerMessage(scenario);
    return Number.isInteger(bytes) && bytes > 0 ? exactSize(bytes) : "";
  },
};

/** Whether a field stands for another part of the scenario while it is empty. */
export const follows = (name: string): boolean => Object.hasOwn(followed, name);

/** The text that follows from the others: of what a field stands for, of the cluster's division, or of a chosen preset. */
export function resolvedText(scenario: Texts, name: string): string | undefined {
  if (follows(name)) return followed[name]!(scenario);
  return givenWay(scenario, name) ?? filledText(scenario, name);
}
