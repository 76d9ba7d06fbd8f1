import { keepForOffline } from "../app/keep-for-offline.js";
import { passOn, say, sayHeight } from "../embed/speak.js";
import { version } from "../embed/protocol.js";
import "../embed/own-scenario.js";
import "../embed/calculator.js";
import { loadEngine } from "../engine/index.js";
import type { AnswerDetail, ExerciseDetail, HintDetail, TrackAnswerDetail } from "../exercise/events.js";
import { lessonOf } from "./lesson.js";
import { takeLesson } from "./lesson-list.js";
import { takePath } from "./path.js";

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

if (parent === window) {
  // In a frame it is for the page around it to say what is kept.
  addEventListener("exercise", () => void keepForOffline(), { once: true });
} else {
  document.documentElement.classList.add("framed");
  sayHeight();
  passOn(window);
  addEventListener("exercise", () => say({ type: "commcost:ready", v: version }), { once: true });
}

// The element reads its attributes once all of the engine is here: the lesson's first exercise is the first that is posed.
void loadEngine().then((engine) => {
  const lesson = lessonOf(engine, location.search);
  if (lesson) takeLesson(lesson);
  else takePath(engine);
});

addEventListener("exercise", (event) => {
  const { seed, level, inputs } = (event as CustomEvent<ExerciseDetail>).detail;
  const gpus = inputs["num_gpus"];
  // A byte for each chunk, so that the link does not give the message away.
  if (gpus !== undefined) ring.href = `./index.html#view=ring&ranks=${gpus}&message_size_bytes=${gpus}`;
  list("exercise", String(seed), String(level), "", "");
});

addEventListener("hint", (event) => {
  const { seed, level, result, step } = (event as CustomEvent<HintDetail>).detail;
  list("hint", String(seed), String(level), `${result.replaceAll("_", " ")}: ${step} of 3`, "");
});

addEventListener("answer", (event) => {
  const { detail } = event as CustomEvent<AnswerDetail | TrackAnswerDetail>;
  const { seed, level, right, correct, mistake, solution_shown } = detail;
  const given = Object.values(right);
  answered++;
  if (correct && !solution_shown) solved.add(`${"track" in detail ? detail.track : ""}/${level}/${seed}`);
  list(
    "answer",
    String(seed),
    String(level),
    `${given.filter(Boolean).length} of ${given.length} given`,
    mistake?.replaceAll("_", " ") ?? "",
  );
  score.textContent = `Checked ${answered} ${answered === 1 ? "time" : "times"}; solved without the solution: ${solved.size}.`;
});
