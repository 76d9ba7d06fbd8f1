import { scenarioName } from "./fields.js";
import { pinName } from "./pins.js";
import { chosenPreset, fillingKinds, type FillingKind } from "./presets.js";
import { resolvedText } from "./resolver.js";
import type { Scenario } from "./scenario.js";

/** An input, or a chosen preset, that two scenarios do not share. */
export interface Difference {
  name: string;
  then: string;
  now: string;
}

/** What differs between two scenarios: presets by name, and the fields that they do not account for. */
export function differences(now: Scenario, then: Scenario): Difference[] {
  const nameOf = (scenario: Scenario, kind: FillingKind) => chosenPreset(scenario, kind)?.name ?? "another";
  const kinds = fillingKinds.filter((kind) => now.text(kind) !== then.text(kind));
  // A machine's accelerator is said with it.
  const said = kinds.filter((kind) => kind !== "accelerator" || !kinds.includes("system") || now.text("system") === "");
  const derived = (scenario: Scenario, name: string) => scenario.text(name) === resolvedText(scenario, name);
  const fields = [...now.fields.keys()].filter(
    (name) =>
      scenarioName(name) === name && now.text(name) !== then.text(name) && !(derived(now, name) && derived(then, name)),
  );
  // Of a degree that is pinned the pin says it.
  const same = (name: string) => [now, then].every((one) => one.text(name) === one.text(pinName(name)));
  return [
    ...said.map((kind) => ({ name: kind, then: nameOf(then, kind), now: nameOf(now, kind) })),
    ...fields
      .filter((name) => !(kinds as string[]).includes(name) && !same(name))
      .map((name) => ({ name, then: then.text(name), now: now.text(name) })),
  ];
}
