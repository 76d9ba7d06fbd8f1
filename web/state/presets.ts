import type { HardwareCatalogResults, ModelCatalogResults, RecipeCatalogResults } from "#engine";
import { bandwidth, exact, significant } from "./format.js";
import { once, type OfEngine } from "./once.js";
import { servingStackFields, withoutSign } from "./serving.js";
import type { Texts } from "./texts.js";

/** Rows of the engine's catalogs that fill fields, as texts of the form: each row's `fills` is what the engine fills. */

/** A row of a catalog: its values for fields, and their source. */
export interface Preset {
  id: string;
  name: string;
  group: string;
  /** Its distinguishing figures, in a few words; searched like the name. */
  figures: string;
  /** Other names that mean it. */
  aliases?: readonly string[];
  texts: Record<string, string>;
  source: string;
}

export type PresetKind = "model" | "link" | "system" | "accelerator" | "recipe" | "serving_recipe";

type Accelerator = HardwareCatalogResults["accelerators"][number];
type Link = HardwareCatalogResults["links"][number];
type Model = ModelCatalogResults["models"][number];
type Recipe = RecipeCatalogResults["recipes"][number];

const textsOf = (fills: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fills).map(([name, value]) => [name, String(value)]));

/** The hardware catalog, asked for once. */
export const hardware = once(({ engine }) => engine.hardware_catalog());

const linkClasses: Record<Link["link_class"], string> = {
  scale_up: "Between the GPUs of a node",
  host: "Through the host",
  network: "Between nodes",
};

/** Models: their shape. */
export const modelPresets = once((scenario): readonly Preset[] =>
  scenario.engine.model_catalog().models.map((model: Model) => ({
    id: model.id,
    name: model.name,
    group: model.family,
    source: model.source,
    aliases: model.hub_ids.split(" "),
    figures: `${significant(model.parameters / 1e9, 3)} B parameters, ${exact(model.num_layers)} layers, hidden ${exact(model.hidden_size)}${
      model.num_experts > 1 ? `, ${exact(model.num_experts)} experts` : ""
    }`,
    texts: textsOf(model.fills),
  })),
);

/** Links: the bandwidth of one accelerator, one way. */
export const linkPresets = once((scenario): readonly Preset[] =>
  hardware(scenario).links.map((link: Link) => {
    const own = hardware(scenario).accelerators.find((one) => link.link_class === "scale_up" && one.link === link.id);
    return {
      id: link.id,
      name: link.name,
      group: linkClasses[link.link_class],
      figures: `${bandwidth(link.bandwidth_gb_per_sec)}, ${link.made_of}${own ? `; ${own.vendor}` : ""}`,
      source: link.source,
      texts: { bandwidth_gb_per_sec: String(link.bandwidth_gb_per_sec) },
    };
  }),
);

/** Accelerators: matrix rate, memory, and the bandwidth of their links, one way. */
const acceleratorPresets = once((scenario): readonly Preset[] => {
  const { accelerators, links } = hardware(scenario);
  return accelerators.map((accelerator: Accelerator) => {
    const link = links.find(({ id }) => id === accelerator.link);
    return {
      id: accelerator.id,
      name: accelerator.name,
      group: accelerator.vendor,
      source: accelerator.source,
      figures: `${exact(accelerator.bf16_tflops || accelerator.fp16_tflops)} TFLOP/s, ${exact(accelerator.memory_gb)} GB at ${bandwidth(accelerator.hbm_gb_per_sec)}${
        link ? `, ${link.name.replace(/ \(.*/, "")} ${bandwidth(link.bandwidth_gb_per_sec)}` : ""
      }`,
      texts: textsOf(accelerator.fills),
    };
  });
});

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
      texts: textsOf(system.fills),
    };
  });
});

