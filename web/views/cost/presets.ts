import type { HardwareCatalogResults, ModelCatalogResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import type { Preset } from "../../state/machine.js";
import type { Scenario } from "../../state/scenario.js";

type Model = ModelCatalogResults["models"][number];
type Link = HardwareCatalogResults["links"][number];

const linkClasses: Record<Link["link_class"], string> = {
  scale_up: "Between the GPUs of a node", host: "Through the host", network: "Between nodes",
};

/** A list that depends on the engine's tables alone, made once. */
function once(make: (scenario: Scenario) => Preset[]): (scenario: Scenario) => Preset[] {
  const held = new WeakMap<Scenario["engine"], Preset[]>();
  return (scenario) => {
    const made = held.get(scenario.engine) ?? make(scenario);
    held.set(scenario.engine, made);
    return made;
  };
}

/** Models as presets: every field of the scenario that the catalog's row has. */
export const modelPresets = once((scenario) =>
  scenario.engine.model_catalog().models.map((model: Model) => ({
    id: model.id, name: model.name, group: model.family, source: model.source,
    texts: Object.fromEntries(Object.entries(model)
      .filter(([name]) => scenario.fields.has(name))
      .map(([name, value]) => [name, String(value)])),
  })));

/** Links as presets: the bandwidth of one accelerator, one way. */
export const linkPresets = once((scenario) =>
  scenario.engine.hardware_catalog().links.map((link: Link) => ({
    id: link.id, name: `${link.name}: ${link.bandwidth_gb_per_sec} GB/s`, group: linkClasses[link.link_class],
    source: `${link.made_of}; ${link.source}`, texts: { bandwidth_gb_per_sec: String(link.bandwidth_gb_per_sec) },
  })));

/** Accelerators as presets: matrix rate, memory, and the bandwidth of its links, one way. */
export const acceleratorPresets = once((scenario) => {
  const { accelerators, links } = scenario.engine.hardware_catalog();
  return accelerators.map((accelerator) => {
    const link = links.find(({ id }) => id === accelerator.link);
    return {
      id: accelerator.id, name: accelerator.name, group: "Dense bf16 peak", source: accelerator.source,
      texts: {
        peak_tflops: String(accelerator.bf16_tflops), hbm_gb_per_sec: String(accelerator.hbm_gb_per_sec),
        ...(link && { bandwidth_gb_per_sec: String(link.bandwidth_gb_per_sec) }),
      },
    };
  });
});

/** The fields of a preset that the reader has since changed. */
function modified(scenario: Scenario, preset: Preset, fields: readonly string[]): string[] {
  return fields.filter((name) => preset.texts[name] !== undefined && scenario.text(name) !== preset.texts[name]);
}

/** A menu of presets. Choosing one fills its fields; what is changed afterwards is said. */
export function presetControl(
  scenario: Scenario, kind: "model" | "link" | "system" | "accelerator", label: string, presets: readonly Preset[], shown: readonly string[],
  /** What the inputs amount to where nothing was chosen. */
  usual?: Preset,
): TemplateResult | typeof nothing {
  if (scenario.readonly) return nothing;
  const chosen = presets.find((preset) => preset.id === scenario.text(kind)) ?? usual;
  const groups = [...new Set(presets.map((preset) => preset.group))];
  const changed = chosen ? modified(scenario, chosen, shown) : [];
  const choose = (event: Event) => {
    const preset = presets.find(({ id }) => id === (event.target as HTMLSelectElement).value);
    scenario.set({ [kind]: preset?.id ?? "", ...preset?.texts });
  };
  return html`<div class="field preset">
    <label for="preset-${kind}">${label}</label>
    <select id="preset-${kind}" @change=${choose} .value=${chosen?.id ?? ""} aria-describedby="preset-${kind}-note">
      ${scenario.fields.has(kind) ? nothing : html`<option value="" ?selected=${!chosen}>as typed below</option>`}
      ${groups.map((group) => html`<optgroup label=${group}>${presets.filter((preset) => preset.group === group).map((preset) => html`
        <option value=${preset.id} ?selected=${preset === chosen}>${preset.name}</option>`)}</optgroup>`)}
    </select>
    <span class="note" id="preset-${kind}-note">${chosen
      ? html`${changed.length > 0 ? html`<b>modified</b>: ${changed.join(", ")}. ` : nothing}<span class="source">${chosen.source}</span>`
      : nothing}</span>
  </div>`;
}

export const presetStyles = css`
  .preset .source { overflow-wrap: anywhere; }
`;
