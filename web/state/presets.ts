import type { HardwareCatalogResults, ModelCatalogResults, RecipeCatalogResults } from "#engine";
import { bandwidth, exact, significant } from "./format.js";
import { once } from "./once.js";
import type { Scenario } from "./scenario.js";

/** Rows of the engine's catalogs that fill fields. */

/** A row of a catalog: what it fills fields with, and where that comes from. */
export interface Preset {
  id: string;
  name: string;
  group: string;
  /** What tells it from its neighbours, in a few figures; searched as the name is. */
  figures: string;
  texts: Record<string, string>;
  source: string;
}

export type PresetKind = "model" | "link" | "system" | "accelerator" | "recipe";

type Accelerator = HardwareCatalogResults["accelerators"][number];
type Link = HardwareCatalogResults["links"][number];
type Model = ModelCatalogResults["models"][number];
type Recipe = RecipeCatalogResults["recipes"][number];

/** The hardware catalog, asked for once. */
export const hardware = once(({ engine }) => engine.hardware_catalog());

/** Vendors by the names of their links. */
const vendors: readonly [RegExp, string][] = [
  [/^nvlink/, "NVIDIA"],
  [/^infinity/, "AMD"],
  [/^gaudi/, "Intel"],
  [/^neuron/, "AWS"],
  [/^ici/, "Google"],
];
/** Cards on PCIe are NVIDIA's; their link does not say so. */
const vendorOf = (link: string): string | undefined => vendors.find(([names]) => names.test(link))?.[1];

const linkClasses: Record<Link["link_class"], string> = {
  scale_up: "Between the GPUs of a node",
  host: "Through the host",
  network: "Between nodes",
};

/** Models: every field of the scenario that the catalog's row has. */
export const modelPresets = once((scenario): readonly Preset[] =>
  scenario.engine.model_catalog().models.map((model: Model) => ({
    id: model.id,
    name: model.name,
    group: model.family,
    source: model.source,
    figures: `${significant(model.parameters / 1e9, 3)} B parameters, ${exact(model.num_layers)} layers, hidden ${exact(model.hidden_size)}${
      model.num_experts > 1 ? `, ${exact(model.num_experts)} experts` : ""
    }`,
    texts: Object.fromEntries(
      Object.entries(model)
        .filter(([name]) => scenario.fields.has(name))
        .map(([name, value]) => [name, String(value)]),
    ),
  })),
);

/** Links: the bandwidth of one accelerator, one way. */
export const linkPresets = once((scenario): readonly Preset[] =>
  hardware(scenario).links.map((link: Link) => ({
    id: link.id,
    name: link.name,
    group: linkClasses[link.link_class],
    figures: `${bandwidth(link.bandwidth_gb_per_sec)}, ${link.made_of}${vendorOf(link.id) ? `; ${vendorOf(link.id)}` : ""}`,
    source: link.source,
    texts: { bandwidth_gb_per_sec: String(link.bandwidth_gb_per_sec) },
  })),
);

/** Accelerators: matrix rate, memory, and the bandwidth of their links, one way. */
export const acceleratorPresets = once((scenario): readonly Preset[] => {
  const { accelerators, links } = hardware(scenario);
  return accelerators.map((accelerator: Accelerator) => {
    const link = links.find(({ id }) => id === accelerator.link);
    return {
      id: accelerator.id,
      name: accelerator.name,
      group: vendorOf(accelerator.link) ?? "NVIDIA",
      source: accelerator.source,
      figures: `${exact(accelerator.bf16_tflops)} TFLOP/s, ${exact(accelerator.memory_gb)} GB at ${bandwidth(accelerator.hbm_gb_per_sec)}${
        link ? `, ${link.name.replace(/ \(.*/, "")} ${bandwidth(link.bandwidth_gb_per_sec)}` : ""
      }`,
      texts: {
        peak_tflops: String(accelerator.bf16_tflops),
        hbm_gb_per_sec: String(accelerator.hbm_gb_per_sec),
        ...(link && { bandwidth_gb_per_sec: String(link.bandwidth_gb_per_sec) }),
      },
    };
  });
});

/** The fields that recipes and accelerators fill. */
const fillable = once((scenario) => ({
  recipe: new Set(recipePresets(scenario).flatMap(({ texts }) => Object.keys(texts))),
  accelerator: new Set(acceleratorPresets(scenario).flatMap(({ texts }) => Object.keys(texts))),
}));

/** Systems: the accelerator, how many share a node, the network between nodes. */
export const systemPresets = once((scenario): readonly Preset[] => {
  const { accelerators, systems } = hardware(scenario);
  return systems.map((system) => {
    const accelerator = accelerators.find(({ id }) => id === system.accelerator);
    return {
      id: system.id,
      name: system.name,
      group: accelerator?.name ?? system.accelerator,
      figures: `${exact(system.gpus_per_node)} in a node, ${bandwidth(system.nic_gb_per_sec)} a GPU to others; ${system.nics}`,
      source: system.source,
      texts: {
        ...acceleratorPresets(scenario).find(({ id }) => id === system.accelerator)?.texts,
        accelerator: system.accelerator,
        gpus_per_node: String(system.gpus_per_node),
        nic_gb_per_sec: String(system.nic_gb_per_sec),
        network: String(system.network ?? ""),
      },
    };
  });
});

/** Recipes: what a training or serving stack does, of the inputs that say so. */
export const recipePresets = once((scenario): readonly Preset[] =>
  scenario.engine.recipe_catalog().recipes.map((recipe: Recipe) => ({
    id: recipe.id,
    name: recipe.name,
    group: recipe.use === "training" ? "Training" : "Serving",
    figures: `version ${recipe.version}`,
    source: recipe.source,
    texts: {
      recipe: recipe.id,
      ...Object.fromEntries(
        Object.entries(recipe)
          .filter(([name]) => scenario.fields.get(name)?.filled_by === "recipe")
          .map(([name, value]) => [name, String(value)]),
      ),
    },
  })),
);

/** What the scenario's recipe or accelerator says of a field that nobody has touched. */
export function filledText(scenario: Scenario, name: string): string | undefined {
  if (name === "recipe" || name === "accelerator") return undefined;
  for (const [kind, presets] of [
    ["recipe", recipePresets],
    ["accelerator", acceleratorPresets],
  ] as const) {
    if (!fillable(scenario)[kind].has(name)) continue;
    const chosen = scenario.text(kind);
    return presets(scenario).find(({ id }) => id === chosen)?.texts[name];
  }
  return undefined;
}

/** The presets of each kind. */
export const presetsOf: Record<PresetKind, (scenario: Scenario) => readonly Preset[]> = {
  model: modelPresets,
  link: linkPresets,
  system: systemPresets,
  accelerator: acceleratorPresets,
  recipe: recipePresets,
};

/** What the presets named in `settings` fill in, and those names that no catalog has. */
export function filledBy(
  scenario: Scenario,
  settings: Record<string, string>,
): { texts: Record<string, string>; unknown: string[] } {
  const texts: Record<string, string> = {};
  const unknown: string[] = [];
  for (const kind of ["system", "model", "link"] as const) {
    const id = settings[kind];
    if (!id) continue;
    const preset = presetsOf[kind](scenario).find((one) => one.id === id);
    if (preset) Object.assign(texts, preset.texts);
    else unknown.push(kind);
  }
  return { texts, unknown };
}
