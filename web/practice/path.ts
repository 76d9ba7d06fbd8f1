import type { Engine } from "#engine";
import { fourNumbers, levelsOf, solvedOf } from "../exercise/progress.js";
import { kindInWords, stepsIn } from "./steps.js";

/** Leads through the kinds of exercises in their order, each done once one of it is solved; any can be chosen at any time. */
export function takePath(engine: Engine): void {
  const field = engine.describe()["pose_exercise"]!.inputs.find(({ name }) => name === "track")!;
  const kinds = [fourNumbers, ...field.choices!];
  const calculator = document.querySelector("commcost-calculator") as HTMLElement & { track?: string | undefined };
  const isDone = (track: string) =>
    Array.from({ length: levelsOf(track) }, (_, index) => solvedOf(track, index + 1)).some((solved) => solved > 0);
  // Also where nothing can be stored.
  const done = new Set(kinds.filter(isDone));
  let now: string = fourNumbers;
  const drawn = stepsIn(document.querySelector<HTMLElement>("#lesson")!, (at) => {
    const track = kinds[at]!;
    calculator.track = track === fourNumbers ? undefined : track;
  });
  const draw = () =>
    drawn({
      labels: kinds.map(kindInWords),
      done: kinds.map((track) => done.has(track)),
      at: kinds.indexOf(now),
    });
  addEventListener("exercise", (event) => {
    now = (event as CustomEvent<{ track?: string }>).detail.track ?? fourNumbers;
    draw();
  });
  addEventListener("progress", (event: Event) => {
    done.add((event as CustomEvent<{ track: string }>).detail.track);
    draw();
  });
  draw();
}
