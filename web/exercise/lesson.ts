import type { Engine } from "#engine";
import { newestEdition } from "../exercise/edition.js";
import { fourNumbers, levelsOf, theFunction } from "./progress.js";
import { nearest } from "../state/suggest.js";

/** A lesson is a sequence of exercises that a link fixes: ?lesson=four_numbers:1:3,ring_rounds:2:7&edition=2 */

export interface LessonExercise {
  track: string;
  level: number;
  seed: number;
}

export interface Lesson {
  exercises: LessonExercise[];
  edition: number;
  /** Why parts of the link were left out, a sentence each. */
  refused: string[];
}

/** More are no lesson. */
const most = 100;

const whole = (text: string, least: number, greatest: number): number | undefined => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= greatest ? value : undefined;
};

/** The lesson that a page's address asks for; nothing where it asks for none. */
export function lessonOf(engine: Engine, query: string): Lesson | undefined {
  const asked = new URLSearchParams(query);
  const text = asked.get("lesson");
  if (text === null) return undefined;
  const field = (calculation: string, name: string) =>
    engine.describe()[calculation]!.inputs.find((input) => input.name === name)!;
  const kinds = [fourNumbers, ...field("pose_exercise", "track").choices!, theFunction];
  const refused: string[] = [];
  const read = (said: string): LessonExercise | undefined => {
    const name = `“${said.slice(0, 60)}”`;
    const [track = "", levelText = "", seedText = "", ...rest] = said.split(":");
    if (rest.length > 0 || seedText === "") {
      refused.push(`${name} is not an exercise: write kind:level:seed, such as four_numbers:1:3.`);
      return undefined;
    }
    if (!kinds.includes(track)) {
      const meant = nearest(track, kinds);
      refused.push(`${name}: there is no kind “${track.slice(0, 60)}”${meant ? `; did you mean ${meant}?` : "."}`);
      return undefined;
    }
    const levels = levelsOf(track);
    const level = whole(levelText, 1, levels);
    const seeds = field("draw_exercise", "seed").greatest!;
    const seed = whole(seedText, 0, seeds);
    if (level === undefined) refused.push(`${name}: the levels of ${track} are 1 to ${levels}.`);
    else if (seed === undefined) refused.push(`${name}: a seed is a whole number from 0 to ${seeds}.`);
    return level === undefined || seed === undefined ? undefined : { track, level, seed };
  };
  const parts = text.split(",").map((part) => part.trim());
  const exercises = parts.slice(0, most).flatMap((part) => read(part) ?? []);
  if (parts.length > most) refused.push(`A lesson has at most ${most} exercises; the others were left out.`);
  const newest = newestEdition({ engine });
  const editionText = asked.get("edition") ?? String(newest);
  const edition = whole(editionText, 1, newest);
  if (edition === undefined) refused.push(`“edition=${editionText.slice(0, 60)}”: the editions are 1 to ${newest}.`);
  return { exercises, edition: edition ?? newest, refused };
}
