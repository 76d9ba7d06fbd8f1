import "../embed/elements.js";
import type { AnswerDetail, ExerciseDetail } from "../exercise/events.js";

/** What a practice page might do with the element's events: list them, and keep score. */

const events = document.querySelector("#events")!;
const score = document.querySelector("#score")!;
const solved = new Set<string>();
let answered = 0;

function list(...cells: string[]): void {
  const row = document.createElement("tr");
  for (const cell of cells) row.insertCell().textContent = cell;
  events.prepend(row);
}

addEventListener("exercise", (event) => {
  const { seed, level } = (event as CustomEvent<ExerciseDetail>).detail;
  list("exercise", String(seed), String(level), "", "");
});

addEventListener("answer", (event) => {
  const { seed, level, right, correct, mistake, solution_shown } = (event as CustomEvent<AnswerDetail>).detail;
  const given = Object.values(right);
  answered++;
  if (correct && !solution_shown) solved.add(`${level}/${seed}`);
  list(
    "answer",
    String(seed),
    String(level),
    `${given.filter(Boolean).length} of ${given.length} given`,
    mistake?.replaceAll("_", " ") ?? "",
  );
  score.textContent = `Checked ${answered} ${answered === 1 ? "time" : "times"}; solved without the solution: ${solved.size}.`;
});
