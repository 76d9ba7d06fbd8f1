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

/** The rate that large matrix products reach where it was measured; the peak would make compute look too short. */
function reachedRate(scenario: Scenario): Record<string, unknown> {
  const id = chosenPreset(scenario, "accelerator")?.id;
  const reached = hardware(scenario).accelerators.find((one) => one.id === id)?.achievable_tflops;
  return reached ? { peak_tflops: reached } : {};
}

/** One group's layer, with messages at the rate that an all-reduce is predicted to reach; nothing for an impossible group. */
export function layerTime(scenario: Scenario, group: number): LayerTime | undefined {
  const call = { collective: "all_reduce", num_gpus: group, message_size_bytes: layerMessage(scenario) };
  const expected = group > 1 ? run(scenario, "predict_collective", call).results : undefined;
  if (group > 1 && !expected) return undefined;
  const { results } = run(scenario, "layer_timeline", {
    ...reachedRate(scenario),
    tensor_parallel: group,
    latency_us: 0,
    ...(expected && { bandwidth_gb_per_sec: expected.bus_bandwidth_gb_per_sec }),
  });
  if (!results) return undefined;
  const bars = results.bars.filter(({ pass }) => pass === "forward");
  const waits = bars.reduce((sum, { lane, exposed_us }) => sum + (lane === "communication" ? exposed_us : 0), 0);
  return { group, nodes: expected?.nodes ?? 1, bars, us: results.forward_us, waits };
}
