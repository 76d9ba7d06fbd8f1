import type { Scenario } from "../state/scenario.js";
import type { Lesson } from "./lesson.js";
import { fourNumbers, levelsOf, solvedOf, theFunction, wasSolved } from "./progress.js";
import { canWrite } from "./own-function.js";
import { trackOf, tracks } from "./track.js";

/** A step of the path through the exercises: a kind of them, or one exercise that a lesson fixes. */
export interface Step {
  track: string;
  /** What it is called. */
  words: string;
  /** Only for a lesson's exercise. */
  level?: number;
  seed?: number;
  /** Whether it was solved without the solution: for a kind, one exercise of any level. */
  solved: boolean;
}

/** What can be a step, in order: the kinds, then the function. */
const titled = (scenario: Scenario): readonly { id: string; title: string }[] => [
  ...tracks(scenario),
  { id: theFunction, title: "Write the function" },
];

/** All steps in their order; the function only where it can be run. */
export const kindSteps = (scenario: Scenario): Step[] =>
  (canWrite ? titled(scenario) : tracks(scenario)).map(({ id, title }) => ({
    track: id,
    words: title,
    solved: Array.from({ length: levelsOf(id) }, (_, index) => solvedOf(id, index + 1)).some((solved) => solved > 0),
  }));

/** The exercises of a lesson. */
export const lessonSteps = (scenario: Scenario, { exercises }: Lesson): Step[] =>
  exercises.map(({ track, level, seed }) => ({
    ...{ track, level, seed },
    words: `${titled(scenario).find(({ id }) => id === track)!.title}, level ${level}`,
    solved: wasSolved(track, level, seed),
  }));

/** The step that a scenario poses; the four numbers and the function belong to the same exercise. */
export const kindShown = (scenario: Scenario, steps: readonly Step[], writing: boolean): number =>
  steps.findIndex(({ track }) => track === (trackOf(scenario) ?? (writing ? theFunction : fourNumbers)));

/** The next unsolved one, continuing after the last from the beginning; -1 if all are solved. */
export function nextOf(steps: readonly Step[], at: number): number {
  const later = steps.findIndex(({ solved }, index) => index > at && !solved);
  return later < 0 ? steps.findIndex(({ solved }, index) => index !== at && !solved) : later;
}
