import type { Sizes } from "../state/sizes.js";

/** Labels that line up with KiB, MiB and GiB. */
const binaryTicks = Array.from({ length: 11 }, (_, index) => 2 ** (5 * index));

/** An axis of message sizes. */
export const sizeAxis = ({ sizeTicks, binaryBytes }: Sizes) => ({
  label: "message",
  scale: "log" as const,
  ticks: sizeTicks(binaryTicks),
  format: (size: number) => binaryBytes(size, 3),
});
