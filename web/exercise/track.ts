import type { Engine, PoseExerciseResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { once } from "../state/once.js";
import type { Scenario } from "../state/scenario.js";
import { newestEdition } from "./edition.js";
import { fourNumbers, solvedOf } from "./progress.js";

/** The kinds of exercise in their order. */

export type Track = Parameters<Engine["pose_exercise"]>[0]["track"];
export type Posed = PoseExerciseResults;

/** The kinds that the engine has, with their titles; the four numbers come first. */
export const tracks = once(({ engine }): readonly { id: string; title: string }[] => {
  const names = engine.describe()["pose_exercise"]!.inputs.find(({ name }) => name === "track")!.choices!;
  return [
    { id: fourNumbers, title: "The four numbers" },
    ...names.map((id) => ({
      id,
      title: engine.pose_exercise({ track: id as Track, seed: 1, edition: newestEdition({ engine }) }).title,
    })),
  ];
});

/** The kind that is posed: one of the engine's, or nothing for the four numbers. */
export const trackOf = (scenario: Scenario): Track | undefined => {
  const text = scenario.text("track");
  return tracks(scenario).some(({ id }) => id === text && id !== fourNumbers) ? (text as Track) : undefined;
};

/** A choice of the kind; a tick precedes those with a solved exercise. */
export function trackChoice(scenario: Scenario, level: number): TemplateResult {
  const now = trackOf(scenario) ?? fourNumbers;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    if (value === fourNumbers) scenario.unset("track");
    else
      scenario.set({
        track: value,
        ...(scenario.text("seed") === "" ? { seed: "1", edition: String(newestEdition(scenario)) } : {}),
      });
  };
  return html`<label class="small">Exercise <select name="track" .value=${now} @change=${choose}>
    ${tracks(scenario).map(
      ({ id, title }) =>
        html`<option value=${id} ?selected=${id === now}>${solvedOf(id, level) > 0 ? "✓ " : ""}${title}</option>`,
    )}</select></label>`;
}
