/**
 * A machine that a plan is compared on: a system, or the reader's own with one change, and the cost of its GPU-hour.
 */
export interface OtherMachine {
  /** "dgx-b200"; "network:100", GB/s a GPU; "reduction:off". */
  what: string;
  /** As typed; empty: none. */
  price: string;
}

const entry = /^([a-z0-9.:-]{1,60})(?:@([^,@]{0,20}))?$/;

/** "dgx-b200@4.5,network:100", as links write it. */
export const writeMachines = (machines: readonly OtherMachine[]): string =>
  machines.map(({ what, price }) => (price ? `${what}@${price}` : what)).join();

/** The machines in such a text; nothing if it is invalid. */
export function readMachines(text: string): OtherMachine[] | undefined {
  if (text === "") return [];
  const read = text.split(",").map((part) => entry.exec(part));
  if (read.length > 16 || read.includes(null)) return undefined;
  return read.map((match) => ({ what: match![1]!, price: match![2] ?? "" }));
}

/** The inputs for `plan_machines` in which one of them differs. */
export function inputsOf({ what, price }: OtherMachine): Record<string, unknown> {
  const [kind, value] = what.split(":");
  const differs =
    value === undefined
      ? { system: what }
      : kind === "network"
        ? { nic_gb_per_sec: Number(value) }
        : { in_network_reduction: value };
  return price === "" ? differs : { ...differs, price_per_gpu_hour: Number(price) };
}
