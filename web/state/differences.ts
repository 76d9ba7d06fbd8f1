import { scenarioName } from "./fields.js";
import { pinName } from "./pins.js";
import { precisionChoices } from "./precision.js";
import { chosenPreset, fillingKinds, type FillingKind } from "./presets.js";
import { resolvedText } from "./resolver.js";
import type { Scenario } from "./scenario.js";
import { searchedName, searchedSettings } from "./settings.js";

/** An input, or a choice by its name, in which two scenarios differ. */
export interface Difference {
  name: string;
  then: string;
  now: string;
  /** Whether it is in words already: a preset’s or a precision’s name. */
  named: boolean;
}

/** Choices that fill several fields and are reported once: presets, and precisions by their usual names. */
function choicesOf(now: Scenario, then: Scenario): { found: Difference[]; fields: ReadonlySet<string> } {
  const nameOf = (scenario: Scenario, kind: FillingKind) => chosenPreset(scenario, kind)?.name ?? "another";
  const kinds = fillingKinds.filter((kind) => now.text(kind) !== then.text(kind));
  // A machine includes its accelerator.
  const said = kinds.filter((kind) => kind !== "accelerator" || !kinds.includes("system") || now.text("system") === "");
  const precisions = precisionChoices.flatMap(({ name, fields, of }) => {
    const [a, b] = [of(then), of(now)];
    return a !== undefined && b !== undefined ? [{ name, then: a, now: b, fields, named: true }] : [];
  });
  return {
    found: [
      ...said.map((kind) => ({ name: kind, then: nameOf(then, kind), now: nameOf(now, kind), named: true })),
      ...precisions.filter((one) => one.then !== one.now),
    ],
    fields: new Set([...kinds, ...precisions.flatMap(({ fields }) => fields)]),
  };
}

/** The differences between two scenarios: choices by name, and the fields that these do not cover. */
export function differences(now: Scenario, then: Scenario): Difference[] {
  const choices = choicesOf(now, then);
  // Settings that a search decides are not reported again if a choice above covers them.
  const text = (scenario: Scenario, name: string) =>
    name === searchedName
      ? searchedSettings(scenario)
          .filter((one) => !choices.fields.has(one))
          .join(",")
      : scenario.text(name);
  const derived = (scenario: Scenario, name: string) => scenario.text(name) === resolvedText(scenario, name);
  const fields = [...now.fields.keys()].filter(
    (name) =>
      scenarioName(name) === name &&
      text(now, name) !== text(then, name) &&
      !(derived(now, name) && derived(then, name)),
  );
  // For a pinned degree, the pin reports it.
  const same = (name: string) => [now, then].every((one) => one.text(name) === one.text(pinName(name)));
  return [
    ...choices.found,
    ...fields
      .filter((name) => !choices.fields.has(name) && !same(name))
      .map((name) => ({ name, then: text(then, name), now: text(now, name), named: false })),
  ];
}
