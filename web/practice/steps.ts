/** A row of steps to choose from: which is shown, which are done, and how to get to the next. */
export interface Steps {
  labels: readonly string[];
  done: readonly boolean[];
  at: number;
}

/** A kind of exercise in words. */
export const kindInWords = (track: string): string => {
  const words = track.replaceAll("_", " ");
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
};

/** Puts `text` into a new element. */
export function made<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** Puts steps into `place`; the function that it returns draws them anew. `show` is told which one was chosen. */
export function stepsIn(place: HTMLElement, show: (at: number) => void): (steps: Steps) => void {
  place.hidden = false;
  const list = document.createElement("ol");
  const state = made("p", "");
  state.setAttribute("role", "status");
  const next = made("button", "Next exercise");
  next.type = "button";
  let drawn: Steps | undefined;
  // The next that is not done, and after the last the first.
  next.addEventListener("click", () => {
    const later = drawn!.done.indexOf(false, drawn!.at);
    show(later < 0 ? drawn!.done.indexOf(false) : later);
  });
  place.append(list, state, next);
  return (steps) => {
    const { labels, done, at } = (drawn = steps);
    list.replaceChildren(
      ...labels.map((label, index) => {
        const step = made("button", `${label}${done[index] ? " ✓" : ""}`);
        step.type = "button";
        if (index === at) step.setAttribute("aria-current", "step");
        step.addEventListener("click", () => show(index));
        const item = document.createElement("li");
        item.append(step);
        return item;
      }),
    );
    const count = done.filter(Boolean).length;
    state.textContent = `${count} of ${labels.length} solved.`;
    next.hidden = !done[at] || count === labels.length;
  };
}
