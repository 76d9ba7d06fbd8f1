import type { AnswerDetail, LessonDetail, TrackAnswerDetail } from "../exercise/events.js";
import { fourNumbers, wasSolved } from "../exercise/progress.js";
import type { Lesson, LessonExercise } from "./lesson.js";

/** Leads through a lesson: its exercises as a list, which are solved, and the next one. */

const words = ({ track, level }: LessonExercise): string => {
  const kind = track.replaceAll("_", " ");
  return `${kind[0]!.toUpperCase()}${kind.slice(1)}, level ${level}`;
};

const made = <Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
};

/** Fixes the page's exercise to those of `lesson`, one after the other, and says in `lesson` events how far it is. */
export function takeLesson({ exercises, edition, refused }: Lesson): void {
  const calculator = document.querySelector("commcost-calculator")!;
  const place = document.querySelector<HTMLElement>("#lesson")!;
  place.hidden = false;
  place.append(...refused.map((sentence) => made("p", sentence)));
  if (exercises.length === 0) {
    place.append(made("p", "This link asks for no exercise that we know."));
    calculator.remove();
    return;
  }
  const solved = exercises.map(({ track, level, seed }) => wasSolved(track, level, seed));
  const steps = document.createElement("ol");
  const state = made("p", "");
  state.setAttribute("role", "status");
  const next = made("button", "Next exercise");
  next.type = "button";
  place.append(steps, state, next);
  let at = 0;

  const draw = (): void => {
    steps.replaceChildren(
      ...exercises.map((exercise, index) => {
        const step = made("button", `${words(exercise)}${solved[index] ? " ✓" : ""}`);
        step.type = "button";
        if (index === at) step.setAttribute("aria-current", "step");
        step.addEventListener("click", () => show(index));
        const item = document.createElement("li");
        item.append(step);
        return item;
      }),
    );
    const count = solved.filter(Boolean).length;
    state.textContent = `${count} of ${exercises.length} solved.`;
    next.hidden = !solved[at] || count === exercises.length;
    const detail: LessonDetail = {
      exercises: exercises.map((exercise, index) => ({ ...exercise, solved: solved[index]! })),
      at: at + 1,
      solved: count,
    };
    place.dispatchEvent(new CustomEvent("lesson", { detail, bubbles: true }));
  };
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

  next.addEventListener("click", () => show(solved.indexOf(false)));
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