const ofRecipe = (recipe: Recipe, texts: Record<string, string>): Preset => ({
  id: recipe.id,
  name: recipe.name,
  group: recipe.use === "training" ? "Training" : "Serving",
  figures: `version ${recipe.version}; ${recipe.runs_on}`,
  source: recipe.source,
  texts,
});

/** Recipes of stacks that train: what they do to a step. */
export const recipePresets = once(({ engine }): readonly Preset[] => {
  const { recipes } = engine.recipe_catalog();
  const filled = engine.describe()["training_step"]!.inputs.filter(({ filled_by }) => filled_by === "recipe");
  const names = new Set(filled.map(({ name }) => name));
  const ofSteps = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).filter(([name]) => names.has(name)));
  const stacks = recipes.filter(({ use }) => use === "training");
  return stacks.map((recipe) => ofRecipe(recipe, ofSteps(textsOf(recipe.fills))));
});

/** Recipes of servers: what they do to an answer, under the names that a server's fields have here. */
const servingRecipePresets = once(({ engine }): readonly Preset[] => {
  const fields = servingStackFields(engine.describe()["serving_step"]!.inputs);
  const servers = engine.recipe_catalog().recipes.filter(({ use }) => use === "serving");
  return servers.map((recipe) =>
    ofRecipe(recipe, Object.fromEntries(fields.map((name) => [name, String(recipe.fills[withoutSign(name)])]))),
  );
});

/** The presets of each kind. */
export const presetsOf: Record<PresetKind, (of: OfEngine) => readonly Preset[]> = {
  model: modelPresets,
  link: linkPresets,
  system: systemPresets,
  accelerator: acceleratorPresets,
  recipe: recipePresets,
  serving_recipe: servingRecipePresets,
};

/** The preset of that id, or of another name in any case. */
export function presetNamed(of: OfEngine, kind: PresetKind, name: string): Preset | undefined {
  const presets = presetsOf[kind](of);
  const lower = name.toLowerCase();
  return (
    presets.find(({ id }) => id === name) ??
    presets.find(({ aliases }) => lower && aliases?.some((alias) => alias.toLowerCase() === lower))
  );
}

/** The kinds that fill a scenario's fields; a link alone is no machine, old links name it all the same. */
export const fillingKinds = ["model", "system", "accelerator", "recipe", "serving_recipe"] as const;
export type FillingKind = (typeof fillingKinds)[number];

const byId = once(
  (scenario) =>
    new Map(
      fillingKinds.map((kind) => [kind, new Map(presetsOf[kind](scenario).map((preset) => [preset.id, preset]))]),
    ),
);

/** Which kind fills which field. */
const filledKinds = once(
  (scenario) =>
    new Map(
      fillingKinds.flatMap((kind) =>
        presetsOf[kind](scenario).flatMap(({ texts }) =>
          Object.keys(texts).map((name): [string, FillingKind] => [name, kind]),
        ),
      ),
    ),
);

/** The preset that a scenario has chosen, of a kind. */
export const chosenPreset = (scenario: Texts, kind: FillingKind): Preset | undefined =>
  byId(scenario).get(kind)!.get(scenario.text(kind));

/** Which kind fills a field, if any does. */
export const fillerOf = (scenario: Texts, name: string): FillingKind | undefined => filledKinds(scenario).get(name);

/** The chosen model's, machine's or recipe's value for a field that was not typed over. */
export function filledText(scenario: Texts, name: string): string | undefined {
  const kind = fillerOf(scenario, name);
  return kind && chosenPreset(scenario, kind)?.texts[name];
}

/**
 * The fields that a kind fills, except the stack, which stays as it was chosen; a system's accelerator fills its rates
 * too.
 */
export function filledNames(scenario: Texts, kind: FillingKind): string[] {
  const own = (one: FillingKind) =>
    [...filledKinds(scenario)].flatMap(([name, by]) => (by === one && name !== "recipe" ? [name] : []));
  return kind === "system" ? [...own("system"), ...own("accelerator")] : own(kind);
}
