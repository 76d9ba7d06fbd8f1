import { exactSize } from "./format.js";
import { givenWay } from "./layout.js";
import type { Scenario } from "./scenario.js";

/** Fields that say the same as another part of the scenario, until somebody types into them. */

/** The message of one all-reduce: what tensor ranks sum after attention and after the MLP. */
export function layerMessage(scenario: Scenario): number {
  const factors = ["batch_size", "sequence_length", "hidden_size", "bytes_per_element"];
  return factors.reduce((bytes, name) => bytes * scenario.number(name), 1);
}

const followed: Readonly<Record<string, (scenario: Scenario) => string>> = {
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

/** What such a field says; undefined for all others. */
export const followedText = (scenario: Scenario, name: string): string | undefined =>
  follows(name) ? followed[name]!(scenario) : givenWay(scenario, name);
