import type { Part } from "../engine/part.js";
import { define } from "./define.js";

/** The message about a part, and its role; nothing if there is none. */
function noticeOf(part: Part): { role: string; text: string; button: boolean } | undefined {
  const { name, state, tries } = part;
  if (state === "missing") return { role: "alert", text: `${name} did not load: ${part.reason}.`, button: true };
  if (state === "late")
    return { role: "status", text: `${name} is taking long to load: no answer after 10 seconds.`, button: true };
  if (state === "coming" && tries > 1) {
    const inside = name.replace(/^[TP]/, (first) => first.toLowerCase());
    return { role: "status", text: `Loading ${inside}…`, button: false };
  }
  return undefined;
}

/**
 * Shown in place of a part that failed to load, or takes long: a sentence that stays, and a button that requests it
 * again.
 */
export class MissingPart extends HTMLElement {
  private shown: Part | undefined;

  get of(): Part | undefined {
    return this.shown;
  }

  set of(part: Part | undefined) {
    if (part === this.shown) return;
    this.shown?.removeEventListener("change", this.draw);
    this.shown = part;
    part?.addEventListener("change", this.draw);
    this.draw();
  }

  private readonly draw = (): void => {
    const notice = this.shown && noticeOf(this.shown);
    if (!notice) return this.replaceChildren();
    const sentence = document.createElement("p");
    sentence.setAttribute("role", notice.role);
    sentence.append(notice.text);
    if (notice.button) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Try again";
      button.addEventListener("click", () => void this.shown!.again());
      sentence.append(" ", button);
    }
    this.replaceChildren(sentence);
  };
}

define("commcost-missing", MissingPart);
