import type { HardwareCatalogResults, MeasurementsResults, PredictCollectiveResults } from "#engine";
import type { Scenario } from "./scenario.js";

/** The machine of a scenario: which one it is, what was measured on its like. */

/** A row of a catalog that fills fields: what it fills them with, and where that comes from. */
export interface Preset {
  id: string;
  name: string;
  group: string;
  texts: Record<string, string>;
  source: string;
}

export type Measured = MeasurementsResults["series"][number];

interface Tables {
  hardware: HardwareCatalogResults;
  systems: Preset[];
  measured: Measured[] | undefined;
}

const tables = new WeakMap<Scenario["engine"], Tables>();

function tablesOf({ engine }: Scenario): Tables {
  let held = tables.get(engine);
  if (!held) {
    const hardware = engine.hardware_catalog();
    const named = new Map(hardware.accelerators.map(({ id, name }) => [id, name]));
    const systems = hardware.systems.map((system) => ({
      id: system.id, name: system.name, group: named.get(system.accelerator) ?? system.accelerator,
      source: `${system.network}; ${system.source}`,
      texts: {
        accelerator: system.accelerator, gpus_per_node: String(system.gpus_per_node), nic_gb_per_sec: String(system.nic_gb_per_sec),
      },
    }));
    held = { hardware, systems, measured: undefined };
    tables.set(engine, held);
  }
  return held;
}

/** Systems as presets: the accelerator, how many share a node, the network between nodes. */
export const systemPresets = (scenario: Scenario): readonly Preset[] => tablesOf(scenario).systems;

/** The system the inputs describe: the one that was chosen, else the first that is just so. */
export function systemOf(scenario: Scenario): Preset | undefined {
  const holds = ({ texts }: Preset) =>
    Object.entries(texts).every(([name, text]) => scenario.text(name) === text || scenario.number(name) === Number(text));
  const systems = systemPresets(scenario);
  return systems.find((system) => system.id === scenario.text("system") && holds(system)) ?? systems.find(holds);
}

/** "one DGX A100 node", "2 DGX A100 nodes". */
export function nodesInWords(scenario: Scenario, nodes: number): string {
  const { accelerators } = tablesOf(scenario).hardware;
  const name = systemOf(scenario)?.name ?? accelerators.find(({ id }) => id === scenario.text("accelerator"))?.name ?? "";
  const short = name.replace(/[,(].*/, "").trim();
  return nodes === 1 ? `one ${short} node` : `${nodes} ${short} nodes`;
}

const linkOf = (scenario: Scenario, accelerator: string) =>
  tablesOf(scenario).hardware.accelerators.find(({ id }) => id === accelerator)?.link;

/** What the accelerator's links to its node carry, one way, GB/s. */
export function linkRate(scenario: Scenario): number | undefined {
  const id = linkOf(scenario, scenario.text("accelerator"));
  return tablesOf(scenario).hardware.links.find((link) => link.id === id)?.bandwidth_gb_per_sec;
}

/** Public measurements of this collective on as many GPUs with the same links, in as many nodes. */
export function measuredAlike(
  scenario: Scenario, collective: string, gpus: number, predicted: PredictCollectiveResults,
): Measured[] {
  const held = tablesOf(scenario);
  held.measured ??= scenario.engine.measurements().series;
  const link = linkOf(scenario, scenario.text("accelerator"));
  const network = scenario.number("nic_gb_per_sec");
  const perNode = scenario.number("gpus_per_node");
  return held.measured.filter((series) => series.collective === collective && series.num_gpus === gpus
    && linkOf(scenario, series.accelerator) === link
    && (series.nodes === 1) === (predicted.nodes === 1)
    && (predicted.nodes === 1 || (series.gpus_per_node === perNode && Math.abs(series.nic_gb_per_sec / network - 1) < 0.1)));
}
