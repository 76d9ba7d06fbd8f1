import type { Scenario } from "../state/scenario.js";
import type { Lesson } from "./lesson.js";
import { fourNumbers, levelsOf, solvedOf, wasSolved } from "./progress.js";
import { trackOf, tracks } from "./track.js";

/** A step of the path through the exercises: a kind of them, or one exercise that a lesson fixes. */
export interface Step {
  track: string;
  /** What it is called. */
  words: string;
  /** Of a lesson's exercise alone. */
  level?: number;
  seed?: number;
  /** Whether it was solved without the solution: of a kind, one exercise of any level. */
  solved: boolean;
}

/** All kinds in their order. */
export const kindSteps = (scenario: Scenario): Step[] =>
  tracks(scenario).map(({ id, title }) => ({
    track: id,
    words: title,
    solved: Array.from({ length: levelsOf(id) }, (_, index) => solvedOf(id, index + 1)).some((solved) => solved > 0),
  }));

/** The exercises of a lesson. */
export const lessonSteps = (scenario: Scenario, { exercises }: Lesson): Step[] =>
  exercises.map(({ track, level, seed }) => ({
    ...{ track, level, seed },
    words: `${tracks(scenario).find(({ id }) => id === track)!.title}, level ${level}`,
    solved: wasSolved(track, level, seed),
  }));

/** Which kind's step a scenario poses. */
export const kindShown = (scenario: Scenario, steps: readonly Step[]): number =>
  steps.findIndex(({ track }) => track === (trackOf(scenario) ?? fourNumbers));

/** The next that is not solved, after the last from the beginning; -1 where all are. */
export function nextOf(steps: readonly Step[], at: number): number {
  const later = steps.findIndex(({ solved }, index) => index > at && !solved);
  return later < 0 ? steps.findIndex(({ solved }, index) => index !== at && !solved) : later;
}
