import type { AnswerDetail, LessonDetail, TrackAnswerDetail } from "../exercise/events.js";
import { fourNumbers, wasSolved } from "../exercise/progress.js";
import type { Lesson } from "./lesson.js";
import { kindInWords, made, stepsIn } from "./steps.js";

/** Fixes the page's exercise to those of `lesson`, one after the other, and says in `lesson` events how far it is. */
export function takeLesson({ exercises, edition, refused }: Lesson): void {
  const calculator = document.querySelector("commcost-calculator")!;
  const place = document.querySelector<HTMLElement>("#lesson")!;
  place.append(...refused.map((sentence) => made("p", sentence)));
  if (exercises.length === 0) {
    place.hidden = false;
    place.append(made("p", "This link asks for no exercise that we know."));
    calculator.remove();
    return;
  }
  const solved = exercises.map(({ track, level, seed }) => wasSolved(track, level, seed));
  let at = 0;
  const show = (index: number): void => {
    at = index;
    const { track, level, seed } = exercises[at]!;
    const said: Record<string, string | null> = {
      ...{ seed: String(seed), level: String(level), edition: String(edition), readonly: "" },
      track: track === fourNumbers ? null : track,
    };
    for (const [name, value] of Object.entries(said))
      if (value === null) calculator.removeAttribute(name);
      else calculator.setAttribute(name, value);
    draw();
  };
  const drawn = stepsIn(place, show);
  const draw = (): void => {
    const labels = exercises.map(({ track, level }) => `${kindInWords(track)}, level ${level}`);
    drawn({ labels, done: solved, at });
    const detail: LessonDetail = {
      exercises: exercises.map((exercise, index) => ({ ...exercise, solved: solved[index]! })),
      at: at + 1,
      solved: solved.filter(Boolean).length,
    };
    place.dispatchEvent(new CustomEvent("lesson", { detail, bubbles: true }));
  };
  addEventListener("answer", (event) => {
    const { detail } = event as CustomEvent<AnswerDetail | TrackAnswerDetail>;
    const { track, level, seed } = exercises[at]!;
    const own = "track" in detail ? detail.track : fourNumbers;
    if (own !== track || detail.level !== level || detail.seed !== seed) return;
    if (!detail.correct || detail.solution_shown) return;
    solved[at] = true;
    draw();
  });
  show(Math.max(0, solved.indexOf(false)));
}
