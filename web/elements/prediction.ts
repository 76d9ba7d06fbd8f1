import type { PredictCollectiveResults } from "#engine";
import { bandwidth, capital, dashed, significant, us } from "../state/format.js";
import { linkRate } from "../state/machine.js";
import type { Scenario } from "../state/scenario.js";

/** "an all-reduce", "a broadcast". */
export const withArticle = (name: string): string => `${/^[aeiou]/.test(name) ? "an" : "a"} ${dashed(name)}`;

const ways: Partial<Record<PredictCollectiveResults["algorithm"], string>> = {
  ring: "a ring",
  double_binary_tree: "a pair of trees",
  in_network: "reduction in the switches",
  direct: "sending directly",
};

/** Why a collective takes as long as it does, as a sentence; never a reason that points the other way. */
export function why(scenario: Scenario, results: PredictCollectiveResults): string {
  const way = ways[results.algorithm] ?? results.algorithm.replaceAll("_", " ");
  const plateau = bandwidth(results.plateau_bus_bandwidth_gb_per_sec, 3);
  const ramp = `getting up to speed costs ${us(results.ramp_part_us)} per call`;
  if (results.time_us < results.textbook_us) {
    return results.algorithm === "in_network"
      ? "The switches add, so each GPU sends its message about once, not nearly twice as in the textbook’s ring"
      : `${capital(way)} sends less across the nodes than the textbook’s ring`;
  }
  switch (results.bottleneck) {
    case "nothing":
      return "One GPU sends nothing";
    case "launch":
      return `One process launches the kernels of every GPU, which takes ${us(results.launch_floor_us)} for any message, however small`;
    case "latency":
      return `Latency alone takes ${us(results.latency_part_us)}, even with nothing to send`;
    case "ramp":
      return `Beyond the bytes, ${ramp}`;
    case "plateau": {
      const also = results.ramp_part_us > results.time_us / 20 ? `, and ${ramp}` : "";
      if (results.nodes > 1) {
        return `The group spans ${results.nodes} nodes: over NICs of ${bandwidth(scenario.number("nic_gb_per_sec"))} a GPU ${way} reaches ${plateau}${also}`;
      }
      const link = linkRate(scenario) ?? NaN;
      return results.algorithm === "in_network" && results.plateau_bus_bandwidth_gb_per_sec > link
        ? `${capital(way)} reaches a bus bandwidth of ${plateau}, more than the link’s ${bandwidth(link)}: the switches add, so each GPU sends its message about once${also}`
        : `${capital(way)} reaches ${plateau} of the link’s ${bandwidth(link)}${also}`;
    }
  }
}

/** The known error of a prediction. */
export function trust(results: PredictCollectiveResults): string {
  if (results.bottleneck === "nothing") return "";
  if (results.basis === "estimated") return "No measurement of this kind is public, so the range is wide.";
  const like =
    results.basis === "similar"
      ? "Fewer than three curves of this GPU are public, so the range is that of similar links, widened. "
      : "";
  return `${like}On sites held out from fitting, predictions of this kind are off by ${significant(results.measured_error_percent, 2)} % in the median; 80 % of measurements fall in the range.`;
}
