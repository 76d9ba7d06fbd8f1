import { presetsOf, type PresetKind } from "./presets.js";
import type { Scenario } from "./scenario.js";

/** An input, or a chosen preset, that two scenarios do not share. */
export interface Difference {
  name: string;
  then: string;
  now: string;
}

const kinds: readonly PresetKind[] = ["model", "system", "link", "accelerator"];

/** What differs between two scenarios: presets by name, and the fields that they do not account for. */
export function differences(now: Scenario, then: Scenario): Difference[] {
  const found: Difference[] = [];
  const accounted = new Set<string>();
  for (const kind of kinds) {
    const [here, there] = [now, then].map((scenario) =>
      presetsOf[kind](scenario).find(({ id }) => id === scenario.text(kind)),
    );
    if (here === there) continue;
    found.push({ name: kind, then: there?.name ?? "as typed", now: here?.name ?? "as typed" });
    accounted.add(kind);
    if (!here || !there) continue;
    for (const name of Object.keys({ ...here.texts, ...there.texts })) {
      if (now.text(name) === here.texts[name] && then.text(name) === there.texts[name]) accounted.add(name);
    }
  }
  for (const name of now.fields.keys()) {
    if (!accounted.has(name) && now.text(name) !== then.text(name))
      found.push({ name, then: then.text(name), now: now.text(name) });
  }
  return found;
}
