import type { MeasurementsResults, PredictCollectiveResults } from "#engine";
import { once } from "./once.js";
import { perhaps } from "./parts.js";
import { chosenPreset, hardware } from "./presets.js";
import { run } from "./run.js";
import type { Scenario } from "./scenario.js";

/** The machine of a scenario: which one it is, and measurements on similar ones. */

type MeasuredRow = MeasurementsResults["series"][number];

/** A published run next to a scenario: whether its switches reduced as they do there. */
export type Measured = MeasuredRow & { reducedAlike: boolean };

const measurements = once(({ engine }): readonly MeasuredRow[] => engine.measurements().series);

/** The machine's name: the system, otherwise its accelerator. */
export function machineName(scenario: Scenario): string {
  const chosen = chosenPreset(scenario, "system") ?? chosenPreset(scenario, "accelerator");
  return (chosen?.name ?? "").replace(/[,(].*/, "").trim();
}

/** "one DGX A100 node", "2 DGX A100 nodes", "one TPU v5p pod". */
export function nodesInWords(scenario: Scenario, nodes: number): string {
  const short = machineName(scenario);
  const whole = short.endsWith(" pod") ? short : `${short} node`;
  return nodes === 1 ? `one ${whole}` : `${nodes} ${whole}s`;
}

/** A GPU's name as its maker writes it: H100, MI300X, GB200. */
const gpuModels = (name: string): string[] => name.toUpperCase().match(/\b[A-Z]{1,2}\d{1,4}[A-Z]?\b/g) ?? [];

/** The scenario’s accelerator, where a device’s own name says that it is another. */
export function otherAccelerator(scenario: Scenario, device: string): string | undefined {
  const chosen = hardware(scenario).accelerators.find(({ id }) => id === scenario.text("accelerator"))?.name;
  const [ours, theirs] = [gpuModels(chosen ?? ""), gpuModels(device)];
  return ours.length > 0 && theirs.length > 0 && !theirs.some((model) => ours.includes(model)) ? chosen : undefined;
}

const linkOf = (scenario: Scenario, accelerator: string) =>
  hardware(scenario).accelerators.find(({ id }) => id === accelerator)?.link;

/** The rate of the accelerator's links to its node, one way. */
export function linkRate(scenario: Scenario): number | undefined {
  const id = linkOf(scenario, scenario.text("accelerator"));
  return hardware(scenario).links.find((link) => link.id === id)?.bandwidth_gb_per_sec;
}

/** Whether switches reduced in a run as they do in a scenario: either may have it turned off. */
function reducedAlike(scenario: Scenario, { in_network_reduction, collective, num_gpus }: MeasuredRow): boolean {
  const kept = scenario.text("in_network_reduction") === "off";
  if ((in_network_reduction === "off") === kept) return true;
  // If they never reduce, there is nothing to turn off.
  const large = { collective, num_gpus, message_size_bytes: 2 ** 30, details: false, in_network_reduction: "usual" };
  return run(scenario, "predict_collective", large).results?.algorithm !== "in_network";
}

/**
 * Whether a time should match a run, all of which are NCCL's: it has no known anomaly, the same launch mode, and the
 * same reduction in switches.
 */
export const comparable = (series: Measured, predicted: PredictCollectiveResults): boolean =>
  series.healthy && predicted.allreduce_kernel === "nccl" && series.launch === predicted.launch && series.reducedAlike;

/** Public measurements of this collective on as many GPUs with the same links, in as many nodes. */
export function measuredAlike(
  scenario: Scenario,
  collective: string,
  gpus: number,
  predicted: { nodes: number },
): Measured[] {
  const link = linkOf(scenario, scenario.text("accelerator"));
  const network = scenario.number("nic_gb_per_sec");
  const perNode = scenario.number("gpus_per_node");
  const alike = (perhaps(scenario, () => measurements(scenario)) ?? []).filter(
    (series) =>
      series.collective === collective &&
      series.num_gpus === gpus &&
      linkOf(scenario, series.accelerator) === link &&
      (series.nodes === 1) === (predicted.nodes === 1) &&
      (predicted.nodes === 1 ||
        (series.gpus_per_node === perNode && Math.abs(series.nic_gb_per_sec / network - 1) < 0.1)),
  );
  return alike.map((series) => ({ ...series, reducedAlike: reducedAlike(scenario, series) }));
}
