import { keepForOffline } from "../app/keep-for-offline.js";
import "../embed/own-scenario.js";
import "../embed/calculator.js";
import type { AnswerDetail, ExerciseDetail, HintDetail } from "../exercise/events.js";

/** What a practice page might do with the element's events: list them, keep score, lead to the exercise's ring. */

const events = document.querySelector("#events")!;
const score = document.querySelector("#score")!;
const ring = document.querySelector<HTMLAnchorElement>("#ring")!;
const solved = new Set<string>();
let answered = 0;

function list(...cells: string[]): void {
  const row = document.createElement("tr");
  for (const cell of cells) row.insertCell().textContent = cell;
  events.prepend(row);
}

// In a frame it is for the page around it to say what is kept.
if (parent === window) addEventListener("exercise", () => void keepForOffline(), { once: true });

addEventListener("exercise", (event) => {
  const { seed, level, inputs } = (event as CustomEvent<ExerciseDetail>).detail;
  const gpus = inputs["num_gpus"]!;
  // A byte for each chunk, so that the link does not give the message away.
  ring.href = `./index.html#view=ring&ranks=${gpus}&message_size_bytes=${gpus}`;
  list("exercise", String(seed), String(level), "", "");
});

addEventListener("hint", (event) => {
  const { seed, level, result, step } = (event as CustomEvent<HintDetail>).detail;
  list("hint", String(seed), String(level), `${result.replaceAll("_", " ")}: ${step} of 3`, "");
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
