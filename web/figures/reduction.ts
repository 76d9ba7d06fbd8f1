import { linkRate, machineName } from "../state/machine.js";
import { hardware } from "../state/presets.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";

/**
 * The saving by a switch that adds; `by` says where: on this machine, in another group of it, or on another machine.
 */
export interface Reduction {
  by: "here" | "another group" | "another machine";
  group: number;
  machine: string;
  onUs: number;
  offUs: number;
  busRate: number;
  linkRate: number | undefined;
}

/** A machine whose switches add, for readers whose own ones do not. */
const adding = { system: "dgx-h100", accelerator: "h100-sxm", group: 8, machine: "DGX H100" } as const;

/**
 * NCCL's all-reduce of a message with the switches' help and without, in the group, otherwise in a node, otherwise
 * elsewhere.
 */
export function reductionOf(scenario: Scenario, group: number, message: number): Reduction {
  const compared = (by: Reduction["by"], gpus: number): Reduction | undefined => {
    const call = { collective: "all_reduce", num_gpus: gpus, message_size_bytes: message, allreduce_kernel: "nccl" };
    const on = run(scenario, "predict_collective", { ...call, in_network_reduction: "usual" }).results;
    if (on?.algorithm !== "in_network") return undefined;
    const off = run(scenario, "predict_collective", { ...call, in_network_reduction: "off" }).results;
    if (!off) return undefined;
    return {
      by,
      group: gpus,
      machine: machineName(scenario),
      onUs: on.time_us,
      offUs: off.time_us,
      busRate: on.bus_bandwidth_gb_per_sec,
      linkRate: linkRate(scenario),
    };
  };
  const here = compared("here", group) ?? compared("another group", scenario.number("gpus_per_node"));
  if (here) return here;
  const { system, accelerator, group: gpus, machine } = adding;
  const call = { collective: "all_reduce", num_gpus: gpus, message_size_bytes: message, system } as const;
  const [on, off] = (["usual", "off"] as const).map((in_network_reduction) =>
    scenario.engine.predict_collective({ ...call, in_network_reduction }),
  );
  const fills = hardware(scenario).accelerators.find(({ id }) => id === accelerator)?.fills;
  return {
    by: "another machine",
    group: gpus,
    machine,
    onUs: on!.time_us,
    offUs: off!.time_us,
    busRate: on!.bus_bandwidth_gb_per_sec,
    linkRate: (fills as { bandwidth_gb_per_sec?: number } | undefined)?.bandwidth_gb_per_sec,
  };
}
