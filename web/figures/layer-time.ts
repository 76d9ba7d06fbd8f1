import type { LayerTimelineResults } from "#engine";
import { chosenPreset, hardware } from "../state/presets.js";
import { layerMessage } from "../state/resolver.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";

/** One layer's forward pass, shared by a tensor-parallel group. */
export interface LayerTime {
  group: number;
  nodes: number;
  bars: LayerTimelineResults["bars"];
  us: number;
  /** Time in which its GPUs wait for communication, us. */
  waits: number;
}

/** The measured rate of large matrix products; the peak would make compute look too short. */
function reachedRate(scenario: Scenario): Record<string, unknown> {
  const id = chosenPreset(scenario, "accelerator")?.id;
  const reached = hardware(scenario).accelerators.find((one) => one.id === id)?.achievable_tflops;
  return reached ? { peak_tflops: reached } : {};
}

/** A group's layer at predicted rates: messages at the predicted rate of an all-reduce. */
export function layerRun(scenario: Scenario, group: number, how: Record<string, unknown> = {}) {
  const call = { collective: "all_reduce", num_gpus: group, message_size_bytes: layerMessage(scenario) };
  const expected = group > 1 ? run(scenario, "predict_collective", call) : undefined;
  if (expected?.problems) return { ...expected, nodes: 0 };
  const found = run(scenario, "layer_timeline", {
    ...reachedRate(scenario),
    tensor_parallel: group,
    latency_us: 0,
    ...(expected && { bandwidth_gb_per_sec: expected.results.bus_bandwidth_gb_per_sec }),
    ...how,
  });
  return { ...found, nodes: expected?.results.nodes ?? 1 };
}

/** One group's layer; nothing for an impossible group. */
export function layerTime(scenario: Scenario, group: number): LayerTime | undefined {
  const { results, nodes } = layerRun(scenario, group);
  if (!results) return undefined;
  const bars = results.bars.filter(({ pass }) => pass === "forward");
  const waits = bars.reduce((sum, { lane, exposed_us }) => sum + (lane === "communication" ? exposed_us : 0), 0);
  return { group, nodes, bars, us: results.forward_us, waits };
}
